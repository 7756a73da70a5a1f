"""Decisions to review again after a change of the taxonomy."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.review.ledger import Entry, Ledger
from classifier.review.second_look import (
    MAX_PER_CATEGORY,
    OutdatedDecision,
    likeliest_decisions,
    outdated_decisions,
)
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions

OLD, NEW = "0123456789ab", "ba9876543210"


def taxonomy_of(*categories: object) -> Taxonomy:
    """A taxonomy of one facet, each category given as its id or as a mapping."""
    mappings = [{"id": each} if isinstance(each, str) else each for each in categories]
    facet = {"kind": "multi", "categories": mappings}
    return Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": {"topic": facet}})


VERSIONS = Versions({(OLD, "topic"): frozenset({"dough", "taste"})})
BEFORE = {"p-1": "dough", "p-2": "taste", "p-3": "taste"}
"""Decisions when the taxonomy had dough and taste."""


def ledger_of(decisions: Mapping[str, str], digest: str = OLD, day: int = 1) -> Ledger:
    return Ledger(
        tuple(
            Entry(paper_id, "", "topic", value, True, "Ada", f"2025-03-{day:02}", "", digest, "")
            for paper_id, values in decisions.items()
            for value in values.split()
        )
    )


def labels_of(**probabilities: float) -> list[PaperLabels]:
    """Three papers, the first half as likely as the second, and that half as the third."""
    return [
        PaperLabels(
            f"p-{number}",
            {
                "topic": FacetLabels(
                    ("dough",), "dough", 0.9, "confident",
                    {name: value * 2 ** (number - 3) for name, value in probabilities.items()},
                )
            },
        )
        for number in (1, 2, 3)
    ]  # fmt: skip


def again(taxonomy: Taxonomy, ledger: Ledger, **probabilities: float) -> list[tuple[str, str, str]]:
    found = outdated_decisions(taxonomy, ledger, VERSIONS, {}, labels_of(**probabilities))
    return [(each.paper_id, each.category, each.cause) for each in found]


def test_without_changes_no_decision_is_outdated() -> None:
    assert again(taxonomy_of("dough", "taste"), ledger_of(BEFORE), dough=0.9, taste=0.9) == []


def test_a_renamed_category_keeps_its_decisions() -> None:
    taxonomy = taxonomy_of("dough", {"id": "flavour", "aliases": ["taste"]})
    assert again(taxonomy, ledger_of(BEFORE), flavour=0.9) == []


def test_a_merged_category_keeps_its_decisions() -> None:
    taxonomy = taxonomy_of(
        "bread", *({"id": i, "replaced_by": "bread"} for i in ("dough", "taste"))
    )
    assert again(taxonomy, ledger_of(BEFORE), bread=0.9) == []


def test_decisions_for_a_removed_category_are_outdated() -> None:
    assert again(taxonomy_of("dough"), ledger_of(BEFORE), dough=0.9) == [
        ("p-2", "taste", "removed"),
        ("p-3", "taste", "removed"),
    ]


def test_a_split_category_makes_its_decisions_and_likely_papers_outdated() -> None:
    taxonomy = taxonomy_of("dough", "aroma", "crust")
    assert again(taxonomy, ledger_of({"p-2": "taste dough"}), aroma=0.4, crust=0.01) == [
        ("p-2", "taste", "removed"),
        ("p-2", "aroma", "new"),
    ]


def test_the_likeliest_papers_of_a_new_category_come_first() -> None:
    taxonomy = taxonomy_of("dough", "taste", "ovens")
    assert again(taxonomy, ledger_of(BEFORE), ovens=0.8) == [
        ("p-3", "ovens", "new"),
        ("p-2", "ovens", "new"),
        ("p-1", "ovens", "new"),
    ]


def test_an_unlikely_paper_of_a_new_category_is_not_listed() -> None:
    taxonomy = taxonomy_of("dough", "taste", "ovens")
    assert again(taxonomy, ledger_of(BEFORE), ovens=0.03) == [
        ("p-3", "ovens", "new"),
        ("p-2", "ovens", "new"),
    ]


def test_a_new_subcategory_makes_no_decision_outdated() -> None:
    taxonomy = taxonomy_of({"id": "dough", "children": [{"id": "dough/rye"}]}, "taste")
    assert again(taxonomy, ledger_of(BEFORE), dough=0.9, taste=0.9) == []


def test_a_paper_that_was_reviewed_again_is_not_listed() -> None:
    taxonomy = taxonomy_of("dough", "taste", "ovens")
    since = ledger_of({"p-3": "taste"}, digest=NEW, day=9)
    both = Ledger((*ledger_of(BEFORE).entries, *since.entries))
    assert again(taxonomy, both, ovens=0.8) == [("p-2", "ovens", "new"), ("p-1", "ovens", "new")]


def test_decisions_on_missing_papers_are_not_listed() -> None:
    assert again(taxonomy_of("dough"), ledger_of({"p-9": "taste"}), dough=0.9) == []


MANY = [f"p-{number:02}" for number in range(30)]
OVENS = taxonomy_of("dough", "ovens")


def many_labels() -> list[PaperLabels]:
    facet = FacetLabels(("dough",), "dough", 0.9, "confident", {"dough": 0.9, "ovens": 0.5})
    return [PaperLabels(paper_id, {"topic": facet}) for paper_id in MANY]


@pytest.mark.parametrize("done", [0, 5, 20, 25])
def test_at_most_twenty_papers_per_new_category_are_listed(done: int) -> None:
    versions = Versions({(OLD, "topic"): frozenset({"dough"})})
    old = ledger_of(dict.fromkeys(MANY, "dough"))
    since = ledger_of(dict.fromkeys(MANY[:done], "dough"), digest=NEW, day=9)
    ledger = Ledger((*old.entries, *since.entries))
    found = outdated_decisions(OVENS, ledger, versions, {}, many_labels())
    assert [each.paper_id for each in found] == MANY[done : max(done, MAX_PER_CATEGORY)]


def test_equally_likely_papers_are_ordered_by_id() -> None:
    silent = {paper_id: {"topic": Decision(("dough",), "dough", unknown=("ovens",))}
              for paper_id in MANY}  # fmt: skip
    found = likeliest_decisions(OVENS.first, "ovens", silent, many_labels()[::-1], limit=2)
    assert found == [
        OutdatedDecision(paper_id, "topic", "ovens", "new", 0.5) for paper_id in MANY[:2]
    ]

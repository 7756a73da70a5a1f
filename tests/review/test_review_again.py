"""Which decisions are looked at again after the taxonomy changed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from inline_snapshot import snapshot

from classifier.labelling.labels import Decision, FacetLabels, PaperLabels
from classifier.review.ledger import Entry, Ledger
from classifier.review.second_look import (
    MAX_PER_CATEGORY,
    Revisit,
    likeliest,
    review_again,
    review_again_lines,
)
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions

OLD, NEW = "0123456789ab", "ba9876543210"


def taxonomy_of(*categories: object) -> Taxonomy:
    """A taxonomy of one facet, each category told as its id or as all of it."""
    told = [{"id": each} if isinstance(each, str) else each for each in categories]
    facet = {"kind": "multi", "categories": told}
    return Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": {"topic": facet}})


VERSIONS = Versions({(OLD, "topic"): frozenset({"dough", "taste"})})
BEFORE = {"p-1": "dough", "p-2": "taste", "p-3": "taste"}
"""What people decided when there were dough and taste."""


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
    found = review_again(taxonomy, ledger, VERSIONS, {}, labels_of(**probabilities))
    return [(each.paper_id, each.category, each.why) for each in found]


def test_as_long_as_nothing_changes_nothing_is_to_be_done() -> None:
    assert again(taxonomy_of("dough", "taste"), ledger_of(BEFORE), dough=0.9, taste=0.9) == []


def test_a_renamed_category_takes_its_decisions_along() -> None:
    taxonomy = taxonomy_of("dough", {"id": "flavour", "aliases": ["taste"]})
    assert again(taxonomy, ledger_of(BEFORE), flavour=0.9) == []


def test_a_merged_category_takes_its_decisions_along() -> None:
    taxonomy = taxonomy_of(
        "bread", *({"id": i, "replaced_by": "bread"} for i in ("dough", "taste"))
    )
    assert again(taxonomy, ledger_of(BEFORE), bread=0.9) == []


def test_decisions_for_a_dropped_category_are_listed() -> None:
    assert again(taxonomy_of("dough"), ledger_of(BEFORE), dough=0.9) == [
        ("p-2", "taste", "gone"),
        ("p-3", "taste", "gone"),
    ]


def test_a_split_category_lists_its_decisions_and_the_papers_that_its_parts_may_claim() -> None:
    taxonomy = taxonomy_of("dough", "aroma", "crust")
    assert again(taxonomy, ledger_of({"p-2": "taste dough"}), aroma=0.4, crust=0.01) == [
        ("p-2", "taste", "gone"),
        ("p-2", "aroma", "new"),
    ]


def test_of_a_new_category_the_likeliest_papers_come_first() -> None:
    taxonomy = taxonomy_of("dough", "taste", "ovens")
    assert again(taxonomy, ledger_of(BEFORE), ovens=0.8) == [
        ("p-3", "ovens", "new"),
        ("p-2", "ovens", "new"),
        ("p-1", "ovens", "new"),
    ]


def test_a_paper_that_hardly_belongs_is_not_listed() -> None:
    taxonomy = taxonomy_of("dough", "taste", "ovens")
    assert again(taxonomy, ledger_of(BEFORE), ovens=0.03) == [
        ("p-3", "ovens", "new"),
        ("p-2", "ovens", "new"),
    ]


def test_a_new_child_is_left_to_its_cues() -> None:
    taxonomy = taxonomy_of({"id": "dough", "children": [{"id": "dough/rye"}]}, "taste")
    assert again(taxonomy, ledger_of(BEFORE), dough=0.9, taste=0.9) == []


def test_a_paper_that_was_reviewed_again_is_done_with() -> None:
    taxonomy = taxonomy_of("dough", "taste", "ovens")
    since = ledger_of({"p-3": "taste"}, digest=NEW, day=9)
    both = Ledger((*ledger_of(BEFORE).entries, *since.entries))
    assert again(taxonomy, both, ovens=0.8) == [("p-2", "ovens", "new"), ("p-1", "ovens", "new")]


def test_decisions_of_papers_that_are_not_there_are_not_listed() -> None:
    assert again(taxonomy_of("dough"), ledger_of({"p-9": "taste"}), dough=0.9) == []


MANY = [f"p-{number:02}" for number in range(30)]
OVENS = taxonomy_of("dough", "ovens")


def many_labels() -> list[PaperLabels]:
    facet = FacetLabels(("dough",), "dough", 0.9, "confident", {"dough": 0.9, "ovens": 0.5})
    return [PaperLabels(paper_id, {"topic": facet}) for paper_id in MANY]


@pytest.mark.parametrize("done", [0, 5, 20, 25])
def test_a_category_asks_for_twenty_papers_and_no_more(done: int) -> None:
    versions = Versions({(OLD, "topic"): frozenset({"dough"})})
    old = ledger_of(dict.fromkeys(MANY, "dough"))
    since = ledger_of(dict.fromkeys(MANY[:done], "dough"), digest=NEW, day=9)
    ledger = Ledger((*old.entries, *since.entries))
    found = review_again(OVENS, ledger, versions, {}, many_labels())
    assert [each.paper_id for each in found] == MANY[done : max(done, MAX_PER_CATEGORY)]
    lines = review_again_lines(OVENS, ledger, versions, {}, MANY)
    left = MAX_PER_CATEGORY - done
    assert lines == [
        f"decisions older than 'ovens' (topic), which do not cover it: {30 - done}; worth a "
        f"second look: the likeliest {left}"
    ] * (left > 0)  # fmt: skip


def test_of_papers_equally_likely_the_id_decides() -> None:
    silent = {paper_id: {"topic": Decision(("dough",), "dough", unknown=("ovens",))}
              for paper_id in MANY}  # fmt: skip
    found = likeliest(OVENS.first, "ovens", silent, many_labels()[::-1], limit=2)
    assert found == [Revisit(paper_id, "topic", "ovens", "new", 0.5) for paper_id in MANY[:2]]


def test_what_is_gone_is_told_in_one_line_a_value() -> None:
    lines = review_again_lines(taxonomy_of("dough"), ledger_of(BEFORE), VERSIONS, {}, BEFORE)
    assert lines == snapshot(["decisions that say 'taste' (topic), which is gone: 2"])

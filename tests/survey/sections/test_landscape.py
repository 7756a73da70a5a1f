"""What is said over all categories at once, by the shape of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.survey.draft import Draft
from classifier.survey.edition import Entry
from classifier.survey.facts.compute import compute_facts
from classifier.survey.material import Material
from classifier.survey.pairs import pairs_of
from classifier.survey.sections.abstract import abstract_drafts
from classifier.survey.sections.category.borders import border_drafts
from classifier.survey.sections.category.subject import top_subject
from classifier.survey.sections.contributions import contribution_drafts
from classifier.survey.sections.evidence import evidence_drafts, evidence_table
from classifier.survey.sections.landscape import landscape_sections, pair_drafts, size_drafts
from classifier.survey.sections.names import across_draft, name_drafts, names_table
from classifier.survey.sections.rules import rule_drafts
from classifier.survey.sections.years import year_drafts
from classifier.taxonomy.model import Taxonomy

MakeEntry = Callable[..., Entry]
MaterialOf = Callable[..., Material]

FIGURE = "Introduces a spade. It digs 12% more."
SPADE = "Introduces a spade. It is tried on the spade test."
WORMS = "Introduces a spade. We report worm counting."


def told(drafts: list[Draft | None]) -> str:
    return " ".join(draft.text for draft in drafts if draft)


# papers by primary (and further topics), how many of each -> what is said of size
SIZES = {
    "few categories have no range": ({"soil": 9, "seeds": 1}, ""),
    "one reaches beyond its section": (
        {"soil": 3, "seeds soil": 6},
        "[Soil](#soil) (9 belong, 3 are filed) reaches furthest beyond its own section.",
    ),
    "a few papers elsewhere are no reach": ({"soil": 3, "seeds soil": 4}, ""),
}


@pytest.mark.parametrize(("papers", "wanted"), SIZES.values(), ids=SIZES)
def test_what_stands_out_in_size(
    papers: dict[str, int], wanted: str, make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    topics = [labels for labels, number in papers.items() for _ in range(number)]
    entries = [make_entry(n, *labels.split()) for n, labels in enumerate(topics, 1)]
    assert told(size_drafts(material_of(entries))) == wanted


def wide(papers: dict[str, int], make_entry: MakeEntry, material_of: MaterialOf) -> Material:
    """Papers of as many topics as are named, by primary and further topics."""
    names = sorted({name for labels in papers for name in labels.split()})
    topic = {"kind": "multi", "categories": [{"id": name, "name": name} for name in names]}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Wide"}, "facets": {"topic": topic}})
    topics = [labels for labels, number in papers.items() for _ in range(number)]
    entries = [make_entry(n, *labels.split()) for n, labels in enumerate(topics, 1)]
    material = material_of(entries)
    facts = compute_facts(taxonomy, material.corpus, entries)
    return replace(material, taxonomy=taxonomy, facts=facts)


# papers by primary (and further topics), how many of each -> what is said of size
RANGES = {
    "four have no range": ({"a": 1, "b": 1, "c": 9, "d": 9}, ""),
    "the smallest": (
        {"a": 2, "b": 4, "c": 4, "d": 5, "e": 6},
        "The smallest category is [a](#a) (2); the largest, [e](#e), holds 6.",
    ),
    "less than three times as many": ({"a": 2, "b": 4, "c": 4, "d": 5, "e": 5}, ""),
    "half as many more are as small": (
        {"b": 3, "a": 2, "c": 4, "d": 5, "e": 6},
        "The smallest categories are [a](#a) (2) and [b](#b) (3); the largest, [e](#e), holds 6.",
    ),
    "three are named": (
        {"d": 3, "c": 2, "b": 2, "a": 2, "e": 9},
        "The smallest categories are [a](#a) (2), [b](#b) (2) and [c](#c) (2); the largest, "
        "[e](#e), holds 9.",
    ),
    "three of four as small are named": (
        {"d": 2, "c": 2, "b": 2, "a": 2, "e": 9},
        "Among the smallest categories are [a](#a) (2), [b](#b) (2) and [c](#c) (2); the largest, "
        "[e](#e), holds 9.",
    ),
    "three reach": (
        {"a": 5, "b": 5, "c": 5, "d": 5, "e a b c d": 9},
        "[a](#a) (14 belong, 5 are filed), [b](#b) (14 belong, 5 are filed) and [c](#c) (14 "
        "belong, 5 are filed) reach furthest beyond their own sections.",
    ),
    "one that is large already reaches further": (
        {"a": 20, "c": 4, "d a": 4, "d a c": 5},
        "",
    ),
}


@pytest.mark.parametrize(("papers", "wanted"), RANGES.values(), ids=RANGES)
def test_what_stands_out_in_size_among_many(
    papers: dict[str, int], wanted: str, make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    assert told(size_drafts(wide(papers, make_entry, material_of))) == wanted


@pytest.mark.parametrize(
    ("papers", "wanted"),
    [
        ({"a": 3, "b": 2, "c": 2, "d": 1}, "The largest are [a](#a) (3), [b](#b) (2) and"),
        ({"a": 3, "b": 2, "c": 2, "d": 2}, "Among the largest are [a](#a) (3), [b](#b) (2) and"),
    ],
)
def test_the_largest_are_all_of_them_or_it_is_said(
    papers: dict[str, int], wanted: str, make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    drafts = abstract_drafts(wide(papers, make_entry, material_of))
    (largest,) = (draft for draft in drafts if draft and draft.name == "largest")
    assert largest.text == f"{wanted} [c](#c) (2)."


def test_categories_that_never_meet_are_named_where_they_should(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    def said(number: int) -> str:
        topics = ["soil"] * number + ["seeds"] * number
        material = material_of([make_entry(n, topic) for n, topic in enumerate(topics, 1)])
        landscape_sections(material)
        return told(pair_drafts(material, pairs_of(material)))

    assert said(5) == ""
    assert said(6) == (
        "Large enough to be expected together, yet never met: [Soil](#soil) with [Seeds](#seeds)."
    )


@pytest.mark.parametrize("limit", [{"kind": "single"}, {"at_most": 1}], ids=str)
def test_that_categories_never_meet_is_no_news_where_none_may(
    limit: dict[str, object], garden: Taxonomy, make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    entries = [make_entry(n, topic) for n, topic in enumerate(["soil", "seeds"] * 6, 1)]
    alone = garden.first.model_copy(update=limit)
    taxonomy = garden.model_copy(update={"facets": {**garden.facets, "topic": alone}})
    material = replace(material_of(entries), taxonomy=taxonomy)
    landscape_sections(material)
    assert told(pair_drafts(material, pairs_of(material))) == ""
    assert told(border_drafts(top_subject(material, alone.categories[0]))) == ""
    rules = [draft.name for run in rule_drafts(material) for draft in run if draft]
    assert "difference" in rules
    assert "gap" not in rules


# kinds of contribution of papers on soil and on seeds -> what is said of them
KINDS = {
    "nothing stands out": ("method study", "method study", ""),
    "a majority": (
        "method method method",
        "study",
        "More than half of the papers (3 of 4) contribute a method.",
    ),
    "a kind that gathers": (
        "study " * 5,
        "method " * 5 + "study",
        "More than half of the papers (6 of 11) contribute a study. Of the five papers that "
        "contribute a method, all are filed under [Seeds](#seeds); of the six papers that "
        "contribute a study, five are filed under [Soil](#soil).",
    ),
    "a rare kind": (
        "method " * 25,
        "method " * 24 + "study",
        "More than half of the papers (49 of 50) contribute a method. Of the 49 papers that "
        "contribute a method, 25 are filed under [Soil](#soil). Of all 50 papers, none "
        "contributes an analysis.",
    ),
}


@pytest.mark.parametrize(("soil", "seeds", "wanted"), KINDS.values(), ids=KINDS)
def test_what_kinds_of_contribution_gather(
    soil: str, seeds: str, wanted: str, make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    kinds = [("soil", kind) for kind in soil.split()] + [("seeds", k) for k in seeds.split()]
    entries = [make_entry(n, topic, kind=kind) for n, (topic, kind) in enumerate(kinds, 1)]
    assert told(contribution_drafts(material_of(entries))) == wanted


# (texts, the sentence on names, the rows of the table)
NAMES = {
    "none": (["", FIGURE], "", []),
    "one": (
        [SPADE, FIGURE],
        "A benchmark that the taxonomy knows is named in one of two texts.",
        [],
    ),
    "two": (
        [SPADE, SPADE, WORMS],
        "A benchmark that the taxonomy knows is named in three of three texts; of two different "
        "benchmarks, one stands in a single text.",
        [("Spade test", "2", "1", "[Soil](#soil) 2")],
    ),
}


@pytest.mark.parametrize(("texts", "sentence", "rows"), NAMES.values(), ids=NAMES)
def test_which_names_the_texts_hold(
    texts: list[str],
    sentence: str,
    rows: list[tuple[str, ...]],
    make_entry: MakeEntry,
    material_of: MaterialOf,
) -> None:
    material = material_of([make_entry(n, text=text) for n, text in enumerate(texts, 1)])
    assert told(name_drafts(material, "benchmarks")) == sentence
    assert [row for table in names_table(material, "benchmarks") for row in table.rows] == rows
    assert across_draft(material, "benchmarks") is None


def test_of_names_shared_alike_none_is_shared_most(
    make_entry: MakeEntry, material_of: MaterialOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_ACROSS", 1), ("_LEAST_SHARED", 1), ("_MOST_SAID", 1)):
        monkeypatch.setattr(f"classifier.survey.sections.names.{name}", value)

    def said(texts: list[str]) -> str:
        material = material_of([make_entry(n, text=text) for n, text in enumerate(texts, 1)])
        draft = across_draft(material, "benchmarks")
        assert draft is not None
        return draft.text.partition(" in papers")[0]

    assert said([SPADE, WORMS]) == "Among the most widely shared benchmarks: Spade test"
    assert said([SPADE, SPADE, WORMS]) == "Most widely shared among the benchmarks: Spade test"


def test_how_many_papers_state_what_is_a_share_of_those_filed(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    texts = [FIGURE, FIGURE, SPADE]
    material = material_of([make_entry(n, text=text) for n, text in enumerate(texts, 1)])
    (table,) = evidence_table(material)
    assert table.rows[0] == ("[Soil](#soil)", "3", "2 (67%)", "1 (33%)")
    assert table.rows[1] == ("[Seeds](#seeds)", "0", "–", "–")
    assert table.rows[-1] == ("All", "3", "2 (67%)", "1 (33%)")
    assert told(evidence_drafts(material)) == ""


def test_code_is_counted_where_any_paper_has_some(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    without = [make_entry(1), make_entry(2, text=FIGURE)]
    released = make_entry(3, text="We propose a spade. Its code is available at https://a.example.")
    for entries, asked in (
        (without, "state a numeric result or name a benchmark"),
        ([*without, released], "state a numeric result, link or announce code or name a benchmark"),
    ):
        (table,) = evidence_table(material_of(entries))
        assert asked in table.caption
        assert ("Link or announce code" in table.columns) is (len(entries) == 3)


def test_what_no_paper_does_is_not_counted_by_category(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    material = material_of([make_entry(1), make_entry(2)])
    (table,) = evidence_table(material)
    assert table.columns == ("Category", "Filed", "Name a benchmark")
    taxonomy = material.taxonomy.model_copy(update={"lexicons": {}})
    assert evidence_table(replace(material, taxonomy=taxonomy)) == []


def test_a_category_that_states_more_is_named(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    papers = [("soil", FIGURE)] * 12 + [("seeds", "")] * 12
    entries = [make_entry(n, topic, text=text) for n, (topic, text) in enumerate(papers, 1)]
    assert told(evidence_drafts(material_of(entries))) == (
        "A paper states a numeric result more often than elsewhere in [Soil](#soil) (12 of 12) and "
        "less often than elsewhere in [Seeds](#seeds) (0 of 12); over all it is 12 of 24 papers."
    )


# papers by (year, topic) -> what is said of time
YEARS: dict[str, tuple[dict[tuple[str, str], int], str]] = {
    "one year": ({("2024", "soil"): 30}, ""),
    "too few dated": ({("2023", "soil"): 30, ("2024", "seeds"): 30, ("", "soil"): 30}, ""),
    "too few for a comparison": (
        {("2023", "soil"): 3, ("2024", "seeds"): 4, ("", "soil"): 1},
        "The dates of 7 of 8 papers are known: 2023 (3) and 2024 (4).",
    ),
    "no change": (
        {("2023", "soil"): 20, ("2024", "soil"): 30},
        "The dates of all 50 papers are known: 2023 (20) and 2024 (30). From 2023 to 2024 no "
        "category's share changed beyond chance.",
    ),
    "a change": (
        {("2023", "soil"): 20, ("2024", "soil"): 10, ("2024", "seeds"): 20},
        "The dates of all 50 papers are known: 2023 (20) and 2024 (30). From 2023 to 2024 the "
        "share of [Soil](#soil) fell (20 of 20 papers, then 10 of 30) and [Seeds](#seeds) rose (0 "
        "of 20 papers, then 20 of 30).",
    ),
}


@pytest.mark.parametrize(("papers", "wanted"), YEARS.values(), ids=YEARS)
def test_what_is_said_of_time(
    papers: dict[tuple[str, str], int],
    wanted: str,
    make_entry: MakeEntry,
    material_of: MaterialOf,
) -> None:
    each = [key for key, number in papers.items() for _ in range(number)]
    entries = [make_entry(n, topic, published=year) for n, (year, topic) in enumerate(each, 1)]
    assert told(year_drafts(material_of(entries))) == wanted

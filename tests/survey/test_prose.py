"""Plural forms and patterns: n = 0, 1, 2, many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.corpus.load import Corpus
from classifier.survey.edition import Entry
from classifier.survey.facts import Facts, compute_facts
from classifier.survey.prose import (
    abstract_sentences,
    category_sentences,
    exemplar_sentences,
    labelling_sentence,
    method_sentences,
)
from classifier.taxonomy.model import Taxonomy

MakeEntry = Callable[..., Entry]
CorpusOf = Callable[..., Corpus]

FIGURE = "Introduces a spade. It digs 12% more."
CODE = "Introduces a spade. It is sharp. Code is available."
SPADE = "Uses the Spade test."
WORMS = "Introduces worm counting."


@pytest.fixture
def facts_of(garden: Taxonomy, corpus_of: CorpusOf) -> Callable[..., Facts]:
    def facts(entries: list[Entry], quarantined: int = 0) -> Facts:
        return compute_facts(garden, corpus_of(entries, quarantined), entries)

    return facts


# primaries of the papers -> how they are sorted, and by which facts
SORTED = {
    "soil": ("This survey sorts one paper into one category.", ""),
    "soil seeds soil": ("This survey sorts three papers into two categories.", ""),
    "soil other": (
        "This survey sorts one of two papers into one category; one is out of scope.",
        ", topic.other.filed",
    ),
    "soil seeds soil other other": (
        "This survey sorts three of five papers into two categories; two are out of scope.",
        ", topic.other.filed",
    ),
    "other other": (
        "This survey sorts none of two papers into any category; two are out of scope.",
        ", topic.other.filed",
    ),
}


@pytest.mark.parametrize(("primaries", "wanted"), SORTED.items(), ids=SORTED)
def test_how_the_papers_are_sorted(
    primaries: str,
    wanted: tuple[str, str],
    garden: Taxonomy,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    entries = [make_entry(n, primary) for n, primary in enumerate(primaries.split(), 1)]
    text, kind, source = abstract_sentences(garden, facts_of(entries), entries)[0]
    assert (text, kind) == (wanted[0], "C")
    assert source == f"facts: papers.total, topic.soil.filed, topic.seeds.filed{wanted[1]}"


# (reviewed, confident, provisional) -> whose labels they are
DECIDED = {
    (0, 1, 0): "The classifier labelled the paper.",
    (0, 0, 1): "The classifier labelled the paper, provisionally.",
    (0, 2, 1): "The classifier labelled all of them, one of them provisionally.",
    (1, 0, 0): "Readers decided the labels of all papers.",
    (3, 0, 0): "Readers decided the labels of all papers.",
    (1, 1, 0): "Readers decided the labels of one paper; the classifier labelled the other one.",
    (2, 0, 1): "Readers decided the labels of two papers; the classifier labelled the other one, "
    "provisionally.",
    (1, 2, 0): "Readers decided the labels of one paper; the classifier labelled the other two, "
    "none of them provisionally.",
    (2, 10, 2): "Readers decided the labels of two papers; the classifier labelled the other 12, "
    "two of them provisionally.",
}


@pytest.mark.parametrize(("counts", "wanted"), DECIDED.items())
def test_who_decided(
    counts: tuple[int, int, int],
    wanted: str,
    garden: Taxonomy,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    reviewed, confident, provisional = counts
    statuses = ["reviewed"] * reviewed + ["confident"] * confident + ["provisional"] * provisional
    entries = [make_entry(n, status=status) for n, status in enumerate(statuses, 1)]
    texts = [text for text, _, _ in abstract_sentences(garden, facts_of(entries), entries)]
    assert wanted in texts


# (papers with a figure, with code, others) -> what the abstract says of them
STATED = {
    (0, 0, 2): "Of the two, none states a numeric result in the text that we read, and none links "
    "code or announces a release.",
    (1, 1, 0): "Of the two, one states a numeric result in the text that we read, and one links "
    "code or announces a release.",
    (2, 2, 7): "Of the 11, two state a numeric result in the text that we read, and two link code "
    "or announce a release.",
    (12, 0, 0): "Of the 12, 12 state a numeric result in the text that we read, and none links "
    "code or announces a release.",
}


@pytest.mark.parametrize(("counts", "wanted"), STATED.items())
def test_what_the_texts_state(
    counts: tuple[int, int, int],
    wanted: str,
    garden: Taxonomy,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    figures, code, others = counts
    contents = [FIGURE] * figures + [CODE] * code + [""] * others
    entries = [make_entry(n, text=text) for n, text in enumerate(contents, 1)]
    texts = [text for text, _, _ in abstract_sentences(garden, facts_of(entries), entries)]
    assert wanted in texts


# dates -> the sentence on time, or "" where none is said
DATED = {
    ("",): "",
    ("2024-01", ""): "One of two papers is dated, in 2024.",
    ("2022", "2024-05-01"): "Two of two papers are dated, from 2022 to 2024.",
    ("2023", *["2025-01"] * 10): "11 of 11 papers are dated, from 2023 to 2025.",
}


@pytest.mark.parametrize(("dates", "wanted"), DATED.items())
def test_how_many_are_dated(
    dates: tuple[str, ...],
    wanted: str,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    texts = [text for text, _, _ in method_sentences(facts_of(entries))]
    assert [text for text in texts if "dated" in text] == ([wanted] if wanted else [])


# (digests, titles alone, quarantined) -> the sentences on sources
METHOD = {
    (1, 0, 0): "One file gave one record, which is one distinct paper after merging. | Labels and "
    "statements were drawn for one paper from a digest",
    (0, 2, 1): "One file gave two records, which are two distinct papers after merging. | One "
    "record could not be read and is listed in quarantine.csv. | Labels and statements were drawn "
    "for two papers from their titles alone; no full text was read.",
    (10, 1, 2): "One file gave 11 records, which are 11 distinct papers after merging. | Two "
    "records could not be read and are listed in quarantine.csv. | Labels and statements were "
    "drawn for 10 papers from digests",
}


@pytest.mark.parametrize(("counts", "wanted"), METHOD.items())
def test_how_the_survey_came_about(
    counts: tuple[int, int, int],
    wanted: str,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    digests, titles, quarantined = counts
    contents = [FIGURE] * digests + [""] * titles
    entries = [make_entry(n, text=text) for n, text in enumerate(contents, 1)]
    drafts = method_sentences(facts_of(entries, quarantined))
    assert " | ".join(text for text, _, _ in drafts).startswith(wanted)


# papers filed under soil: (primary, further topics, kind, status, text) -> its computed sentences
SCALE = {
    "nothing": ([], "No paper is filed under Soil."),
    "one": (["soil"], "This section holds one paper."),
    "one, and one of the neighbour": (
        ["soil", "seeds soil"],
        "This section holds one paper; one more belongs here too but is filed elsewhere.",
    ),
    "two, and two of the neighbour": (
        ["soil", "soil", "seeds soil", "seeds soil"],
        "This section holds two papers; two more belong here too but are filed elsewhere.",
    ),
    "one in a part": (
        ["soil soil/compost"],
        "This section holds one paper. Of the one paper with this topic, one could be placed in "
        "a part of it: Compost (1).",
    ),
    "parts, also of papers filed elsewhere": (
        ["soil soil/compost", "soil", "seeds soil soil/compost"],
        "This section holds two papers; one more belongs here too but is filed elsewhere. Of the "
        "three papers with this topic, two could be placed in a part of it: Compost (2).",
    ),
    "three of a kind": (
        ["soil"] * 3,
        "This section holds three papers. Each of them contributes a method. Of the three, none "
        "states a numeric result, and none links code or announces a release.",
    ),
    "too few with the neighbour": (
        ["soil seeds"] * 2 + ["soil"] * 3,
        "This section holds five papers. Each of them contributes a method. Of the five, none "
        "states a numeric result, and none links code or announces a release.",
    ),
    "three with the neighbour": (
        ["soil seeds"] * 3,
        "This section holds three papers. Each of them contributes a method. Its papers most "
        "often also belong to Seeds (3). Of the three, none states a numeric result, and none "
        "links code or announces a release.",
    ),
    "many, with neighbours": (
        ["soil seeds"] * 4 + ["soil"] * 8,
        "This section holds 12 papers. Each of them contributes a method. Its papers most often "
        "also belong to Seeds (4). Of the 12, none states a numeric result, and none links code "
        "or announces a release.",
    ),
}


@pytest.mark.parametrize(("labels", "wanted"), SCALE.values(), ids=SCALE)
def test_what_is_said_of_a_category(
    labels: list[str],
    wanted: str,
    garden: Taxonomy,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    entries = [make_entry(n, *topics.split()) for n, topics in enumerate(labels, 1)]
    soil = garden.first.categories[0]
    drafts = category_sentences(garden, facts_of(entries), soil, entries)
    assert " ".join(text for text, _, _ in drafts) == wanted


def test_a_tie_and_a_majority_of_kinds(
    garden: Taxonomy, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    def kinds(*kinds: str) -> str:
        entries = [make_entry(n, kind=kind) for n, kind in enumerate(kinds, 1)]
        drafts = category_sentences(garden, facts_of(entries), garden.first.categories[0], entries)
        return drafts[1][0]

    assert kinds("method", "method", "study", "study") == (
        "Of the four, two contribute a method and two a study."
    )
    assert kinds("study", "method", "study") == (
        "Of the three, two contribute a study and one a method."
    )
    assert kinds("study", "method", "analysis") == (
        "Of the three, one contributes an analysis, one a method and one a study."
    )
    assert kinds("analysis", "analysis", "analysis") == "Each of them contributes an analysis."


def test_every_sentence_of_a_category_names_its_facts(
    garden: Taxonomy, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    entries = [make_entry(n, "soil", "soil/compost", "seeds") for n in range(1, 4)]
    soil = garden.first.categories[0]
    drafts = category_sentences(garden, facts_of(entries), soil, entries)
    assert [(kind, source) for _, kind, source in drafts] == [
        ("C", "facts: topic.soil.filed, topic.soil.also"),
        ("C", "facts: topic.soil.filed, topic.soil.contribution.method"),
        ("C", "facts: topic.soil.papers, topic.soil.in_parts, topic.soil/compost.papers"),
        ("C", "facts: topic.soil.and.seeds"),
        ("C", "facts: topic.soil.filed, topic.soil.with_figure, topic.soil.with_code"),
    ]


def test_a_paper_in_two_parts_is_placed_once(
    garden: Taxonomy, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    entries = [make_entry(1, "soil", "soil/compost", "soil/peat"), make_entry(2, "seeds")]
    facts = facts_of(entries)
    assert facts.number("topic.soil.in_parts") == 1
    assert facts.number("topic.seeds.in_parts") == 0


# texts -> the sentence on shared benchmarks, or "" where none is said
NAMED = {
    (SPADE, WORMS, SPADE): "",
    (SPADE, WORMS, SPADE, SPADE): (
        r"The benchmark named most is Spade test in three texts "
        r"\[[1](#ref-1), [3](#ref-3), [4](#ref-4)\]."
    ),
    (SPADE, WORMS) * 3 + (SPADE,): (
        r"The benchmarks named most are Spade test in four texts "
        r"\[[1](#ref-1), [3](#ref-3), [5](#ref-5), [7](#ref-7)\] and Worm count in three texts "
        r"\[[2](#ref-2), [4](#ref-4), [6](#ref-6)\]."
    ),
}


@pytest.mark.parametrize(("contents", "wanted"), NAMED.items(), ids=["two", "three", "four"])
def test_a_benchmark_is_named_from_three_texts_on(
    contents: tuple[str, ...],
    wanted: str,
    garden: Taxonomy,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    entries = [make_entry(n, text=text) for n, text in enumerate(contents, 1)]
    soil = garden.first.categories[0]
    joins = [d for d in category_sentences(garden, facts_of(entries), soil, entries) if d[1] == "T"]
    assert [text for text, _, _ in joins] == ([wanted] if wanted else [])


def test_a_join_names_the_papers_that_share_the_fact(
    garden: Taxonomy, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    entries = [make_entry(n, text=SPADE if n != 2 else WORMS) for n in range(1, 5)]
    soil = garden.first.categories[0]
    drafts = category_sentences(garden, facts_of(entries), soil, entries)
    assert [source for _, kind, source in drafts if kind == "T"] == [
        "papers: p-0000000001, p-0000000003, p-0000000004"
    ]


def test_examples_are_central_papers_each_in_its_own_words(
    garden: Taxonomy, make_entry: MakeEntry
) -> None:
    entries = [make_entry(n, text=FIGURE) for n in range(1, 7)] + [make_entry(7)]
    drafts = exemplar_sentences(garden.first.categories[0], entries)
    assert len(drafts) == 3
    assert all(kind == "P" and "introduces a spade." in text for text, kind, _ in drafts)
    assert exemplar_sentences(garden.first.categories[1], entries) == []


def test_the_first_example_is_announced(garden: Taxonomy, make_entry: MakeEntry) -> None:
    digest = make_entry(1, text=FIGURE)
    entry = make_entry(2, text="We introduce a rake.")
    abstract = replace(entry, paper=replace(entry.paper, abstract_kind="abstract"))
    soil = garden.first.categories[0]
    assert exemplar_sentences(soil, [digest, abstract]) == [
        (r"For example, \[[1](#ref-1)\] introduces a spade.", "P", "paper: p-0000000001"),
        (r"\[[2](#ref-2)\] states: “We introduce a rake.”", "Q", "paper: p-0000000002"),
    ]
    assert exemplar_sentences(soil, [abstract]) == [
        (
            r"For example, \[[2](#ref-2)\] states: “We introduce a rake.”",
            "Q",
            "paper: p-0000000002",
        )
    ]


@pytest.mark.parametrize(
    ("text", "is_shown"),
    {
        "Analyzes this rot in four beds.": False,
        "Examines how these worms dig.": False,
        "Studies such beds.": False,
        "Analyzes it in four beds.": False,
        "Analyzes rot, this being slow.": True,
        "Analyzes its causes.": True,
        "This paper introduces a hoe.": True,
    }.items(),
)
def test_an_example_does_not_point_back(
    text: str, is_shown: bool, garden: Taxonomy, make_entry: MakeEntry
) -> None:
    entries = [make_entry(1, text=text), make_entry(2, text=FIGURE)]
    drafts = exemplar_sentences(garden.first.categories[0], entries)
    shown = [source for _, _, source in drafts]
    assert ("paper: p-0000000001" in shown) == is_shown
    assert "paper: p-0000000002" in shown
    assert drafts[0][0].startswith("For example, ")


@pytest.mark.parametrize(
    ("status", "wanted"),
    {
        "reviewed": ", which learn from the decisions of readers; a decision always wins.",
        "confident": "; no reader has decided any of them yet.",
    }.items(),
)
def test_where_labels_come_from(
    status: str, wanted: str, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    facts = facts_of([make_entry(1, status=status), make_entry(2)])
    assert labelling_sentence(facts) == (
        "Labels come from the cues of the taxonomy and, given papers enough to learn from, from "
        f"logistic regressions on those cues and on TF-IDF features{wanted}"
    )

"""Plural forms and patterns: n = 0, 1, 2, many."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.corpus.load import Corpus
from classifier.survey.edition import Entry
from classifier.survey.facts import Facts, compute_facts
from classifier.survey.prose import (
    abstract_sentences,
    category_sentences,
    exemplar_sentences,
    method_sentences,
)
from classifier.taxonomy.model import Taxonomy

MakeEntry = Callable[..., Entry]
CorpusOf = Callable[..., Corpus]

FIGURE = "Introduces a spade. It digs 12% more."
CODE = "Introduces a spade. It is sharp. Code is available."


@pytest.fixture
def facts_of(garden: Taxonomy, corpus_of: CorpusOf) -> Callable[..., Facts]:
    def facts(entries: list[Entry], quarantined: int = 0) -> Facts:
        return compute_facts(garden, corpus_of(entries, quarantined), entries)

    return facts


# (reviewed, confident, provisional) -> whose labels they are
DECIDED = {
    (0, 1, 0): "The classifier labelled all one paper, none of them provisionally.",
    (0, 2, 1): "The classifier labelled all three papers, one of them provisionally.",
    (1, 0, 0): "The labels of all one paper were decided by people.",
    (3, 0, 0): "The labels of all three papers were decided by people.",
    (1, 2, 0): "The label of one paper was decided by people; the classifier labelled the other "
    "two, none of them provisionally.",
    (2, 10, 2): "The labels of two papers were decided by people; the classifier labelled the "
    "other 12, two of them provisionally.",
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
    (0, 0, 2): "None of the two states a result with a figure in the text that we read, and none "
    "links code or announces a release.",
    (1, 1, 0): "One of the two states a result with a figure in the text that we read, and one "
    "links code or announces a release.",
    (2, 2, 7): "Two of the 11 state a result with a figure in the text that we read, and two link "
    "code or announce a release.",
    (12, 0, 0): "12 of the 12 state a result with a figure in the text that we read, and none "
    "links code or announces a release.",
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
    garden: Taxonomy,
    make_entry: MakeEntry,
    facts_of: Callable[..., Facts],
) -> None:
    entries = [make_entry(n, published=date) for n, date in enumerate(dates, 1)]
    texts = [text for text, _, _ in abstract_sentences(garden, facts_of(entries), entries)]
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
    "one": (["soil"], "One paper is filed here."),
    "one, and one of the neighbour": (
        ["soil", "seeds soil"],
        "One paper is filed here, and one more belongs here too but is filed elsewhere.",
    ),
    "two, and two of the neighbour": (
        ["soil", "soil", "seeds soil", "seeds soil"],
        "Two papers are filed here, and two more belong here too but are filed elsewhere.",
    ),
    "a child": (
        ["soil soil/compost", "soil"],
        "Two papers are filed here. By cue, papers with this topic fall into Compost (1).",
    ),
    "three of a kind": (
        ["soil"] * 3,
        "Three papers are filed here. Each of them contributes a method. None of the three states "
        "a result with a figure, and none links code or announces a release.",
    ),
    "many, with neighbours": (
        ["soil seeds"] * 4 + ["soil"] * 8,
        "12 papers are filed here. Each of them contributes a method. Papers filed here most "
        "often also belong to Seeds (4). None of the 12 states a result with a figure, and none "
        "links code or announces a release.",
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
        "Two of the four contribute a method, two a study."
    )
    assert kinds("study", "method", "study") == (
        "The majority, two of three, contribute a study, one a method."
    )


def test_reviewed_and_provisional_papers_are_counted(
    garden: Taxonomy, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    statuses = ["reviewed", "reviewed", "provisional", "confident"]
    entries = [make_entry(n, status=status) for n, status in enumerate(statuses, 1)]
    soil = garden.first.categories[0]
    text, kind, source = category_sentences(garden, facts_of(entries), soil, entries)[0]
    assert text.startswith("Four papers are filed here; ")
    assert "two" in text.partition(";")[2]
    assert "one is provisional" in text
    assert kind == "C"
    assert source.startswith("facts: topic.soil.filed, ")


def test_a_benchmark_is_named_from_two_texts_on(
    garden: Taxonomy, make_entry: MakeEntry, facts_of: Callable[..., Facts]
) -> None:
    contents = ["Uses the Spade test.", "Introduces worm counting.", "Again the spade test."]
    entries = [make_entry(n, text=text) for n, text in enumerate(contents, 1)]
    soil = garden.first.categories[0]
    joins = [d for d in category_sentences(garden, facts_of(entries), soil, entries) if d[1] == "T"]
    assert joins == [
        (
            r"The benchmark named most is Spade test in two texts \[[1](#ref-1), [3](#ref-3)\].",
            "T",
            "papers: p-0000000001, p-0000000003",
        )
    ]


def test_examples_are_central_papers_each_in_its_own_words(
    garden: Taxonomy, make_entry: MakeEntry
) -> None:
    entries = [make_entry(n, text=FIGURE) for n in range(1, 7)] + [make_entry(7)]
    drafts = exemplar_sentences(garden.first.categories[0], entries)
    assert len(drafts) == 3
    assert all(kind == "P" and "introduces a spade." in text for text, kind, _ in drafts)
    assert exemplar_sentences(garden.first.categories[1], entries) == []

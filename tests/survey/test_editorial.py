"""Key papers, remarks and papers left out in the survey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.labelling.labels import Status
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper
from classifier.review.acts import Act
from classifier.survey.document import Draft
from classifier.survey.editorial import key_sentence, left_out_sections, remark_sentence
from classifier.survey.entry import LeftOutPaper, SurveyPaper
from classifier.survey.sample_facts import compute_facts
from classifier.survey.sections.method import method_sentences
from classifier.taxonomy.model import Taxonomy

MakeEntry = Callable[..., SurveyPaper]
CorpusOf = Callable[..., Corpus]


def act(text: str = "yes", ledger_id: str = "p-1", by: str = "ada", on: str = "2025-06-03") -> Act:
    return Act(text, by, on, ledger_id)


def left_out(title: str, status: Status = "confident", url: str = "", **who: str) -> LeftOutPaper:
    return LeftOutPaper(Paper(title, id=title, url=url), status, act("a *talk*", title, **who))


KEYS = {
    0: None,
    1: "Its key paper, by the editors' choice, is *Paper 1* \\[[1](#ref-1)\\].",
    2: "Its key papers, by the editors' choice, are *Paper 1* \\[[1](#ref-1)\\] and *Paper 2* "
    "\\[[2](#ref-2)\\].",
    8: "Its key papers, by the editors' choice, are "
    + ", ".join(f"*Paper {n}* \\[[{n}](#ref-{n})\\]" for n in range(1, 7))
    + " and two more.",
}


@pytest.mark.parametrize(("number", "expected"), KEYS.items())
def test_the_sentence_lists_key_papers(
    number: int, expected: str | None, make_entry: MakeEntry
) -> None:
    keys = [replace(make_entry(n), key=act(ledger_id=f"p-{n}")) for n in range(1, number + 1)]
    sentence = key_sentence([*keys, make_entry(9)])
    if expected is None:
        assert sentence is None
        return
    ids = ", ".join(f"p-{n}" for n in range(1, number + 1))
    assert sentence == Draft("key-papers", expected, "T", f"reviews.csv: {ids}")


REMARKS = {
    "one line": ("Read it.", "\\[[4](#ref-4)\\] Read it. (remark by ada)"),
    "a list": ("- one\n- two", "\\[[4](#ref-4)\\]\n\n- one\n- two\n\n(remark by ada)"),
    "a text, then a list": (
        "Two:\n\n- one\n- two\n",
        "\\[[4](#ref-4)\\] Two:\n\n- one\n- two\n\n(remark by ada)",
    ),
}


@pytest.mark.parametrize(("remark", "expected"), REMARKS.values(), ids=REMARKS)
def test_a_remark_is_signed_and_can_cite_its_paper(
    remark: str, expected: str, make_entry: MakeEntry
) -> None:
    entry = replace(make_entry(4), remark=act(remark, "p-old"))
    cited, alone = remark_sentence(entry, cite=True), remark_sentence(entry)
    assert cited is not None
    assert alone is not None
    assert (cited.text, cited.kind, cited.source) == (expected, "H", "reviews.csv: p-old")
    assert alone.text == expected.removeprefix("\\[[4](#ref-4)\\]").lstrip()
    assert remark_sentence(make_entry(4)) is None


def test_a_remark_without_reviewer_is_signed_by_the_editors(make_entry: MakeEntry) -> None:
    remark = remark_sentence(replace(make_entry(4), remark=act("Good.", by="")))
    assert remark is not None
    assert remark.text == snapshot("Good. (remark by the editors)")


LEFT_OUT = {
    "none": ([], None),
    "one": (
        [left_out("Spades")],
        "One of two papers is left out by the editors and in no other list or count.",
    ),
    "one reviewed": (
        [left_out("Spades", "reviewed")],
        "One of two papers is left out by the editors and in no other list or count; the "
        "classifier still learns from the decisions on it and is tested on them.",
    ),
    "two, one reviewed": (
        [left_out("Spades", "reviewed"), left_out("Hoes")],
        "Two of three papers are left out by the editors and in no other list or count; the "
        "classifier still learns from the decisions on one of them and is tested on them.",
    ),
}


@pytest.mark.parametrize(("items", "expected"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_papers_left_out_are_counted(
    items: list[LeftOutPaper],
    expected: str | None,
    garden: Taxonomy,
    make_entry: MakeEntry,
    corpus_of: CorpusOf,
) -> None:
    entries = [make_entry(1)]
    facts = compute_facts(garden, corpus_of(entries), entries, items)
    sections = left_out_sections(facts, items)
    flow = method_sentences(facts)[0]
    assert flow is not None
    assert ("the editors [left out](#left-out)" in flow.text) == bool(items)
    assert bool(sections) == bool(items)
    if sections:
        first, *reasons = (block.sentences[0] for block in sections[0].blocks)  # type: ignore[union-attr]
        assert first.text == expected
        assert [sentence.source for sentence in reasons] == [
            f"reviews.csv: {item.paper.id}" for item in items
        ]


REASONS = {
    "Spades: a \\*talk\\* (left out by ada on 3 June 2025)": left_out("Spades"),
    "[Spades](https://a.example): a \\*talk\\* (left out by ada on 3 June 2025)": left_out(
        "Spades", url="https://a.example"
    ),
    "Spades: a \\*talk\\* (left out by the editors)": left_out("Spades", by="", on=""),
    "Spades: a \\*talk\\* (left out by the adjudicator)": left_out(
        "Spades", by="adjudicated", on=""
    ),
}


@pytest.mark.parametrize(("expected", "item"), REASONS.items())
def test_a_paper_left_out_is_listed_with_reason_reviewer_and_date(
    expected: str, item: LeftOutPaper, garden: Taxonomy, make_entry: MakeEntry, corpus_of: CorpusOf
) -> None:
    entries = [make_entry(1)]
    facts = compute_facts(garden, corpus_of(entries), entries, [item])
    (section,) = left_out_sections(facts, [item])
    (sentence,) = section.blocks[1].sentences  # type: ignore[union-attr]
    assert (sentence.text, sentence.kind) == (expected, "H")

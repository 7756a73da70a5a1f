"""How the survey came about: what was read, merged and labelled, and how good the labels are."""

from __future__ import annotations

from classifier.corpus.load import Corpus
from classifier.survey.document import Block, Section, Table
from classifier.survey.draft import Draft, computed, paragraphs
from classifier.survey.editorial import LEFT_OUT
from classifier.survey.facts.facts import Facts
from classifier.survey.figures import flow_figure
from classifier.survey.material import Material
from classifier.survey.wording import counted, joined, number, opening, verb

_WRITTEN = "written by the editors in their own words"


def method_sections(material: Material) -> list[Section]:
    """Return the method."""
    facts = material.facts
    how = Draft(
        "labelling",
        f"{labelling_sentence(facts)} {examples_sentence(facts)}",
        "H",
        "fieldguide: method",
    )
    measured = [
        Draft(f"quality-{position}", text, "C", f"metrics: {metric}")
        for position, (text, metric) in enumerate(material.quality, 1)
    ]
    prose = paragraphs("method", method_drafts(facts), [how, *measured])
    figure = flow_figure(material)
    blocks: tuple[Block, ...] = (
        *prose,
        *([figure] if figure else []),
        sources_table(material.corpus),
    )
    return [Section("method", "Method", 1, blocks)]


def method_drafts(facts: Facts) -> list[Draft | None]:
    """Return how the survey came about: sources, merging, texts, dates."""
    return [_flow(facts), _quarantined(facts), _texts(facts), _dates(facts)]


def _flow(facts: Facts) -> Draft:
    """How many records became how many papers, and how many of those the editors left out."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    text = (
        f"{opening(counted(facts.number('files.read'), 'file'))} "
        f"gave {counted(read, 'record')}, which {verb(read, 'is', 'are')} "
        f"{counted(distinct, 'distinct paper')} after merging"
    )
    sources = ["files.read", "records.read", "papers.distinct"]
    if left_out := facts.number("papers.left_out"):
        text += f"; the editors [left out](#{LEFT_OUT}) {number(left_out)} of them"
        sources.append("papers.left_out")
    return computed("flow", f"{text}.", *sources)


def _quarantined(facts: Facts) -> Draft | None:
    quarantined = facts.number("records.quarantined")
    if not quarantined:
        return None
    are = verb(quarantined, "is", "are")
    text = f"{opening(counted(quarantined, 'record'))} could not be read and {are} listed in"
    return computed("quarantined", f"{text} quarantine.csv.", "records.quarantined")


def _texts(facts: Facts) -> Draft:
    kinds = [
        (facts.number("papers.with_abstract"), "its abstract", "their abstracts"),
        (facts.number("papers.with_digest"), f"a digest {_WRITTEN}", f"digests {_WRITTEN}"),
        (facts.number("papers.title_only"), "its title alone", "their titles alone"),
    ]
    parts = [f"{counted(n, 'paper')} from {verb(n, one, many)}" for n, one, many in kinds if n]
    text = f"Labels and statements were drawn for {joined(parts)}; no full text was read."
    sources = ("papers.with_abstract", "papers.with_digest", "papers.title_only")
    return computed("texts", text, *sources)


def _dates(facts: Facts) -> Draft | None:
    total, dated = facts.number("papers.total"), facts.number("papers.dated")
    if not dated:
        return None
    oldest, newest = facts.text("papers.oldest")[:4], facts.text("papers.newest")[:4]
    span = f"in {newest}" if oldest == newest else f"from {oldest} to {newest}"
    are = verb(dated, "is", "are")
    text = f"{opening(number(dated))} of {counted(total, 'paper')} {are} dated, {span}."
    sources = ("papers.dated", "papers.total", "papers.oldest", "papers.newest")
    return computed("dates", text, *sources)


def labelling_sentence(facts: Facts) -> str:
    """Return, in Fieldguide's own words, where labels come from."""
    how = (
        "Labels come from the cues of the taxonomy and, given papers enough to learn from, from "
        "logistic regressions on those cues and on TF-IDF features"
    )
    if facts.number("papers.reviewed"):
        return f"{how}, which learn from the decisions of readers; a decision always wins."
    return f"{how}; no reader has decided any of them yet."


def examples_sentence(facts: Facts) -> str:
    """Return, in Fieldguide's own words, which papers a section takes its examples from."""
    first = ""
    if facts.number("papers.key"):
        first = ", after those that the editors mark as key papers"
    return (
        "The examples in a section are the papers whose statements lie closest to its common "
        f"vocabulary and differ most from one another{first}."
    )


def sources_table(corpus: Corpus) -> Table:
    """Return which files were read and what each gave."""
    rows = tuple(
        (f"`{file.name}`", file.format, f"{file.records:,}", f"`{file.digest[:12]}`")
        for file in corpus.files
    )
    return Table(
        "sources",
        "Which files were read, and what did each give?",
        ("File", "Format", "Records", "Content hash"),
        rows,
        numeric=(2,),
    )

"""Sentences before they have a place: text, kind, source and a name within their section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from classifier.survey.document import Kind, Paragraph, Sentence
from classifier.survey.entry import Entry
from classifier.survey.facts.facts import Selection, fact_ids
from classifier.survey.quotation import span_told


@dataclass(frozen=True, slots=True)
class Draft:
    """One sentence to be."""

    name: str
    """What it says, in a word or two, once a section: `scale`. With the section's id it makes the
    sentence's anchor, which stays when other sentences come and go."""
    text: str
    kind: Kind
    source: str
    span: tuple[int, int] | None = None
    """Of Q and P: where it stands in the paper's text."""


def computed(name: str, text: str, *sources: Selection | str) -> Draft:
    """Return a computed sentence (C); `sources` are all facts whose value it states."""
    return Draft(name, text, "C", fact_ids(sources))


def shared(name: str, text: str, *sources: Selection | str) -> Draft:
    """Return a join over papers that share a fact (T); `sources` are the facts that give them."""
    return Draft(name, text, "T", fact_ids(sources))


def told(name: str, text: str, entry: Entry, words: str = "") -> Draft:
    """Return what a text says: a paraphrase (P) of a digest, else a verbatim quote (Q).

    `text` may put words of our own around the words of the paper; those are `words`, or else found
    again in it.
    """
    kind: Kind = "P" if entry.paper.abstract_kind == "digest" else "Q"
    source = entry.paper.abstract_display
    start = source.find(words) if words else -1
    span = (start, start + len(words)) if start >= 0 else None
    span = span or span_told(text, source, entry.sentences)
    return Draft(name, text, kind, f"paper: {entry.paper.id}", span)


def paragraph(section_id: str, drafts: Iterable[Draft | None]) -> Paragraph:
    """Return the drafts that have something to say as one paragraph."""
    return Paragraph(
        tuple(
            Sentence(f"{section_id}-{draft.name}", draft.text, draft.kind, draft.source, draft.span)
            for draft in drafts
            if draft is not None
        )
    )


def paragraphs(section_id: str, *runs: Sequence[Draft | None]) -> list[Paragraph]:
    """Return a paragraph a run; runs without a sentence leave none."""
    return [block for run in runs if (block := paragraph(section_id, run)).sentences]

"""Sentences and sections about editorial decisions: key papers, remarks, papers left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from classifier.labelling.labels import IMPORTED
from classifier.review.ledger import ADJUDICATED
from classifier.survey.document import (
    Draft,
    Paragraph,
    Section,
    Sentence,
    computed_sentence,
    make_paragraphs,
)
from classifier.survey.entry import LeftOutPaper, SurveyPaper, slug_of
from classifier.survey.facts import Facts
from classifier.survey.wording import (
    capitalise,
    citation_links,
    count_in_words,
    count_with_noun,
    date_in_words,
    escape_cell,
    join_words,
    verb_for_count,
)
from classifier.text.links import without_dead_links

LEFT_OUT = "left-out"
"""Anchor of the section that lists the papers left out."""

_MAX_KEYS = 6
_MAX_REASONS = 6
_SINGLE_QUOTES = str.maketrans("“”", "''")
_PARAGRAPH_BREAK = "\n\n"


def key_sentence(filed_papers: Sequence[SurveyPaper]) -> Draft | None:
    """Return the sentence that lists the key papers of a category, or None."""
    keys = [(entry, entry.key) for entry in filed_papers if entry.key]
    if not keys:
        return None
    names = [
        f"*{escape_cell(entry.paper.title_marked)}* {citation_links([entry])}"
        for entry, _ in keys[:_MAX_KEYS]
    ]
    more = [f"{count_in_words(len(keys) - _MAX_KEYS)} more"] if len(keys) > _MAX_KEYS else []
    papers, are = (
        verb_for_count(len(keys), "paper", "papers"),
        verb_for_count(len(keys), "is", "are"),
    )
    text = f"Its key {papers}, by the editors' choice, {are} {join_words([*names, *more])}."
    source = "reviews.csv: " + ", ".join(act.ledger_id for _, act in keys)
    return Draft("key-papers", text, "T", source)


def remark_sentence(entry: SurveyPaper, *, cite: bool = False) -> Sentence | None:
    """Return the signed remark on a paper, or None.

    cite: whether the remark starts with a citation. A remark of several lines may begin with a list
    and end with a table, so its number and its signature are separate paragraphs.
    """
    act = entry.remark
    if act is None:
        return None
    remark = without_dead_links(act.text.strip())
    is_one_line = "\n" not in remark
    lead = " " if is_one_line or remark[0].isalpha() else _PARAGRAPH_BREAK
    text = f"{citation_links([entry])}{lead}{remark}" if cite else remark
    text += f"{' ' if is_one_line else _PARAGRAPH_BREAK}(remark by {_reviewer_name(act.by)})"
    return Sentence(f"remark-{entry.slug}", text, "H", act.source)


def remark_paragraphs(papers: Sequence[SurveyPaper]) -> list[Paragraph]:
    """Return the remarks on papers, in the order of the papers."""
    remarks = (remark_sentence(entry, cite=True) for entry in papers)
    return [Paragraph((remark,)) for remark in remarks if remark]


def left_out_sections(facts: Facts, left_out_papers: Sequence[LeftOutPaper]) -> list[Section]:
    """Return the section about papers that were left out; [] if there are none."""
    if not left_out_papers:
        return []
    listed = [
        Draft(slug_of(item.paper.id), _left_out_line(item), "H", item.act.source)
        for item in left_out_papers
        if item.act.by != IMPORTED
    ]
    reasons = screening_reasons(left_out_papers)
    counts = [_screening_sentence(facts, reasons)] if reasons else []
    counts += [_left_out_counts(facts)] if listed else []
    blocks = make_paragraphs(LEFT_OUT, counts, *([draft] for draft in listed))
    return [Section(LEFT_OUT, "Appendix: papers left out", 1, tuple(blocks))]


def screening_reasons(left_out_papers: Sequence[LeftOutPaper]) -> list[tuple[str, int]]:
    """Return the reasons of an imported screening and their counts, most frequent first."""
    reasons = Counter(item.act.text for item in left_out_papers if item.act.by == IMPORTED)
    return sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:_MAX_REASONS]


def _screening_sentence(facts: Facts, reasons: Sequence[tuple[str, int]]) -> Draft:
    """Return the number of papers that an imported screening excluded, by reason."""
    screened = facts.number("papers.screened_out")
    # In quotation marks, because a typed reason may contain numbers that are not counts.
    listed = ", ".join(
        f"“{escape_cell(reason.translate(_SINGLE_QUOTES))}” ({n})" for reason, n in reasons
    )
    text = (
        f"{capitalise(count_in_words(screened))} of "
        f"{count_with_noun(facts.number('papers.distinct'), 'paper')} "
        f"{verb_for_count(screened, 'was', 'were')} "
        f"excluded at screening, before this survey: {listed}."
    )
    sources = [f"papers.screened_out.{rank}" for rank in range(1, len(reasons) + 1)]
    return computed_sentence("screened", text, "papers.screened_out", "papers.distinct", *sources)


def _left_out_counts(facts: Facts) -> Draft:
    """Return the number of papers left out, and whether the classifier uses them."""
    left_out, reviewed = facts.number("papers.left_out"), facts.number("papers.left_out_reviewed")
    sources = ["papers.left_out", "papers.distinct"]
    if "papers.screened_out" in facts.by_id:
        left_out -= facts.number("papers.screened_out")
        sources.append("papers.screened_out")
    are = verb_for_count(left_out, "is", "are")
    text = (
        f"{capitalise(count_in_words(left_out))} of "
        f"{count_with_noun(facts.number('papers.distinct'), 'paper')} "
        f"{are} left out by the editors and in no other list or count"
    )
    if reviewed:
        papers = "it" if left_out == 1 else f"{count_in_words(reviewed)} of them"
        text += "; the classifier still learns from the decisions "
        text += f"on {papers} and is tested on them"
        sources.append("papers.left_out_reviewed")
    return computed_sentence("count", f"{text}.", *sources)


def _left_out_line(item: LeftOutPaper) -> str:
    """Return a paper that was left out, with the reason, the reviewer and the date."""
    paper, act = item.paper, item.act
    title = escape_cell(paper.title_marked)
    linked_title = f"[{title}]({paper.link})" if paper.link else title
    on = f" on {date_in_words(act.on)}" if act.on else ""
    return f"{linked_title}: {escape_cell(act.text)} (left out by {_reviewer_name(act.by)}{on})"


def _reviewer_name(reviewer: str) -> str:
    """Return the name of a reviewer for prose."""
    if reviewer == ADJUDICATED:
        return "the adjudicator"
    if reviewer == IMPORTED:
        return "the notes of the screening"
    return escape_cell(reviewer) or "the editors"


def editors_paragraphs(text: str, key: str) -> list[list[Draft | None]]:
    """Return the editors' text under `survey: KEY`, as one list of draft sentences per paragraph.

    The drafts are numbered from 1.
    """
    blocks = [block.strip() for block in without_dead_links(text).split("\n\n")]
    return [
        [Draft(str(position), block, "H", f"taxonomy: survey/{key}")]
        for position, block in enumerate(filter(None, blocks), 1)
    ]

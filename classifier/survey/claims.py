"""The evidence on the editors' claims: which papers, on which side, and in which sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from classifier.errors import Fault, sort_faults
from classifier.papers.paper import Paper
from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import count_in_words, join_words, verb_for_count
from classifier.taxonomy.claims import RELEVANT, SIDES, Claim, Claims, Judgement, Placement, Thesis
from classifier.text.sentences import split_sentences

PaperOf = Callable[[str], SurveyPaper | None]
"""Function that returns the paper with an id, or None."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one paper on a claim, and the sentence that states it."""

    placement: Placement
    entry: SurveyPaper
    sentence: str


def evidence_on(claim: Claim, paper: PaperOf) -> list[Evidence]:
    """Return the evidence on a claim, by side, then by date with the oldest first.

    A placement is omitted if its paper is unknown or retracted, or if its words are not in exactly
    one sentence of the abstract.
    """
    order = list(SIDES)
    found = []
    for placement in claim.placements:
        entry = paper(placement.paper_id)
        if placement.side not in SIDES or entry is None or entry.paper.retracted:
            continue
        sentences = sentences_with(placement.words, entry.paper.abstract_display)
        if len(sentences) == 1:
            found.append(Evidence(placement, entry, sentences[0]))
    return sorted(
        found,
        key=lambda each: (
            order.index(each.placement.side),
            each.entry.paper.published.date or "9",
            each.entry.number,
        ),
    )


def retracted_on(claim: Claim, paper: PaperOf) -> list[SurveyPaper]:
    """Return the retracted papers with evidence on a claim; this evidence is not counted."""
    found = [paper(each.paper_id) for each in claim.placements if each.side in SIDES]
    return [entry for entry in found if entry and entry.paper.retracted]


def tally(claim: Claim, paper: PaperOf) -> str:
    """Return the number of papers on each side of a claim as a phrase; "" without papers.

    Retracted papers are not counted. Example: `of six papers on it, four support it and two
    contradict it`.
    """
    sides = Counter(
        each.side
        for each in claim.placements
        if each.side in SIDES and (entry := paper(each.paper_id)) and not entry.paper.retracted
    )
    words = {
        "for": f"{verb_for_count(sides['for'], 'supports', 'support')} it",
        "mixed": f"{verb_for_count(sides['mixed'], 'gives', 'give')} mixed evidence",
        "against": f"{verb_for_count(sides['against'], 'contradicts', 'contradict')} it",
    }
    total = sides.total()
    if not total:
        return ""
    if total == 1:
        return f"the one paper on it {words[next(iter(sides))]}"
    if len(sides) == 1:
        papers = "both papers" if total == 2 else f"all {count_in_words(total)} papers"
        return f"{papers} on it {words[next(iter(sides))]}"
    parts = [
        f"{count_in_words(sides[side])} {verdict}" for side, verdict in words.items() if sides[side]
    ]
    return f"of {count_in_words(total)} papers on it, {join_words(parts)}"


def tally_or_reason(claim: Claim, paper: PaperOf) -> str:
    """Return the tally of a claim, or the reason why it has none, in lower case."""
    if claim.open:
        return "no test reported"
    if not claim.placements:
        return "no paper placed yet"
    return tally(claim, paper)


@lru_cache(maxsize=4096)
def sentences_with(words: str, text: str) -> list[str]:
    """Return the sentences in a text (display form) that contain `words`, ignoring case."""
    expected = " ".join(words.casefold().split())
    sentences = (span.text for span in split_sentences(text))
    return [each for each in sentences if expected in " ".join(each.casefold().split())]


def claim_faults(
    claims: Claims, papers: Sequence[Paper], aliases: Mapping[str, str]
) -> list[Fault]:
    """Return the warnings about claims.

    There is a warning for each claim without papers, and for each cited sentence that is missing.
    """
    known = {paper.id: paper for paper in papers}

    def paper_of(identifier: str) -> Paper | None:
        """Return the paper with this id or alias, or None."""
        return known.get(aliases.get(identifier, identifier))

    faults = []
    for claim in claims.claims:
        if not claim.placements and not claim.open:
            faults.append(_no_papers_fault(claim, claims.file))
        for placement in claim.placements:
            paper = paper_of(placement.paper_id)
            if paper is None:
                faults.append(
                    _unknown_paper_fault(placement.paper_id, placement.file, placement.line)
                )
            elif placement.words or placement.side != RELEVANT:
                faults += _missing_sentence_faults(placement, paper)
    entries: list[Thesis | Judgement] = [*claims.theses, *claims.judgements]
    for entry in entries:
        missing = (paper_id for paper_id in entry.cited_ids if paper_of(paper_id) is None)
        faults += [_unknown_paper_fault(paper_id, claims.file, entry.line) for paper_id in missing]
    return sort_faults(faults)


def _missing_sentence_faults(placement: Placement, paper: Paper) -> Iterator[Fault]:
    """Yield a warning if the words of a placement are not in exactly one sentence."""
    found = len(sentences_with(placement.words, paper.abstract_display))
    if found != 1:
        times = f"{found} sentences" if found else "no sentence"
        yield Fault(
            "warning",
            placement.file,
            placement.line,
            f"{times} of {placement.paper_id} with the words '{placement.words}'",
            "exactly one sentence, which the survey then prints",
            "Copy three to six words of the sentence from its abstract.",
        )


def _no_papers_fault(claim: Claim, file: str) -> Fault:
    """Return the warning about a claim without papers."""
    hint = (
        "`fieldguide check --claims` proposes papers. If no paper tests the claim, write "
        "'open: true' below it."
    )
    found = "a claim without papers"
    return Fault(
        "warning", file, claim.line, found, "papers under 'for', 'mixed' or 'against'", hint
    )


def _unknown_paper_fault(paper_id: str, file: str, line: int) -> Fault:
    """Return the warning about an id that no paper has."""
    found = f"{paper_id}, which is not a paper of the survey"
    hint = "Write the id that labels.csv has, or remove the paper."
    return Fault("warning", file, line, found, "a paper of the survey", hint)

"""The editors' theses and claims; each claim has a table of its evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from classifier.survey.claims import Evidence, evidence_on, retracted_on, tally
from classifier.survey.document import (
    Block,
    Cell,
    Draft,
    Run,
    Table,
    make_paragraphs,
    make_sentence,
    quote_paper,
)
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name, page_link
from classifier.survey.survey import Survey
from classifier.survey.wording import (
    capitalise,
    citation_links,
    date_in_words,
    escape_cell,
    join_words,
    quotation,
)
from classifier.taxonomy.claims import CITED, SIDES, Claim, Judgement, Thesis
from classifier.taxonomy.model import Category
from classifier.taxonomy.model import Claim as PlainClaim
from classifier.text.links import without_dead_links
from classifier.text.result import Result
from classifier.text.result_words import stated_text

_MAX_EFFECTS = 4
"""Maximum number of results in a cell; more of them are left out."""
_COLUMNS = ("Side", "Paper", "Compared", "On", "Effect", "Whose", "Sentence")
_OPTIONAL = range(2, 6)
"""Positions of the columns that are left out if all their cells are empty."""


def thesis_runs(survey: Survey, topic: str) -> list[Run]:
    """Return the editors' argument about a category, one run per paragraph."""
    runs: list[Run] = []
    theses, _ = survey.claims.of_topic(topic)
    for number, thesis in enumerate(theses, 1):
        parts = [part.strip() for part in thesis.text.split("\n\n") if part.strip()]
        parts[-1] = signed(survey, parts[-1], thesis.by)
        for index, part in enumerate(parts, 1):
            text = _link_citations(part, survey)
            runs += [[Draft(f"thesis-{number}-{index}", text, "H", f"taxonomy: claims/{topic}")]]
    return runs


def reading_run(survey: Survey, topic: str) -> Run:
    """Return the papers that the editors recommend reading first, with their reasons."""
    theses, _ = survey.claims.of_topic(topic)
    reasons = [(survey.paper(paper_id), why) for thesis in theses for paper_id, why in thesis.begin]
    found = [(entry, why) for entry, why in reasons if entry]
    return [
        Draft(
            f"path-editors-{number}",
            f"{'Read first: ' if number == 1 else ''}{cited_name(entry)}, {why}.",
            "H",
            f"taxonomy: claims/{topic}",
        )
        for number, (entry, why) in enumerate(found, 1)
    ]


def claim_blocks(survey: Survey, topic: str) -> list[Block]:
    """Return the claims of a category, each followed by its table of evidence."""
    _, claims = survey.claims.of_topic(topic)
    return [block for claim in claims for block in _claim_blocks(survey, claim)]


def plain_claims(survey: Survey, category: Category, source: str) -> list[Run]:
    """Return the claims in taxonomy.yaml, which have no evidence."""
    runs: list[Run] = []
    for position, claim in enumerate(category.claims, 1):
        text = without_dead_links(claim.text.strip())
        text = signed(survey, text, _plain_signature(claim))
        runs += [[Draft(f"claim-{position}", text, "H", f"{source}/claims")]]
    return runs


def _plain_signature(claim: PlainClaim) -> str:
    """Return the signature of a claim in taxonomy.yaml."""
    return ", ".join(filter(None, [claim.by, claim.on]))


def main_signature(survey: Survey) -> str:
    """Return the most frequent signature of the editors' texts; "" without signed texts.

    The method section prints it once, instead of each text with this signature.
    """
    claims = survey.claims
    texts: list[Thesis | Claim | Judgement]
    texts = [*claims.theses, *claims.claims, *claims.judgements]
    plain = (claim for category in survey.first.walk() for claim in category.claims)
    signatures = Counter([*(text.by for text in texts), *map(_plain_signature, plain)])
    return signatures.most_common(1)[0][0] if signatures else ""


def signed(survey: Survey, text: str, signature: str) -> str:
    """Return a text with its signature, unless this is the main signature of the survey."""
    return text if signature == main_signature(survey) else f"{text} — {signature}"


def text_kind(survey: Survey) -> str:
    """Return `summaries` if the survey has no abstracts, else `abstracts`."""
    kinds = {entry.paper.abstract_kind for entry in survey.entries}
    return "summaries" if kinds <= {"digest"} else "abstracts"


def _claim_blocks(survey: Survey, claim: Claim) -> Iterator[Block]:
    """Yield a claim, its table of evidence, and notes on other papers."""
    source = f"taxonomy: claims/{claim.topic}"
    evidence = evidence_on(claim, survey.paper)
    heading = without_dead_links(claim.heading)
    if claim.open and not claim.finding:
        heading += f" (Open: none of the {text_kind(survey)} reports a test of it.)"
    elif not claim.open and not claim.placements:
        heading += " (No paper is placed here yet.)"
    heading_run: Run = [Draft(claim.name, signed(survey, heading, claim.by), "H", source)]
    yield from make_paragraphs(claim.topic, heading_run)
    if evidence:
        yield _evidence_table(survey, claim, evidence)
    notes: Run = []
    if not evidence and (retracted := _retracted_sentence(survey, claim)):
        notes.append(Draft(f"{claim.name}-retracted", retracted, "H", source))
    if removed := _changed_evidence(survey, claim, evidence):
        text = f"Removed until the editors check the changed evidence: {join_words(removed)}."
        notes.append(Draft(f"{claim.name}-changed", text, "H", source))
    yield from make_paragraphs(claim.topic, notes)


def _retracted_sentence(survey: Survey, claim: Claim) -> str:
    """Return a sentence about the retracted papers with evidence on a claim, or ""."""
    names = [cited_name(entry) for entry in retracted_on(claim, survey.paper)]
    return f"Retracted and not counted: {join_words(names)}." if names else ""


def _changed_evidence(survey: Survey, claim: Claim, evidence: Sequence[Evidence]) -> list[str]:
    """Return the papers whose quoted words are no longer in exactly one sentence."""
    found = [each.placement for each in evidence]
    retracted = retracted_on(claim, survey.paper)
    entries = {
        each.paper_id: survey.paper(each.paper_id)
        for each in claim.placements
        if each.side in SIDES and each not in found
    }
    entries = {key: entry for key, entry in entries.items() if entry not in retracted}
    return [cited_name(entry) if entry else f"`{paper_id}`" for paper_id, entry in entries.items()]


def _evidence_table(survey: Survey, claim: Claim, evidence: Sequence[Evidence]) -> Table:
    """Return the table of evidence on a claim, with one row per paper and no empty columns.

    Its caption is the proposition, or the numbers of papers if the proposition is the heading.
    """
    rows = [_evidence_row(claim, each) for each in evidence]
    kept = [at for at in range(len(_COLUMNS)) if at not in _OPTIONAL or any(r[at] for r in rows)]
    caption = f"{capitalise(tally(claim, survey.paper))}."
    if claim.finding:
        caption = f"Proposition: {without_dead_links(claim.text)}"
    caption = f"{caption} {_retracted_sentence(survey, claim)}".strip()
    return Table(
        f"{claim.topic}-{claim.name}",
        caption,
        tuple(_COLUMNS[at] for at in kept),
        tuple(tuple(row[at] for at in kept) for row in rows),
    )


def _evidence_row(claim: Claim, evidence: Evidence) -> tuple[Cell, ...]:
    """Return the cells of one paper.

    Texts of the editors take precedence over results found in the sentence.
    """
    placement, entry = evidence.placement, evidence.entry
    results = _results_in(evidence)
    name = page_link(entry)
    date = date_in_words(entry.paper.published.date[: len("2025-10")])
    sentence = quotation(entry, escape_cell(evidence.sentence))
    draft_name = f"{claim.name}-{placement.side}-{entry.slug}"
    return (
        SIDES[placement.side],
        f"{name}, {date}" if date else name,
        escape_cell(placement.compared),
        escape_cell(placement.on or _benchmark_names(results)),
        escape_cell(placement.effect or _effect_numbers(results)),
        escape_cell(placement.whose or _system_owner(results)),
        make_sentence(claim.topic, quote_paper(draft_name, sentence, entry, evidence.sentence)),
    )


def _results_in(evidence: Evidence) -> list[Result]:
    """Return the results in the sentence of the evidence."""
    start = evidence.entry.paper.abstract_display.find(evidence.sentence)
    end = start + len(evidence.sentence)
    return [each for each in evidence.entry.results if start <= each.span.start < end]


def _benchmark_names(results: Sequence[Result]) -> str:
    """Return the distinct benchmarks of results."""
    return join_words(list(dict.fromkeys(each.benchmark for each in results if each.benchmark)))


def _effect_numbers(results: Sequence[Result]) -> str:
    """Return the numbers of results; "" for more than `_MAX_EFFECTS` numbers.

    The benchmarks have a separate column. A selection of many numbers would be misleading.
    """
    numbers = dict.fromkeys(stated_text(replace(each, benchmark="")) for each in results)
    return "; ".join(numbers) if len(numbers) <= _MAX_EFFECTS else ""


def _system_owner(results: Sequence[Result]) -> str:
    """Return `own` if a result is about the authors' own system, else `others` or ""."""
    if not results:
        return ""
    return "own" if any(each.whose == "own" for each in results) else "others"


def _link_citations(markdown: str, survey: Survey) -> str:
    """Replace the ids in the editors' Markdown, `[arxiv:…; p-…]`, by linked reference numbers."""
    pieces = CITED.split(without_dead_links(markdown))
    for place in range(1, len(pieces), 2):
        ids = [part.strip() for part in pieces[place].split(";")]
        entries: list[SurveyPaper] = [entry for each in ids if (entry := survey.paper(each))]
        pieces[place] = citation_links(entries) if entries else "(evidence changed)"
    return "".join(pieces)

"""What the editors argue, with the sentences of the papers that they point at."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.claims import pointed_at
from classifier.survey.document import Draft, Run
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import called
from classifier.survey.sections.category.telling import told_behind
from classifier.survey.survey import Survey
from classifier.survey.wording import citations, joined
from classifier.taxonomy.claims import CITED, SIDES, Claim
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links


def thesis_runs(survey: Survey, topic: str) -> list[Run]:
    """Return what the editors argue of a category, a paragraph each; the last one is signed."""
    runs: list[Run] = []
    theses, _ = survey.claims.under(topic)
    for number, thesis in enumerate(theses, 1):
        parts = [part.strip() for part in thesis.text.split("\n\n") if part.strip()]
        parts[-1] += f" — {thesis.by}"
        for index, part in enumerate(parts, 1):
            text = _with_citations(part, survey)
            runs += [[Draft(f"thesis-{number}-{index}", text, "H", f"taxonomy: claims/{topic}")]]
    return runs


def claim_runs(survey: Survey, topic: str) -> list[Run]:
    """Return the claims of a category, each with the sentences for and against it."""
    _, claims = survey.claims.under(topic)
    return [run for claim in claims for run in _claim_runs(survey, claim)]


def plain_claims(category: Category, source: str) -> list[Run]:
    """Return the claims that stand in taxonomy.yaml itself: signed, without papers."""
    runs: list[Run] = []
    for position, claim in enumerate(category.claims, 1):
        signed = ", ".join(filter(None, [claim.by, claim.on]))
        text = f"{without_dead_links(claim.text.strip())} — {signed}"
        runs += [[Draft(f"claim-{position}", text, "H", f"{source}/claims")]]
    return runs


def _claim_runs(survey: Survey, claim: Claim) -> Iterator[Run]:
    name, source = claim.name, f"taxonomy: claims/{claim.topic}"
    text = without_dead_links(claim.text)
    if claim.open:
        kinds = {entry.paper.abstract_kind for entry in survey.entries}
        kind = "digest" if kinds <= {"digest"} else "abstract"
        text += f" (Open: no {kind} here reports a test of it.)"
    yield [Draft(name, f"{text} — {claim.by}", "H", source)]
    lost: list[str] = []
    for side, heading in SIDES.items():
        lead = f"**{heading}:** "
        for placement in claim.placements:
            if placement.side != side:
                continue
            entry = survey.paper(placement.paper_id)
            found = pointed_at(placement.words, entry.paper.abstract_display) if entry else []
            if entry is None or len(found) != 1:
                lost.append(called(entry) if entry else f"`{placement.paper_id}`")
                continue
            yield [told_behind(f"{name}-{side}-{entry.slug}", entry, found[0], lead)]
            lead = ""
    beside = [each for each in claim.placements if each.side == "beside"]
    entries = [entry for each in beside if (entry := survey.paper(each.paper_id))]
    if entries:
        lead = "The question arises with" if claim.open else "Read as well, and placed on no side:"
        text = f"{lead} {joined([called(each) for each in entries])}."
        yield [Draft(f"{name}-beside", text, "H", source)]
    if lost:
        text = f"Evidence changed: struck until the editors have read again are {joined(lost)}."
        yield [Draft(f"{name}-changed", text, "H", source)]


def told_by_claims(survey: Survey) -> set[tuple[str, str]]:
    """Return the papers and their sentences that claims point at."""
    return {
        (entry.paper.id, sentence)
        for claim in survey.claims.claims
        for placement in claim.placements
        if placement.words and (entry := survey.paper(placement.paper_id))
        for sentence in pointed_at(placement.words, entry.paper.abstract_display)
    }


def _with_citations(markdown: str, survey: Survey) -> str:
    """Return the editors' Markdown with `[arxiv:…; p-…]` as linked numbers of references."""
    pieces = CITED.split(without_dead_links(markdown))
    for place in range(1, len(pieces), 2):
        ids = [part.strip() for part in pieces[place].split(";")]
        entries: list[SurveyPaper] = [entry for each in ids if (entry := survey.paper(each))]
        pieces[place] = citations(entries) if entries else "(evidence changed)"
    return "".join(pieces)

"""Quotes of papers as pages print them, such as those of papers read for a claim."""

from __future__ import annotations

from classifier.site import paths
from classifier.survey.claims import pointed_at
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import name_of
from classifier.survey.survey import Survey

AlsoRead = tuple[bool, list[tuple[str, str, str]]]
"""Whether the papers are shown at once, since few others are; (name, page, words) of each."""
_MAX_PLACED = 2


def found_beside(survey: Survey) -> dict[str, AlsoRead]:
    """Return the quotes of papers that the editors read for a claim and placed on no side.

    The key is the id of the sentence that names these papers.
    """
    found = {}
    for claim in survey.claims.claims:
        quotes = [
            (name_of(entry), paths.paper_page(entry), quoted(entry, *_found(entry, each.words)))
            for each in claim.placements
            if each.side == "beside" and (entry := survey.paper(each.paper_id))
        ]
        is_open = len(claim.placements) - len(quotes) <= _MAX_PLACED
        if quotes:
            found[f"{claim.topic}-{claim.name}-beside"] = is_open, quotes
    return found


def _found(entry: SurveyPaper, words: str) -> list[str]:
    """Return the sentence that `words` select, else the results, else the contribution."""
    if words and (pointed := pointed_at(words, entry.paper.abstract_display)):
        return pointed[:1]
    results = [each.words for each in entry.sentences if each.role == "result"]
    return results or [entry.contribution]


def quoted(entry: SurveyPaper, *sentences: str) -> str:
    """Return sentences of a paper, each in quotation marks if it is from an abstract."""
    is_digest = entry.paper.abstract_kind == "digest"
    return " ".join(each if is_digest else f"“{each}”" for each in sentences if each)

"""Quotes of papers as pages print them."""

from __future__ import annotations

from classifier.survey.entry import SurveyPaper


def quoted(entry: SurveyPaper, *sentences: str) -> str:
    """Return sentences of a paper, each in quotation marks if it is from an abstract."""
    is_digest = entry.paper.abstract_kind == "digest"
    return " ".join(each if is_digest else f"“{each}”" for each in sentences if each)

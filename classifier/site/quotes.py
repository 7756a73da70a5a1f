"""Quotations of papers on pages, with the place of their words in the abstract."""

from __future__ import annotations

from markupsafe import Markup

from classifier.survey.entry import SurveyPaper


def quote_place(entry: SurveyPaper, start: int, end: int) -> str:
    """Return the value of `data-quote`: the id of the paper, and offsets in its abstract."""
    return f"{entry.paper.id} {start} {end}"


def quoted(entry: SurveyPaper, *sentences: str) -> Markup:
    """Return sentences of a paper with their places, in quotation marks if from an abstract."""
    is_digest = entry.paper.abstract_kind == "digest"
    form = Markup(
        '<span data-quote="{}">{}</span>' if is_digest else '“<span data-quote="{}">{}</span>”'
    )
    found = []
    for words in filter(None, sentences):
        start = entry.paper.abstract_display.find(words)
        found.append(form.format(quote_place(entry, start, start + len(words)), words))
    return Markup(" ").join(found)

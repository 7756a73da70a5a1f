"""Quotations from papers, with their position in the abstract."""

from __future__ import annotations

from markupsafe import Markup

from classifier.survey.entry import SurveyPaper


def quote_place(entry: SurveyPaper, start: int, end: int) -> str:
    """Return the value of `data-quote`: a paper id and two offsets in the paper's abstract."""
    return f"{entry.paper.id} {start} {end}"


def quote_sentences(entry: SurveyPaper, *sentences: str) -> Markup:
    """Return sentences of a paper as HTML with `data-quote`.

    Sentences of an abstract are in quotation marks; those of a digest are not.
    """
    form = Markup('“<span data-quote="{}">{}</span>”')
    if entry.paper.abstract_kind == "digest":
        form = Markup('<span data-quote="{}">{}</span>')
    quotes = []
    for words in filter(None, sentences):
        start = entry.paper.abstract_display.find(words)
        quotes.append(form.format(quote_place(entry, start, start + len(words)), words))
    return Markup(" ").join(quotes)

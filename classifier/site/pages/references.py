"""The reference list: on the page of the survey while it is short, else on pages of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from classifier.site import paths
from classifier.site.citing import citing_anchors
from classifier.site.listing import ListPage, list_pages
from classifier.site.markup import inline_to_html
from classifier.survey.document import Document, Reference

REFERENCES_ON_THE_SURVEY = 1000
REFERENCES_ON_A_PAGE = 200


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """One entry of the reference list."""

    number: int
    html: Markup
    page: str
    """Path of the paper's page, or ""."""
    cited_by: tuple[str, ...]
    """Anchors of the sentences and tables that cite it, in reading order."""


def are_on_the_survey(document: Document) -> bool:
    """Say whether the references stand on the page of the survey."""
    return len(document.references) <= REFERENCES_ON_THE_SURVEY


def reference_addresses(document: Document) -> dict[int, str]:
    """Return where the reference of each number in the list stands: `survey.html#ref-12`."""
    numbers = [reference.number for reference in document.references]
    if are_on_the_survey(document):
        return {number: f"survey.html#ref-{number}" for number in numbers}
    return {
        number: f"{paths.numbered(paths.REFERENCES, at // REFERENCES_ON_A_PAGE + 1)}#ref-{number}"
        for at, number in enumerate(numbers)
    }


def reference_views(
    document: Document, references: Sequence[Reference], pages: Mapping[str, str]
) -> Iterator[ReferenceView]:
    """Yield references ready to print; `pages` maps a paper's id to the path of its page."""
    citing = citing_anchors(document)
    for reference in references:
        yield ReferenceView(
            number=reference.number,
            html=inline_to_html(reference.text),
            page=pages.get(reference.paper_id, ""),
            cited_by=tuple(citing.get(reference.number, ())),
        )


def reference_pages(document: Document, pages: Mapping[str, str]) -> list[ListPage[ReferenceView]]:
    """Return the references page by page; none where they stand on the page of the survey."""
    if are_on_the_survey(document):
        return []
    views = list(reference_views(document, document.references, pages))
    return list_pages(paths.REFERENCES, views, REFERENCES_ON_A_PAGE)

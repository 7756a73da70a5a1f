"""The survey as PDF: the page with the whole survey, rendered by WeasyPrint."""

from __future__ import annotations

import importlib.util
import mimetypes
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from classifier.errors import Fault, InputError, UsageError
from classifier.site import paths
from classifier.site.context import make_context
from classifier.site.outline import document_parts
from classifier.survey.survey import Survey

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcherResponse

PDF = "survey.pdf"
_TEMPLATE = "survey-pdf.html"
_HERE = "https://site.invalid/"
"""Base address of relative links; nothing is loaded from the network."""
_VARIABLE = re.compile(r"var\(--[\w-]+,([^()]+)\)")
_OWN_LINK = re.compile(r' href="(?!#|[a-z]+:)([^"]*)"')


def require_pdf() -> None:
    """Raise UsageError if WeasyPrint is not installed."""
    if importlib.util.find_spec("weasyprint") is None:
        raise UsageError("--pdf needs weasyprint: pip install 'fieldguide[pdf]'.")


def survey_pdf(
    survey: Survey, template_folders: Sequence[Path], files: Mapping[str, bytes]
) -> bytes:
    """Return the survey as a tagged PDF with links, bookmarks and vector figures.

    Figures and styles come from `files` (contents of the site by path), never from the network. The
    same input gives the same bytes on the same machine; on another machine, fonts may differ.
    Raises UsageError if WeasyPrint is not installed, and InputError if a template or style sheet
    refers to a file that is not in the site.
    """
    require_pdf()
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    missing: list[Fault] = []

    class SiteFiles(URLFetcher):  # type: ignore[misc]
        """Fetcher that reads every address from the files of the site."""

        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
            """Return the content of an address."""
            path = unquote(urlsplit(url).path).lstrip("/")
            if not url.startswith(_HERE) or path not in files:
                actual = f"'{url.removeprefix(_HERE)}'"
                hint = f"Look for it in your {_TEMPLATE} and style sheets."
                missing.append(Fault("error", PDF, None, actual, "a file of the site", hint))
                raise ValueError(f"{url} is not a file of the site")
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            content = files[path]
            if path.endswith(".svg"):
                content = replace_colour_variables(content.decode("utf-8")).encode("utf-8")
            return URLFetcherResponse(url, content, {"Content-Type": kind})

    text = pdf_html(survey, template_folders)
    fonts = FontConfiguration()
    styles = [
        CSS(string=files[name].decode("utf-8"), font_config=fonts, media_type="print")
        for name, _ in paths.STYLE_SHEETS
    ]
    try:
        page = HTML(string=text, base_url=_HERE, url_fetcher=SiteFiles(fail_on_errors=True))
        pdf: bytes = page.write_pdf(stylesheets=styles, font_config=fonts, pdf_tags=True)
    except FatalURLFetchingError as error:
        raise InputError(missing) from error
    except RecursionError:  # WeasyPrint recurses into each level.
        actual = "lists or quotations that are nested too deeply"
        hint = "Look for rows of '>' or '-' in definitions, claims, remarks and the scope."
        raise InputError([Fault("error", PDF, None, actual, "fewer levels", hint)]) from None
    return pdf


def pdf_html(survey: Survey, template_folders: Sequence[Path]) -> str:
    """Return the HTML from which the PDF is made.

    Links to pages of the site become absolute if the survey has a `base_url`, else text.
    """
    context = make_context(survey, template_folders)
    _, text = context.render_page(PDF, _TEMPLATE, parts=document_parts(survey.document))
    if not (base_url := survey.taxonomy.survey.base_url):
        return _OWN_LINK.sub("", text)
    top = f"{base_url.rstrip('/')}/"
    return _OWN_LINK.sub(lambda link: f' href="{urljoin(top, link[1])}"', text)


def replace_colour_variables(svg: str) -> str:
    """Replace the colour variables in a picture by the light colours.

    WeasyPrint supports variables in style sheets, but not in the style of an SVG.
    """
    return _VARIABLE.sub(r"\1", svg)

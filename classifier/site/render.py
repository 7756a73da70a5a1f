"""From an edition to every file of the site: what is printed, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from classifier.files.volume import Sizes, Volume
from classifier.site import issues, paths
from classifier.site.benchmarks_page import benchmark_pages
from classifier.site.beside import files_beside, moved_pages
from classifier.site.browse_page import browse_page
from classifier.site.category_page import category_lists, category_page
from classifier.site.changes_page import changes_page
from classifier.site.citing import CitedIn, citing_sections
from classifier.site.data_page import data_groups
from classifier.site.exports.sitemap import robots, sitemaps
from classifier.site.figures.files import csv_path, figures_of, title_of
from classifier.site.front_page import front_page
from classifier.site.listing import list_pages, newest_first, paper_items
from classifier.site.markdown import markdown_survey
from classifier.site.markup import plain_text
from classifier.site.matrix_page import matrix_rows
from classifier.site.metadata import category_metadata, home_metadata, paper_metadata
from classifier.site.method_page import method_page
from classifier.site.paper_page import paper_page, shown_around, surroundings
from classifier.site.plate import Blank, File, Plate, digest_of
from classifier.site.press import Annex, Press, make_press
from classifier.site.printer import Printer
from classifier.site.provenance import SourceWriter
from classifier.site.references_page import are_on_the_survey, reference_addresses, reference_pages
from classifier.site.survey_page import large_survey_page, section_pages, survey_page
from classifier.site.templating import style_sheets
from classifier.site.timeline_page import timeline_pages
from classifier.survey.edition import Edition, Entry

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many parts are done, and how many there are."""

_PROGRESS_STEP = 50
_PAPERS_ON_A_PAGE = 150
_LISTS = ("papers.html", "timeline.html", "benchmarks.html")
"""The templates of lists, each named after the first page that it prints."""


def render_site(
    edition: Edition,
    project_template_folders: Sequence[Path] = (),
    progress: Progress | None = None,
    annex: Annex | None = None,
) -> dict[str, bytes]:
    """Return every file of the site and the survey: path from its top -> bytes, sorted by path.

    As `print_site`, with nothing printed before.
    """
    printer = Printer(Volume())
    print_site(printer, edition, project_template_folders, progress, annex)
    return dict(printer.volume)


def print_site(
    printer: Printer,
    edition: Edition,
    project_template_folders: Sequence[Path] = (),
    progress: Progress | None = None,
    annex: Annex | None = None,
) -> None:
    """Print every file of the site and the survey.

    Templates are looked up in `project_template_folders` in turn, then in the shipped ones. The
    same edition and templates give the same bytes. What a template at fault raises
    passes through: `classifier.site.template_check` puts it into words. Pages may link, and tell
    the sizes of, all files that the printer's volume holds already.
    """
    annex = annex or Annex()
    volume = printer.volume
    press = make_press(edition, project_template_folders, Sizes(volume.records), annex.entries)
    printer.take_all(files_beside(press))
    printer.take_all(pages(press, annex, progress))
    base_url = edition.taxonomy.survey.base_url
    if base_url:
        html = [path for path in volume if path.endswith(".html") and path != "404.html"]
        printer.take_all(sitemaps(base_url, html))
    printer.take(("robots.txt", robots(base_url)))
    # What leads elsewhere is no page that crawlers should list.
    printer.take_all(moved_pages(press))


def pages(press: Press, annex: Annex, progress: Progress | None = None) -> Iterator[File]:
    """Yield the pages, the survey as Markdown, and the style sheets.

    The last one tells the sizes of the others, as far as they are taken in by then.
    """
    yield from _survey_pages(press)
    yield from _front_pages(press, annex)
    narrow = press.narrow
    listing = [
        press.digests.of(name) for name in ("papers.html", "timeline.html", "benchmarks.html")
    ]
    remarks = _remarks(press, "papers.html")
    yield from narrow.bundle("lists", lambda: _list_pages(narrow), listing, remarks)
    yield from _category_pages(press)
    cited = _cited(press)
    listed = reference_addresses(press.edition.document)
    made_of = press.digests.of("paper.html"), cited, listed, _remarks(press, "p/any.html")
    yield from narrow.bundle(
        "papers", lambda: _paper_pages(narrow, cited, listed, progress), *made_of
    )
    figures = figures_of(press.edition.document)
    groups = data_groups(press.written, {csv_path(figure): title_of(figure) for figure in figures})
    yield press.page("data.html", "data.html", groups=groups)


def _survey_pages(press: Press) -> Iterator[File]:
    """Yield the survey as Markdown, on one page, and section by section; the references."""
    document = press.edition.document
    markdown = markdown_survey(document, press.pages)
    yield press.plain("survey.md", survey=markdown)
    if are_on_the_survey(document):
        survey = survey_page(document, press.pages)
    else:
        survey = large_survey_page(document, press.pages_by_number)
    yield press.page("survey.html", "survey.html", page=survey)
    for listed in reference_pages(document, press.pages):
        yield press.page(listed.path, "references.html", page=listed, pages=press.pages_by_anchor)
    sources = SourceWriter(press.edition, press.pages, press.catalogue.paged_ids)
    for path, page in section_pages(document, sources, press.relink):
        yield press.page(path, "section.html", page=page)


def _front_pages(press: Press, annex: Annex) -> Iterator[File]:
    """Yield the pages of which there is one, and the style sheets."""
    edition, catalogue = press.edition, press.catalogue
    anchors_on = press.pages_by_anchor
    front = front_page(catalogue, annex.changes, anchors_on, press.relink("index.html"))
    metadata = home_metadata(edition, press.feeds.get("feed"))
    yield press.page("index.html", "index.html", metadata=metadata, page=front)
    yield press.page("matrix.html", "matrix.html", rows=matrix_rows(catalogue))
    changes = changes_page(annex.changes, annex.held, press.pages)
    yield press.page("changes.html", "changes.html", page=changes)
    relink = press.relink("method.html")
    method = method_page(edition.document, edition.taxonomy, annex.metrics, relink)
    new = issues.new_paper(edition.taxonomy)
    yield press.page("method.html", "method.html", page=method, new_paper=new)
    yield press.page("browse.html", "browse.html", page=browse_page(catalogue))
    yield press.page("404.html", "404.html")
    for name, _ in style_sheets(press.environment):
        yield press.plain(name)


def _list_pages(press: Press) -> Iterator[File]:
    """Yield the pages of lists that may need several."""
    catalogue = press.catalogue
    entries = newest_first(press.edition.entries)
    papers = paper_items(catalogue, entries, press.relink("papers.html"))
    for page in list_pages("papers.html", papers, _PAPERS_ON_A_PAGE):
        yield press.page(page.path, "papers.html", page=page, total=len(papers))
    for months in timeline_pages(catalogue):
        yield press.page(months.page.path, "timeline.html", timeline=months, page=months.page)
    for rows in benchmark_pages(catalogue):
        yield press.page(rows.path, "benchmarks.html", page=rows)


def _category_pages(press: Press) -> Iterator[File]:
    """Yield the page of each category, and the further ones where its papers need them."""
    for category in press.catalogue.paged:
        path = paths.category_page(category.id)
        relink = press.relink(path)
        page = category_page(
            press.catalogue, category, press.pages_by_anchor, press.written, relink
        )
        summary = plain_text(" ".join(category.definition.split()))
        feed = press.feeds.get(f"c/{category.id}")
        metadata = category_metadata(press.edition, category, feed)
        for listed in category_lists(press.catalogue, category, relink):
            content = {"page": page, "listed": listed, "summary": summary}
            yield press.page(listed.page.path, "category.html", metadata=metadata, **content)


def _remarks(press: Press, path: str) -> list[tuple[str, str]]:
    """Return (paper id, Markdown) of what the editors say of papers, as the page at `path` does."""
    relink = press.relink(path)
    return [(e.paper.id, relink(e.remark.text)) for e in press.edition.entries if e.remark]


def _cited(press: Press) -> dict[int, tuple[CitedIn, ...]]:
    """Return reference number -> sections that cite the paper."""
    numbers = {page: number for number, page in press.pages_by_number.items()}
    return citing_sections(press.edition.document, numbers, press.pages_by_anchor)


def _paper_pages(
    press: Press,
    cited: Mapping[int, tuple[CitedIn, ...]],
    listed: Mapping[int, str],
    progress: Progress | None,
) -> Iterator[File]:
    """Yield the page of each paper; `press` is a narrow one.

    cited, listed: reference number -> the sections that cite it, and where it is listed.
    """
    edition, path_of_any = press.edition, "p/any.html"
    around = surroundings(press.catalogue, press.keys, cited, listed, press.written)
    relink, remarks = press.relink(path_of_any), dict(_remarks(press, path_of_any))
    template, total = press.digests.of("paper.html"), len(edition.entries)
    for done, entry in enumerate(edition.entries):
        if progress and done % _PROGRESS_STEP == 0:
            progress("Writing pages", done, total)

        def plate(entry: Entry = entry) -> Plate:
            page, metadata = paper_page(around, entry, relink), paper_metadata(edition, entry)
            path = press.pages[entry.paper.id]
            return press.page(path, "paper.html", metadata=metadata, page=page)

        if press.content:
            shown = shown_around(around, entry), remarks.get(entry.paper.id), entry.remark
            made_of = digest_of(press.content, template, shown)
            yield Blank(press.pages[entry.paper.id], made_of, plate)
        else:
            yield plate()
    if progress:
        progress("Writing pages", total, total)

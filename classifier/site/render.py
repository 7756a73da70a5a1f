"""From an edition to every file of the site, as bytes in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment

from classifier.site import paths
from classifier.site.blocks import Relink
from classifier.site.browse_page import browse_page
from classifier.site.category_page import category_page
from classifier.site.exports.bibtex import bibtex
from classifier.site.exports.cite_keys import cite_keys
from classifier.site.exports.csl import csl_json
from classifier.site.exports.papers_json import papers_json
from classifier.site.exports.ris import ris
from classifier.site.exports.sitemap import canonical, sitemap
from classifier.site.figures.files import figure_files, figures_of
from classifier.site.front_page import front_page
from classifier.site.listing import paged_categories, paper_items
from classifier.site.markdown import byline, markdown_survey
from classifier.site.markup import inline_to_html, plain_text
from classifier.site.opensearch import search_description
from classifier.site.paper_page import neighbours, paper_page
from classifier.site.search_index import search_index
from classifier.site.survey_page import survey_page
from classifier.site.templating import make_environment
from classifier.survey.edition import Edition

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many parts are done, and how many there are."""

_PROGRESS_STEP = 50
File = tuple[str, str]
"""Path from the top of the site, text."""


@dataclass(frozen=True, slots=True)
class Press:
    """What it takes to print any page: the edition, the templates, and who lies where."""

    edition: Edition
    environment: Environment
    keys: Mapping[str, str]
    """Paper id -> cite key."""
    pages: Mapping[str, str]
    """Paper id -> path of its page."""
    pages_by_number: dict[int, str]
    """Reference number -> path of the paper's page."""

    def page(self, path: str, template: str, **content: object) -> File:
        """Return the page at `path`, printed with a template."""
        document = self.edition.document
        base_url = self.edition.taxonomy.survey.base_url
        text = self.environment.get_template(template).render(
            root=paths.root_of(path),
            canonical=canonical(base_url, path),
            base_url=base_url,
            document=document,
            byline=inline_to_html(byline(document)),
            **content,
        )
        return path, text

    def relink(self, path: str) -> Relink:
        """Return what makes the links of survey Markdown work on the page at `path`."""
        root = paths.root_of(path)
        return lambda markdown: paths.rebase_links(markdown, root, self.pages_by_number)


def render_site(
    edition: Edition,
    project_template_folders: Sequence[Path] = (),
    progress: Progress | None = None,
) -> dict[str, bytes]:
    """Return every file of the site and the survey: path from its top -> bytes, sorted by path.

    Templates are looked up in `project_template_folders` in turn, then in the shipped ones. The
    same edition and templates give the same bytes. Raises jinja2.TemplateError where a project's
    template is at fault.
    """
    press = make_press(edition, project_template_folders)
    files = dict(
        (
            *_pages(press),
            *_category_pages(press),
            *_paper_pages(press, progress),
            *_search(press),
            *_figures(press),
            *_exports(press),
        )
    )
    base_url = edition.taxonomy.survey.base_url
    if base_url:
        html = [path for path in files if path.endswith(".html") and path != "404.html"]
        files["sitemap.xml"] = sitemap(base_url, html)
    return {path: files[path].encode("utf-8") for path in sorted(files)}


def make_press(edition: Edition, project_template_folders: Sequence[Path]) -> Press:
    """Return the press for an edition."""
    return Press(
        edition=edition,
        environment=make_environment(project_template_folders),
        keys=cite_keys([entry.paper for entry in edition.entries]),
        pages={entry.paper.id: paths.paper_page(entry) for entry in edition.entries},
        pages_by_number={entry.number: paths.paper_page(entry) for entry in edition.entries},
    )


def _pages(press: Press) -> Iterator[File]:
    """Yield the pages of which there is one, and the style sheets."""
    edition = press.edition
    survey = markdown_survey(edition.document, press.pages)
    yield "survey.md", press.environment.get_template("survey.md").render(survey=survey)
    yield press.page("survey.html", "survey.html", page=survey_page(edition.document, press.pages))
    front = front_page(edition, press.relink("index.html"))
    yield press.page("index.html", "index.html", page=front)
    papers = paper_items(edition, edition.entries)
    yield press.page("papers.html", "papers.html", papers=papers)
    yield press.page("404.html", "404.html")
    for style in (paths.STYLE_SHEET, paths.PRINT_STYLE):
        yield style, press.environment.get_template(style).render()


def _search(press: Press) -> Iterator[File]:
    """Yield the browse page, and the scripts with the data by which papers are found."""
    edition = press.edition
    yield press.page("browse.html", "browse.html", page=browse_page(edition))
    for name in paths.SCRIPTS:
        yield name, press.environment.get_template(name).render()
    yield paths.SEARCH_INDEX, search_index(edition)
    if base_url := edition.taxonomy.survey.base_url:
        page = search_description(edition.document, base_url)
        yield paths.OPENSEARCH, press.environment.get_template(paths.OPENSEARCH).render(page=page)


def _category_pages(press: Press) -> Iterator[File]:
    """Yield the page and the BibTeX file of each category."""
    for category in paged_categories(press.edition):
        path = paths.category_page(category.id)
        page = category_page(press.edition, category, press.relink(path))
        summary = plain_text(" ".join(category.definition.split()))
        yield press.page(path, "category.html", page=page, summary=summary)
        papers = [entry.paper for entry in press.edition.with_category(category)]
        yield page.bibliography, bibtex(papers, press.keys)


def _paper_pages(press: Press, progress: Progress | None) -> Iterator[File]:
    edition = press.edition
    facet = edition.taxonomy.first.id
    paged = frozenset(f"{facet}:{category.id}" for category in paged_categories(edition))
    beside = neighbours(edition)
    total = len(edition.entries)
    for done, entry in enumerate(edition.entries):
        if progress and done % _PROGRESS_STEP == 0:
            progress("Writing pages", done, total)
        paper_id = entry.paper.id
        path, key = press.pages[paper_id], press.keys[paper_id]
        page = paper_page(edition, entry, key, paged, beside[paper_id], press.relink(path))
        yield press.page(path, "paper.html", page=page)
    if progress:
        progress("Writing pages", total, total)


def _figures(press: Press) -> Iterator[File]:
    """Yield the pictures and the numbers of every figure of the document."""
    for figure in figures_of(press.edition.document):
        yield from figure_files(figure, press.environment)


def _exports(press: Press) -> Iterator[File]:
    papers = [entry.paper for entry in press.edition.entries]
    yield "references.bib", bibtex(papers, press.keys)
    yield "references.ris", ris(papers, press.keys)
    yield "references.json", csl_json(papers, press.keys)
    yield "papers.json", papers_json(press.edition, press.keys)

"""From an edition to every file of the site, as bytes in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jinja2 import Environment

from classifier.site import issues, paths
from classifier.site.benchmarks_page import LEXICON, benchmark_pages
from classifier.site.blocks import Relink
from classifier.site.browse_page import browse_page
from classifier.site.category_page import category_lists, category_page
from classifier.site.changes_page import changes_page
from classifier.site.citing import citing_sections
from classifier.site.data_page import data_groups
from classifier.site.exports.bibtex import bibtex
from classifier.site.exports.cite_keys import cite_keys
from classifier.site.exports.csl import csl_json
from classifier.site.exports.papers_json import papers_json
from classifier.site.exports.ris import ris
from classifier.site.exports.sitemap import canonical, sitemap
from classifier.site.figures.files import figure_files, figures_of
from classifier.site.front_page import front_page
from classifier.site.listing import (
    Catalogue,
    list_pages,
    make_catalogue,
    newest_first,
    paper_items,
)
from classifier.site.markdown import byline, markdown_survey
from classifier.site.markup import inline_to_html, plain_text
from classifier.site.matrix_page import matrix_rows
from classifier.site.method_page import method_page
from classifier.site.opensearch import search_description
from classifier.site.paper_page import paper_page, surroundings
from classifier.site.provenance import SourceWriter
from classifier.site.search_index import search_index
from classifier.site.survey_page import anchors, section_pages, survey_page
from classifier.site.templating import make_environment, style_sheets
from classifier.site.timeline_page import timeline_pages
from classifier.survey.changes.compare import Changes
from classifier.survey.changes.move import Move
from classifier.survey.edition import Edition

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many parts are done, and how many there are."""

_PROGRESS_STEP = 50
_PAPERS_ON_A_PAGE = 150
File = tuple[str, str]
"""Path from the top of the site, text."""


@dataclass(frozen=True, slots=True)
class Annex:
    """What other steps of a build know that pages show, too."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files that lie beside the site: path -> bytes."""
    metrics: Mapping[str, object] = field(default_factory=dict)
    """What metrics.json holds."""
    changes: Changes | None = None
    """What changed since the baseline, where there is one."""
    held: Sequence[Move] = ()
    """Labels that the lock keeps from moving."""


@dataclass(frozen=True, slots=True)
class Press:
    """What it takes to print any page: the edition, the templates, and who lies where."""

    edition: Edition
    environment: Environment
    catalogue: Catalogue
    keys: Mapping[str, str]
    """Paper id -> cite key."""
    pages: Mapping[str, str]
    """Paper id -> path of its page."""
    pages_by_number: Mapping[int, str]
    """Reference number -> path of the paper's page."""
    pages_by_anchor: Mapping[str, str]
    """Anchor of the survey -> path of the page of its section."""
    written: Mapping[str, int]
    """Files that lie beside the pages: path -> bytes."""
    frame: Mapping[str, object]
    """What the frame of every page shows."""

    def page(self, path: str, template: str, **content: object) -> File:
        """Return the page at `path`, printed with a template."""
        text = self.environment.get_template(template).render(
            self.frame,
            root=paths.root_of(path),
            path=path,
            canonical=canonical(str(self.frame["base_url"]), path),
            **content,
        )
        return path, text

    def relink(self, path: str) -> Relink:
        """Return what makes the links of survey Markdown work on the page at `path`."""
        root = paths.root_of(path)
        by_number, by_anchor = self.pages_by_number, self.pages_by_anchor
        return lambda markdown: paths.rebase_links(markdown, root, by_number, by_anchor)


def render_site(
    edition: Edition,
    project_template_folders: Sequence[Path] = (),
    progress: Progress | None = None,
    annex: Annex | None = None,
) -> dict[str, bytes]:
    """Return every file of the site and the survey: path from its top -> bytes, sorted by path.

    Templates are looked up in `project_template_folders` in turn, then in the shipped ones. The
    same edition and templates give the same bytes. Raises jinja2.TemplateError where a project's
    template is at fault.
    """
    annex = annex or Annex()
    press = make_press(edition, project_template_folders, annex)
    files = render_files(press)
    sizes = {path: len(content) for path, content in (*annex.files.items(), *files.items())}
    files |= render_pages(replace(press, written=sizes), annex, progress)
    base_url = edition.taxonomy.survey.base_url
    if base_url:
        html = [path for path in files if path.endswith(".html") and path != "404.html"]
        files["sitemap.xml"] = sitemap(base_url, html).encode("utf-8")
    return dict(sorted(files.items()))


def render_files(press: Press) -> dict[str, bytes]:
    """Return the files that lie beside the pages; pages link those that are there."""
    return _encoded(
        (*_figures(press), *_search_files(press), *_exports(press), *_category_exports(press))
    )


def render_pages(press: Press, annex: Annex, progress: Progress | None = None) -> dict[str, bytes]:
    """Return the pages, the survey as Markdown, and the style sheets."""
    files = _encoded(
        (
            *_survey_pages(press),
            *_front_pages(press, annex),
            *_list_pages(press),
            *_category_pages(press),
            *_paper_pages(press, progress),
        )
    )
    sizes = {**press.written, **{path: len(content) for path, content in files.items()}}
    return files | _encoded([press.page("data.html", "data.html", groups=data_groups(sizes))])


def make_press(
    edition: Edition, project_template_folders: Sequence[Path], annex: Annex | None = None
) -> Press:
    """Return the press for an edition."""
    environment = make_environment(project_template_folders)
    document, base_url = edition.document, edition.taxonomy.survey.base_url
    names = any(entry.names.get(LEXICON) for entry in edition.entries)
    frame = {
        "base_url": base_url,
        "document": document,
        "byline": inline_to_html(byline(document)),
        "style_sheets": style_sheets(environment),
        "has_benchmarks": names,
        "has_method": any(section.id == "method" for section in document.sections),
    }
    return Press(
        edition=edition,
        environment=environment,
        catalogue=make_catalogue(edition),
        keys=cite_keys([entry.paper for entry in edition.entries]),
        pages={entry.paper.id: paths.paper_page(entry) for entry in edition.entries},
        pages_by_number={entry.number: paths.paper_page(entry) for entry in edition.entries},
        pages_by_anchor=anchors(document),
        written={path: len(content) for path, content in (annex or Annex()).files.items()},
        frame=frame,
    )


def _encoded(files: Iterable[File]) -> dict[str, bytes]:
    return {path: text.encode("utf-8") for path, text in files}


def _survey_pages(press: Press) -> Iterator[File]:
    """Yield the survey as Markdown, on one page, and section by section."""
    document = press.edition.document
    survey = markdown_survey(document, press.pages)
    yield "survey.md", press.environment.get_template("survey.md").render(survey=survey)
    yield press.page("survey.html", "survey.html", page=survey_page(document, press.pages))
    sources = SourceWriter(press.edition, press.pages, press.catalogue.paged_ids)
    for path, page in section_pages(document, sources, press.relink):
        yield press.page(path, "section.html", page=page)


def _front_pages(press: Press, annex: Annex) -> Iterator[File]:
    """Yield the pages of which there is one, and the style sheets."""
    edition, catalogue = press.edition, press.catalogue
    anchors_on = press.pages_by_anchor
    front = front_page(catalogue, annex.changes, anchors_on, press.relink("index.html"))
    yield press.page("index.html", "index.html", page=front)
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
        yield name, press.environment.get_template(name).render()


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


def _search_files(press: Press) -> Iterator[File]:
    """Yield the scripts, and the data by which papers are found."""
    edition = press.edition
    for name in paths.SCRIPTS:
        yield name, press.environment.get_template(name).render()
    yield paths.SEARCH_INDEX, search_index(edition)
    if base_url := edition.taxonomy.survey.base_url:
        page = search_description(edition.document, base_url)
        yield paths.OPENSEARCH, press.environment.get_template(paths.OPENSEARCH).render(page=page)


def _category_pages(press: Press) -> Iterator[File]:
    """Yield the page of each category, and the further ones where its papers need them."""
    for category in press.catalogue.paged:
        path = paths.category_page(category.id)
        relink = press.relink(path)
        page = category_page(
            press.catalogue, category, press.pages_by_anchor, press.written, relink
        )
        summary = plain_text(" ".join(category.definition.split()))
        for listed in category_lists(press.catalogue, category, relink):
            yield press.page(
                listed.page.path, "category.html", page=page, listed=listed, summary=summary
            )


def _paper_pages(press: Press, progress: Progress | None) -> Iterator[File]:
    edition = press.edition
    numbers = {page: number for number, page in press.pages_by_number.items()}
    cited = citing_sections(edition.document, numbers, press.pages_by_anchor)
    around = surroundings(press.catalogue, press.keys, cited, press.written)
    relink = press.relink("p/any.html")
    total = len(edition.entries)
    for done, entry in enumerate(edition.entries):
        if progress and done % _PROGRESS_STEP == 0:
            progress("Writing pages", done, total)
        page = paper_page(around, entry, relink)
        yield press.page(press.pages[entry.paper.id], "paper.html", page=page)
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


def _category_exports(press: Press) -> Iterator[File]:
    for category in press.catalogue.paged:
        for name, lists in (
            (category.id, press.catalogue.having),
            (f"{category.id}-filed", press.catalogue.filed),
        ):
            papers = [entry.paper for entry in lists.get(category.id, ())]
            if papers:
                yield f"c/{name}.bib", bibtex(papers, press.keys)

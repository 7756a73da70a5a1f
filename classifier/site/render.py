"""Render a survey to all files of the site, in the order in which they depend on each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from classifier.files.built_folder import MANIFEST_NAME
from classifier.parallel import background_map, parallel_map
from classifier.progress import Progress, report
from classifier.site import paths, verify
from classifier.site.blocks import byline, citing_sections, one_line
from classifier.site.context import RenderContext, make_context, style_sheets
from classifier.site.exports.citation import how_to_cite
from classifier.site.exports.data_files import download_groups, papers_json, results_files
from classifier.site.exports.discovery import discovery_files, survey_data
from classifier.site.exports.evidence import evidence_script
from classifier.site.exports.feeds import atom_xml
from classifier.site.exports.reference_files import reference_files
from classifier.site.figures.charts import csv_path, figure_files, figures_of
from classifier.site.listing import dated_papers, top_categories
from classifier.site.markup import plain_text, remove_active_content
from classifier.site.outline import document_parts
from classifier.site.pages.benchmark import BenchmarkPage, benchmark_pages
from classifier.site.pages.benchmarks import benchmark_lists
from classifier.site.pages.category import category_lists, category_page, category_sections
from classifier.site.pages.front import front_page
from classifier.site.pages.paper import link_papers, paper_page
from classifier.site.pages.survey import survey_page
from classifier.site.search_index import search_index
from classifier.site.search_places import search_places
from classifier.survey.changes.report import change_tables, changes_summary, move_tables
from classifier.survey.entry import SurveyPaper, slug_of
from classifier.survey.survey import Survey
from classifier.taxonomy.model import CATEGORY_ID, Category, Facet
from classifier.text.links import without_dead_links

Benchmarks = Mapping[str, BenchmarkPage]
"""Page of each benchmark, by name."""
_NEWEST = 10


def render_site(
    survey: Survey,
    project_template_folders: Sequence[Path] = (),
    progress: Progress | None = None,
    other_files: Mapping[str, bytes] = MappingProxyType({}),
) -> dict[str, bytes]:
    """Return all files of the site by relative path, sorted.

    Templates are looked up in `project_template_folders` in order, then in the shipped folder. The
    same survey and templates give the same bytes. Exceptions of templates are not caught;
    `classifier.site.checks.templates` converts them to faults. `other_files` are included in the
    result, so that pages can link to them and print their sizes.
    """
    files = dict(other_files)
    sizes = {path: len(content) for path, content in files.items()}

    def add_files(rendered: Iterator[File]) -> None:
        """Add rendered files to the result."""
        for path, content in rendered:
            files[path] = content if isinstance(content, bytes) else content.encode("utf-8")
            sizes[path] = len(files[path])

    context = make_context(survey, project_template_folders, sizes)
    size = len(survey.entries)
    with background_map(_run_job, _other_jobs(context), size) as other_results:
        benchmarks = benchmark_pages(survey)
        add_files(chain(*other_results()))
    with background_map(_run_job, _page_jobs(context, benchmarks), size) as page_results:
        paper_jobs = _paper_page_jobs(context, benchmarks)
        add_files(chain(*page_results()))
    on_progress = partial(report, progress, "Writing pages")
    add_files(chain(*parallel_map(_run_job, paper_jobs, size, on_progress)))
    add_files(discovery_files(survey, [*sizes, "data.html"]))
    add_files(_data_page(context))
    add_files(moved_pages(context))
    if "facts.json" in files:  # Only a build adds the data files to `other_files`.
        editions = (f"{name}/index.html" for name in survey.editions)
        link_targets = (paths.EVIDENCE, MANIFEST_NAME, *editions)
        files[paths.EVIDENCE] = evidence_script(files, link_targets)
    return dict(sorted(files.items()))


File = tuple[str, str] | tuple[str, bytes]
"""Relative path of a file, and its text or bytes."""
Job = Callable[[], Iterable[File]]
"""Renders some files, independently of other jobs."""


def _run_job(job: Job) -> list[File]:
    """Run a job."""
    return [*job()]


def _page_jobs(context: RenderContext, benchmarks: Benchmarks) -> list[Job]:
    """Return the jobs that render all pages except those of papers, the longest jobs first."""

    def render_search_files() -> Iterator[File]:
        """Yield the search index and the pages that use it."""
        places = list(search_places(context, benchmarks))
        yield paths.SEARCH_INDEX, search_index(context.survey, places)

    return [
        lambda: _whole_survey(context),
        lambda: _list_pages(context, benchmarks),
        lambda: _category_pages(context),
        render_search_files,
        lambda: _single_pages(context),
    ]


def _data_page(context: RenderContext) -> Iterator[File]:
    """Yield the page that lists the data files with their sizes."""
    figures = figures_of(context.survey.document)
    titles = {csv_path(figure): plain_text(figure.title) for figure in figures}
    groups = download_groups(context.written, titles)
    settings = context.survey.taxonomy.survey
    licence = {"name": settings.licence, "id": settings.licence_id}
    yield context.render_page("data.html", "data.html", groups=groups, licence=licence)


def _whole_survey(context: RenderContext) -> Iterator[File]:
    """Yield the whole survey as Markdown and as a page."""
    document = context.survey.document
    yield context.render_file(
        "survey.md",
        document=document,
        byline=one_line(byline(document)),
        pages=context.pages,
        citing=citing_sections(document),
    )
    content = survey_page(document, context.pages, context.pages_by_anchor)
    yield context.render_page(paths.SURVEY, "survey.html", **content)


def _single_pages(context: RenderContext) -> Iterator[File]:
    """Yield the pages that exist only once, and the style sheets."""
    survey = context.survey
    front = front_page(survey, context.pages_by_anchor)
    yield context.render_page("index.html", "index.html", linked_data=survey_data(survey), **front)
    changes = survey.changes
    yield context.render_page(
        "changes.html",
        "changes.html",
        changes=changes,
        summary=changes_summary(changes) if changes is not None else "",
        tables=change_tables(changes) if changes is not None else (),
        held=move_tables(survey.moves_without_lock),
        pages=context.pages,
        newest=dated_papers(survey.entries)[:_NEWEST],
        total=len(survey.entries),
        editions=survey.editions,
    )
    by_id = {part[0].id: part for part in document_parts(survey.document)}
    yield context.render_page("method.html", "method.html", sections=by_id.get("method", []))
    yield context.render_page("browse.html", "browse.html", categories=top_categories(survey))
    yield context.render_page("404.html", "404.html")
    yield from (context.render_file(name) for name, _ in style_sheets(context.environment))


def _list_pages(context: RenderContext, benchmarks: Benchmarks) -> Iterator[File]:
    """Yield the pages of benchmarks, and their list."""
    for benchmark in {page.path: page for page in benchmarks.values()}.values():
        yield context.render_page(benchmark.path, "benchmark.html", page=benchmark)
    for page in benchmark_lists(context.survey, benchmarks):
        yield context.render_page(page.path, "benchmarks.html", page=page)


def _category_pages(context: RenderContext) -> Iterator[File]:
    """Yield the page and the Markdown chapter of each category."""
    for category in context.catalogue.paged:
        content = category_page(context.catalogue, category, context.written)
        markdown = (
            paths.chapter_markdown_path(category.id) if category.id in context.chapters else ""
        )
        if markdown:
            yield _chapter_markdown(context, category)
        for page, groups in category_lists(context.catalogue, category):
            yield context.render_page(
                page.path, "category.html", page=page, groups=groups, markdown=markdown, **content
            )


def _chapter_markdown(context: RenderContext, category: Category) -> File:
    """Return a chapter as Markdown, with links to the pages of the site."""
    path = paths.chapter_markdown_path(category.id)
    text = context.environment.get_template("chapter.md").render(
        category=category,
        definition=remove_active_content(without_dead_links(category.definition)),
        sections=category_sections(context.survey, category),
        root=paths.path_to_root(path),
    )
    return path, text


def _paper_page_jobs(context: RenderContext, benchmarks: Benchmarks) -> list[Job]:
    """Return one job per paper that renders its page."""
    links = link_papers(context, benchmarks)

    def render_paper_page(entry: SurveyPaper) -> list[File]:
        """Render the page of a paper."""
        path = context.pages[entry.paper.id]
        return [context.render_page(path, "paper.html", **paper_page(links, entry))]

    return [partial(render_paper_page, entry) for entry in context.survey.entries]


def _other_jobs(context: RenderContext) -> list[Job]:
    """Return the jobs that render the files to which pages link if they exist."""
    survey = context.survey

    def render_figures() -> Iterator[File]:
        """Yield the files of figures."""
        for figure in figures_of(survey.document):
            yield from figure_files(figure, context.environment)

    def render_single_files() -> Iterator[File]:
        """Yield the files that exist only once."""
        yield from map(context.render_file, (*paths.SCRIPTS, paths.ICON))
        yield paths.VERIFIER, Path(verify.__file__).read_bytes()
        for feed in context.feeds.values():
            yield feed.atom_path, atom_xml(feed)
        yield from how_to_cite(survey)

    return [
        lambda: [("papers.json", papers_json(survey, context.keys))],
        render_figures,
        lambda: reference_files(survey, context.catalogue.paged),
        render_single_files,
        lambda: results_files(survey),
    ]


def moved_pages(context: RenderContext) -> Iterator[File]:
    """Yield the redirect pages at old addresses, and feeds at their old addresses.

    A redirect never replaces an existing page, and never leads to a missing page.
    """
    survey, existing = context.survey, frozenset(context.written)
    categories = moved_categories(survey.taxonomy.first, context.catalogue.paged)
    for old, new in categories.items():
        if feed := context.feeds.get(f"c/{new}"):
            former = replace(feed, base=f"c/{old}")
            if former.atom_path not in existing:
                yield former.atom_path, atom_xml(former)
    pages = {
        paths.category_page_path(old): paths.category_page_path(new)
        for old, new in categories.items()
    }
    for section in survey.document.sections:
        target = paths.section_page_path(section.id, context.catalogue.paged_ids)
        if section.level == 1:
            anchor = f"#{section.id}" if target == paths.SURVEY else ""
            pages[paths.former_section_page_path(section.id)] = f"{target}{anchor}"
    for path, target in {
        **{
            f"p/{slug_of(alias)}.html": paths.paper_page_path(entry)
            for entry in survey.entries
            for alias in entry.aliases
        },
        **pages,
    }.items():
        if path not in existing and re.split("[?#]", target)[0] in existing:
            yield context.render_page(path, "moved.html", target=target)


_CATEGORY_ID = re.compile(CATEGORY_ID)


def moved_categories(facet: Facet, categories_with_page: Sequence[Category]) -> dict[str, str]:
    """Return the category with a page that replaces each former id.

    Former ids are the ids of retired categories, and aliases that have the form of an id, unless
    the id is in use again. A child without a page is replaced by its parent.
    """
    have_pages = {category.id for category in categories_with_page}
    in_use = {category.id for category in facet.walk()}
    moved: dict[str, str] = {}
    for category in facet.walk(include_retired=True):
        for former in (category.id, *category.aliases):
            if former in in_use or former in have_pages or not _CATEGORY_ID.fullmatch(former):
                continue
            target = successor.id if (successor := facet.resolve(former)) else ""
            while target and target not in have_pages:
                target = target.rpartition("/")[0]
            if target:
                moved.setdefault(former, target)
    return moved

"""The data that all pages need: the survey, the templates, the paths of pages, source texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, MappingProxyType

import jinja2
from jinja2 import Environment
from jinja2.bccache import Bucket
from jinja2.sandbox import ImmutableSandboxedEnvironment

from classifier.papers.names import plain_name
from classifier.papers.paper import Paper
from classifier.project import shipped_folder
from classifier.site import blocks, issues, paths
from classifier.site.colours import DARK, LIGHT, colours_of, legible_accents
from classifier.site.exports.citation import cite_keys, highwire_tags
from classifier.site.exports.feeds import Feed, entry_date, feeds
from classifier.site.figures.charts import drawings, picture_sizes
from classifier.site.listing import Catalogue, category_name, make_catalogue
from classifier.site.markup import inline_to_html, plain_text
from classifier.site.outline import anchor_pages
from classifier.survey.document import Kind, Sentence, sentences_of
from classifier.survey.editorial import remark_sentence
from classifier.survey.facts import terms_of
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_digits, date_in_words, join_words, name_in_prose


@dataclass(frozen=True, slots=True)
class RenderContext:
    """The data that all pages need: the survey, the templates, and the path of each page."""

    survey: Survey
    environment: Environment
    catalogue: Catalogue
    keys: Mapping[str, str]
    """Cite key, by paper id."""
    pages: Mapping[str, str]
    """Path of a paper's page, by paper id."""
    pages_by_anchor: Mapping[str, str]
    """Path of the page with a section, by the section's anchor in the survey."""
    written: Mapping[str, int]
    """Sizes in bytes of the files made so far, by path. Pages are made last."""
    chapters: frozenset[str]
    """Ids of the categories that have a chapter."""
    feeds: Mapping[str, Feed]
    """Feeds by path without ending (`feed`, `c/safety`)."""
    layout: Mapping[str, object]
    """Template variables that every page has."""

    def render_page(self, path: str, template: str, **content: object) -> tuple[str, str]:
        """Render a page; return its path and text.

        content: template variables.
        """
        text = self.environment.get_template(template).render(
            self.layout,
            root=paths.path_to_root(path),
            path=path,
            canonical=paths.canonical_address(self.survey.taxonomy.survey.base_url, path),
            **content,
        )
        return path, text

    def render_file(self, path: str, **content: object) -> tuple[str, str]:
        """Render a file that is not a page from the template with the same name."""
        return path, self.environment.get_template(path).render(content)


def make_context(
    survey: Survey,
    project_template_folders: Sequence[Path],
    written_files: Mapping[str, int] = MappingProxyType({}),
) -> RenderContext:
    """Create the context for the pages of a survey.

    written_files: sizes of the files that were rendered so far; it may grow later.
    """
    document, settings = survey.document, survey.taxonomy.survey
    environment = make_environment(project_template_folders, settings.accent)
    style = environment.get_template(paths.STYLE_SHEETS[0][0]).render()
    environment.globals["colours"] = colours_of(style)
    catalogue = make_catalogue(survey)
    layout = {
        "base_url": settings.base_url,
        "document": document,
        "byline": inline_to_html(blocks.byline(document)),
        "imprint": inline_to_html(blocks.byline(document, with_version=False)),
        "logo": f"logo.{settings.logo.rpartition('.')[2]}" if settings.logo else "",
        "style_sheets": style_sheets(environment),
        "has_benchmarks": any(entry.names.get(survey.roles.benchmarks) for entry in survey.entries),
        "has_feed": any(map(entry_date, survey.entries)),
    }
    pages_by_number = {entry.number: paths.paper_page_path(entry) for entry in survey.entries}
    pages_by_anchor = anchor_pages(document, catalogue.paged_ids)

    def rebase(text: str, root: str | None) -> str:
        """Rewrite the links of Markdown for a page."""
        if root is None:
            return text
        return paths.rebase_links(text, root, pages_by_number, pages_by_anchor)

    environment.globals |= {
        "linked": rebase,
        "html": lambda text, root: inline_to_html(rebase(text, root)),
        "sentence_html": lambda each, root: blocks.sentence_html(each, rebase(each.text, root)),
        "remark_of": remark_sentence,
        "provenance": partial(provenance, catalogue),
        "topic": partial(category_name, survey),
        "kinds": catalogue.kinds,
        "count": catalogue.count,
        "pages_by_anchor": pages_by_anchor,
        "new_paper": issues.paper_request(survey.taxonomy),
        "missing_evidence": {
            f"{claim.topic}-{claim.name}": (
                issues.evidence_report(survey.taxonomy, claim),
                issues.evidence_line(claim),
            )
            for claim in survey.claims.claims
        },
    }
    return RenderContext(
        survey=survey,
        environment=environment,
        catalogue=catalogue,
        keys=cite_keys([entry.paper for entry in survey.entries]),
        pages={entry.paper.id: paths.paper_page_path(entry) for entry in survey.entries},
        pages_by_anchor=pages_by_anchor,
        written=written_files,
        chapters=frozenset(
            section.id
            for section in document.sections
            if section.id in catalogue.paged_ids and "/" not in section.id
        ),
        feeds={feed.base: feed for feed in feeds(survey, catalogue.paged)},
        layout=layout,
    )


class _TemplateCache(jinja2.BytecodeCache):
    """Cache of compiled templates, so that `serve` does not compile them for each build."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the bytecode of a template from the cache."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the bytecode of a template in the cache."""
        if bucket.code:
            self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED = {Environment: _TemplateCache(), ImmutableSandboxedEnvironment: _TemplateCache()}


def make_environment(template_folders: Sequence[Path], accent: str = "") -> Environment:
    """Create an environment that looks up templates in `template_folders`, then in the shipped one.

    `shipped/layout.html` always means the shipped template, so that a project's `layout.html` can
    extend it. HTML and SVG are escaped, Markdown is not. An undefined name is an error. If the
    project has its own templates, all templates run in Jinja's sandbox, where they reach only the
    variables of a page. accent: `survey.accent`; templates get it as `accents` (light, dark).
    """
    shipped = shipped_folder("templates")
    folders = list(dict.fromkeys([*template_folders, shipped]))
    is_foreign = any(each.is_dir() and each.resolve() != shipped.resolve() for each in folders)
    kind = ImmutableSandboxedEnvironment if is_foreign else Environment
    environment = kind(
        loader=jinja2.ChoiceLoader(
            [
                *map(_FolderLoader, folders),
                jinja2.PrefixLoader({"shipped": _FolderLoader(folders[-1])}),
            ]
        ),
        autoescape=jinja2.select_autoescape(enabled_extensions=("html", "svg", "xml")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=_COMPILED[kind],
    )
    environment.filters |= {
        "anchor": blocks.block_anchor,
        "block_text": blocks.block_markdown,
        "authors": short_authors,
        "all_authors": first_authors,
        "column_styles": blocks.column_styles,
        "date": date_in_words,
        "drawings": drawings,
        "figure_columns": blocks.figure_columns,
        "figure_rows": blocks.figure_rows,
        "grouped": "{:,}".format,
        "highwire": highwire_tags,
        "picture_sizes": picture_sizes,
        "plain": plain_text,
        "reference_text": blocks.reference_text,
        "runs": blocks.split_paragraph,
        "sentences_of": sentences_of,
        "title_text": blocks.escape_title,
        "web_address": paths.web_address,
    }
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    environment.tests |= {"block_text": blocks.is_block_text, "claim": blocks.is_claim}
    environment.globals["statuses"] = blocks.STATUSES
    environment.globals["accents"] = legible_accents(accent) if accent else (LIGHT, DARK)
    environment.globals["colours"] = colours_of("")
    return environment


def is_outside_project(template: Path, folder: Path) -> bool:
    """Return whether a template in `folder` is a symbolic link to a file outside the project."""
    return not template.resolve().is_relative_to(folder.resolve().parent)


class _FolderLoader(jinja2.FileSystemLoader):
    """Loads templates from a folder, except symbolic links to files outside the project."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template; raise TemplateNotFound for a link to a file outside the project."""
        source = super().get_source(environment, template)
        if is_outside_project(Path(source[1]), Path(self.searchpath[0])):
            raise jinja2.TemplateNotFound(template)
        return source


def style_sheets(environment: Environment) -> tuple[tuple[str, str], ...]:
    """Return name and medium of the existing style sheets."""
    names = environment.list_templates(extensions=["css"])
    return tuple(sheet for sheet in paths.STYLE_SHEETS if sheet[0] in names)


KINDS: Mapping[Kind, str] = {
    "Q": "quoted from an abstract",
    "P": "paraphrased: a sentence of a digest",
    "C": "computed",
    "T": "drawn together from papers that share a fact",
    "H": "written by the editors",
    "D": "a definition of the taxonomy",
}
SourceLink = tuple[str, str, str]
"""A source of a sentence: description, path of a page or "", value of a fact or ""."""


def provenance(catalogue: Catalogue, sentence: Sentence) -> tuple[str, list[SourceLink]]:
    """Return the kind and the sources of a sentence as text and links."""
    scheme, _, rest = sentence.source.partition(": ")
    names, survey = rest.split(", "), catalogue.survey
    if scheme == "fieldguide":
        return "fixed words", [("Fieldguide’s own words", "method.html", "")]
    if scheme == "facts":
        links = [_fact_link(survey, name) for name in names]
    elif scheme == "metrics":
        links = [(f"measured: {name}", "method.html", "") for name in names]
    elif scheme in ("paper", "reviews.csv"):
        prefix = "" if scheme == "paper" else "reviews.csv: "
        links = [_paper_link(survey, name, prefix) for name in names]
    elif scheme == "taxonomy":
        links = [_taxonomy_link(catalogue, path) for path in names]
    else:
        links = [(sentence.source, "", "")]
    return KINDS[sentence.kind], links


def _fact_link(survey: Survey, fact_id: str) -> SourceLink:
    """Return the link to a fact."""
    value = str(survey.fact_values.get(fact_id, ""))
    if fact_id != "all" and "=" not in fact_id:
        return fact_id, "facts.json", value
    terms = terms_of(fact_id)
    description = " · ".join(_describe_term(survey, key, expected) for key, expected in terms)
    return description or "all papers", paths.browse_address(*terms), value


def _describe_term(survey: Survey, key: str, value: str) -> str:
    """Describe a term of a query, such as "filed under Safety"."""
    if key == "filed":
        facet, name = survey.taxonomy.first, "filed under"
    elif key in survey.taxonomy.facets:
        facet = survey.taxonomy.facets[key]
        name = name_in_prose(facet.name)
    else:
        return f"{key} {value}"
    category = facet.get(value)
    return f"{name} {category.name if category else value}"


def _paper_link(survey: Survey, paper_id: str, prefix: str) -> SourceLink:
    """Return the link to a paper's page."""
    entry = survey.paper(paper_id)
    if entry is None:
        return f"{prefix}{paper_id}", "", ""
    return f"{prefix}{entry.paper.title_marked}", paths.paper_page_path(entry), ""


def _taxonomy_link(catalogue: Catalogue, path: str) -> SourceLink:
    """Return the link to a definition in the taxonomy."""
    facet, _, rest = path.partition("/")
    category_id, _, _ = rest.rpartition("/")
    is_paged = facet == catalogue.survey.taxonomy.first.id and category_id in catalogue.paged_ids
    page = paths.category_page_path(category_id) if is_paged else "taxonomy.json"
    return f"taxonomy.yaml: {path}", page, ""


_MAX_AUTHORS = 3
_MAX_LISTED_AUTHORS = 15


def short_authors(paper: Paper) -> str:
    """Return the authors as a short phrase; "" if there are none.

    >>> short_authors(Paper("T", authors=("Ada One", "Ben Two", "Cy Three", "Di Four")))
    'Ada One et al.'
    """
    if not paper.authors:
        return ""
    if paper.has_more_authors or len(paper.authors) > _MAX_AUTHORS:
        return f"{plain_name(paper.authors[0])} et al."
    return join_words([plain_name(name) for name in paper.authors])


def first_authors(paper: Paper) -> str:
    """Return the names of up to fifteen authors, and the number of further authors."""
    listed = [plain_name(name) for name in paper.authors[:_MAX_LISTED_AUTHORS]]
    names = ", ".join(listed)
    more = max(paper.author_count or 0, len(paper.authors)) - len(listed)
    if more <= 0:
        return f"{names} et al." if paper.has_more_authors else names
    return f"{names} and {more} more" if names else count_in_digits(more, "author")

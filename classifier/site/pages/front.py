"""The front page: what was found, one large figure, where to begin, what is new, the topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from classifier.site import issues
from classifier.site.blocks import (
    BlockView,
    FigureView,
    Relink,
    block_views,
    figure_anchor,
    sentence_view,
)
from classifier.site.figures.files import figures_of
from classifier.site.listing import (
    Catalogue,
    CategoryItem,
    PaperItem,
    newest_first,
    paper_items,
    top_categories,
)
from classifier.site.markup import inline_to_html
from classifier.site.wording import counted
from classifier.survey.changes.compare import Changes
from classifier.survey.document import Document, Figure
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claim
from classifier.text.links import without_dead_links

_NEWEST = 6
_FINDINGS = 5
_SAID = {"for": "for", "against": "against", "depends": "with conditions"}
_BEGINNINGS, _STEPS = 5, 3
_LARGE = "months"
_KEY_FIGURES = (
    ("papers.total", "papers", "all"),
    ("papers.dated", "with a date", ""),
    ("papers.reviewed", "reviewed by people", "status=reviewed"),
    ("papers.imported", "filed so by their source", "status=imported"),
    ("papers.confident", "labelled with confidence", "status=confident"),
    ("papers.provisional", "filed provisionally", "status=provisional"),
)


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A number that the front page shows."""

    value: str
    label: str
    fact: str
    """The fact that it is."""
    query: str
    """What lists the papers that it counts, or ""."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence that says what was found, and where the survey says so."""

    text: Markup
    source: str
    """Of what it is: `3 papers for, one against`, `Figure 2`."""
    address: str


@dataclass(frozen=True, slots=True)
class Beginning:
    """Papers of a category with which to begin."""

    name: str
    page: str
    steps: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the front page shows."""

    abstract: tuple[BlockView, ...]
    findings: tuple[Finding, ...]
    has_claims: bool
    """Whether papers speak for any of them; without claims they are counts."""
    figures: tuple[KeyFigure, ...]
    picture: FigureView | None
    picture_page: str
    beginnings: tuple[Beginning, ...]
    core: tuple[CategoryItem, ...]
    others: tuple[CategoryItem, ...]
    newest: tuple[PaperItem, ...]
    changed: str
    """What is new since the baseline, as a sentence; "" without one."""
    new_paper: str
    """Where to ask for a paper, or ""."""


def front_page(
    catalogue: Catalogue, changes: Changes | None, pages: Mapping[str, str], relink: Relink
) -> FrontPage:
    """Return what the front page shows; pages: anchor of the survey -> page on which it stands."""
    edition = catalogue.edition
    items = [catalogue.category(category) for category in top_categories(edition)]
    dated = [entry for entry in newest_first(edition.entries) if entry.paper.published.date]
    added = {mark.id for mark in changes.added} if changes else set()
    new = [entry for entry in newest_first(edition.entries) if entry.paper.id in added] or dated
    figures = {figure.id: figure for figure in figures_of(edition.document)}
    large = figures.get(_LARGE) or figures.get("topics")
    (picture,) = block_views([large], relink) if large else (None,)
    claims = _claims(edition, pages)
    findings = (*claims, *_computed(figures, large, pages))
    return FrontPage(
        abstract=tuple(
            block
            for section in edition.document.sections
            if section.id == "abstract"
            for block in block_views(section.blocks[:1], relink)
        ),
        findings=findings[:_FINDINGS],
        has_claims=bool(claims),
        figures=key_figures(edition),
        picture=picture if isinstance(picture, FigureView) else None,
        picture_page=pages[picture.id] if isinstance(picture, FigureView) else "",
        beginnings=tuple(_beginnings(edition.document, items, relink)),
        core=tuple(item for item in items if item.core),
        others=tuple(item for item in items if not item.core),
        newest=tuple(paper_items(catalogue, new[:_NEWEST], relink)),
        changed=_changed(changes, catalogue) if changes else "",
        new_paper=issues.new_paper(edition.taxonomy),
    )


def key_figures(edition: Survey) -> tuple[KeyFigure, ...]:
    """Return the numbers to show; one that is not among the facts is left out."""
    return tuple(
        KeyFigure(str(edition.fact_values[fact]), label, fact, query)
        for fact, label, query in _KEY_FIGURES
        if fact in edition.fact_values
    )


def _claims(edition: Survey, pages: Mapping[str, str]) -> list[Finding]:
    """Return the claims on which most sentences bear, those with two sides first, one a topic."""

    def weight(claim: Claim) -> tuple[int, int]:
        sides = Counter(placement.side for placement in claim.placements)
        return min(sides["for"], sides["against"] + sides["depends"]), sum(sides.values())

    found: dict[str, Finding] = {}
    for claim in sorted(edition.claims.claims, key=weight, reverse=True):
        anchor = f"{claim.topic}-{claim.name}"
        sides = Counter(placement.side for placement in claim.placements)
        told = [f"{sides[side]} {words}" for side, words in _SAID.items() if sides[side]]
        if anchor in pages and told and claim.topic not in found:
            text = inline_to_html(without_dead_links(claim.text))
            source = f"papers: {', '.join(told)}"
            found[claim.topic] = Finding(text, source, f"{pages[anchor]}#{anchor}")
    return list(islice(found.values(), _FINDINGS))


def _computed(
    figures: Mapping[str, Figure], large: Figure | None, pages: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield what the figures of the survey found, but for the one that is shown."""
    for figure in figures.values():
        if figure is not large and figure.id != "flow":
            anchor = figure_anchor(figure)
            title = inline_to_html(f"{figure.title}.")
            yield Finding(title, f"Figure {figure.number}", f"{pages[anchor]}#{anchor}")


def _beginnings(
    document: Document, items: Sequence[CategoryItem], relink: Relink
) -> Iterator[Beginning]:
    """Yield the paths to read that the sections of the survey name, of core categories first."""
    ordered = sorted(items, key=lambda item: not item.core)
    with_path = 0
    for item in ordered:
        start = f"{item.id}-path-"
        steps = [s for s in document.sentences if s.id.startswith(start)]
        if steps and with_path < _BEGINNINGS:
            with_path += 1
            htmls = (sentence_view(step, relink).html for step in steps[:_STEPS])
            shown = tuple(Markup(html.replace("To begin with: ", "", 1)) for html in htmls)
            yield Beginning(item.name, item.page, shown)


def _changed(changes: Changes, catalogue: Catalogue) -> str:
    """Return what came since the baseline, as a sentence for readers."""
    names = Counter(
        entry.first.primary
        for entry in catalogue.edition.entries
        if entry.paper.id in {mark.id for mark in changes.added}
    )
    left = f", {len(changes.dropped)} left" if changes.dropped else ""
    if not changes.added:
        return f"No paper is new since the last edition{left}."
    [(most, number), *_] = names.most_common(1) or [("", 0)]
    category = catalogue.edition.taxonomy.first.get(most)
    is_are = "is" if len(changes.added) == 1 else "are"
    where = f", most of them in {category.name} ({number})" if category and len(names) > 1 else ""
    return (
        f"{counted(len(changes.added), 'paper')} {is_are} new since the last edition{where}{left}."
    )

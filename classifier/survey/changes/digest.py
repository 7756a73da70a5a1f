"""A digest of changes for a newsletter or a chat: new papers by topic, and changed labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.evaluation.report import paper_count
from classifier.survey.changes.compare import Changes, Move
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper


@dataclass(frozen=True, slots=True)
class _DigestWriter:
    """Writes the lines of a digest as plain text or as Markdown."""

    names: Mapping[str, str]
    """Names of the categories of the first facet, by id."""
    is_markdown: bool

    def part(self, heading: str, lines: Iterable[str]) -> str:
        """Return a heading with the lines below it."""
        return "\n".join([f"{'## ' if self.is_markdown else ''}{heading}", "", *lines])

    def new_papers(self, papers: Iterable[PublishedPaper], facet: str) -> Iterator[str]:
        """Yield one block per category with new papers, sorted by title."""
        by_category: dict[str, list[PublishedPaper]] = {}
        for paper in sorted(papers, key=lambda each: (_primary(each, facet), each.title)):
            by_category.setdefault(_primary(paper, facet), []).append(paper)
        for category, members in by_category.items():
            heading = f"New in {self.name(category)}" if category else "New"
            yield self.part(heading, map(self.paper, members))

    def paper(self, paper: PublishedPaper) -> str:
        """Return the line of a new paper, with its address if its id contains one."""
        scheme, _, rest = paper.id.partition(":")
        home = {"arxiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}.get(scheme, "")
        title = self.text(paper.title)
        if not home:
            return f"- {title}"
        return f"- [{title}](<{home}{rest}>)" if self.is_markdown else f"- {title}\n  {home}{rest}"

    def move(self, title: str, old_category: str, new_category: str, note: str) -> str:
        """Return the line of a paper that is now in another category."""
        return (
            f"- {self.text(title)}: {self.name(old_category)} → {self.name(new_category)} ({note})"
        )

    def name(self, category: str) -> str:
        """Return the name of a category in the format of the digest."""
        return self.names.get(category, category) or "none"

    def text(self, title: str) -> str:
        """Return a title in the format of the digest."""
        one_line = " ".join(title.split())
        if self.is_markdown:
            for sign in "\\`*_[]<>":
                one_line = one_line.replace(sign, f"\\{sign}")
        return one_line


def format_digest(changes: Changes, names: Mapping[str, str], *, markdown: bool = False) -> str:
    """Write the digest as plain text or Markdown.

    names: names of the first facet's categories, by id.
    """
    if not changes:
        return f"Nothing changed: {paper_count(changes.papers[1])}.\n"
    writer = _DigestWriter(names, markdown)
    parts = [*writer.new_papers(changes.added, changes.first)]
    moved = [
        writer.move(move.title, _primary_of(move.before), _primary_of(move.now), move.reason)
        for move in _changed_primaries(changes.relabelled, changes.first)
    ]
    dropped = [f"- {writer.text(paper.title)}" for paper in changes.dropped]
    for heading, lines in (("Labels changed", moved), ("No longer in the survey", dropped)):
        if lines:
            parts.append(writer.part(heading, lines))
    return "\n\n".join(parts) + "\n"


def format_digest_since(
    survey: Publication, since: str, names: Mapping[str, str], *, markdown: bool = False
) -> str:
    """Write the digest of the papers that entered the survey or were moved since an ISO date.

    The lock has the dates of entry. Without a lock, the dates of publication are used, and the last
    line says so. names, markdown: as in `format_digest`.
    """
    writer = _DigestWriter(names, markdown)
    papers = [paper for _, paper in sorted(survey.papers.items())]
    new = [paper for paper in papers if (paper.history.entered_on or paper.published) >= since]
    moved = [
        writer.move(
            paper.title, paper.history.moved_from, _primary(paper, survey.first),
            paper.history.moved_on,
        )
        for paper in papers
        if paper.history.moved_on >= since and paper not in new
    ]  # fmt: skip
    if not new and not moved:
        return f"No paper entered or moved since {since}: {paper_count(len(papers))}.\n"
    parts = [*writer.new_papers(new, survey.first)]
    parts += [writer.part("Labels changed", moved)] if moved else []
    if n_unrecorded := sum(not paper.history.entered_on for paper in new):
        parts.append(f"New by date of publication, without a date of entry: {n_unrecorded}.")
    return "\n\n".join(parts) + "\n"


def _primary(paper: PublishedPaper, facet: str) -> str:
    """Return the primary category of a paper in a facet, or ""."""
    return _primary_of(paper.labels.get(facet))


def _primary_of(labels: PublishedLabels | None) -> str:
    """Return the primary category of labels, or ""."""
    return labels.primary if labels else ""


def _changed_primaries(moves: Sequence[Move], first_facet: str) -> Iterator[Move]:
    """Yield the moves that change the primary category.

    first_facet: id of the first facet.
    """
    for move in moves:
        if move.facet == first_facet and _primary_of(move.before) != _primary_of(move.now):
            yield move

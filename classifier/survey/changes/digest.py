"""The digest of changes for a newsletter or a chat: new papers by topic, and changed labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from classifier.evaluation.report import paper_count
from classifier.survey.changes.compare import Changes, Move
from classifier.survey.changes.published import PublishedLabels, PublishedPaper


def digest(changes: Changes, names: Mapping[str, str], *, markdown: bool = False) -> str:
    """Return the digest as plain text or Markdown.

    names: category id -> name, of the facet by which the survey is grouped.
    """
    if not changes:
        return f"Nothing changed: {paper_count(changes.papers[1])}.\n"
    mark = "## " if markdown else ""
    parts = []
    for topic, papers in _by_topic(changes).items():
        heading = f"{mark}New in {names.get(topic, topic)}" if topic else f"{mark}New"
        parts.append([heading, "", *(_line(paper, markdown) for paper in papers)])
    moved = list(_moves(changes, names, markdown))
    dropped = [f"- {_text(paper.title, markdown)}" for paper in changes.dropped]
    for heading, lines in (("Labels changed", moved), ("No longer in the survey", dropped)):
        if lines:
            parts.append([f"{mark}{heading}", "", *lines])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _by_topic(changes: Changes) -> dict[str, list[PublishedPaper]]:
    """Return the added papers by the category under which they are filed, then by title."""
    found: dict[str, list[PublishedPaper]] = {}
    for paper in sorted(changes.added, key=lambda each: (_filed(each, changes), each.title)):
        found.setdefault(_filed(paper, changes), []).append(paper)
    return found


def _filed(paper: PublishedPaper, changes: Changes) -> str:
    labels = paper.labels.get(changes.first)
    return labels.primary if labels else ""


def _moves(changes: Changes, names: Mapping[str, str], markdown: bool) -> Iterator[str]:
    """Yield a line per paper that is filed under another category now."""
    for move in _refiled(changes.relabelled, changes.first):
        before, now = (_name(labels, names) for labels in (move.before, move.now))
        yield f"- {_text(move.title, markdown)}: {before} → {now} ({move.reason})"


def _refiled(moves: Sequence[Move], first: str) -> Iterator[Move]:
    for move in moves:
        before, now = (each.primary if each else "" for each in (move.before, move.now))
        if move.facet == first and before != now:
            yield move


def _name(labels: PublishedLabels | None, names: Mapping[str, str]) -> str:
    return names.get(labels.primary, labels.primary) if labels else "none"


def _line(paper: PublishedPaper, markdown: bool) -> str:
    """Return a new paper with its address, if its id has one."""
    scheme, _, rest = paper.id.partition(":")
    home = {"arxiv": "https://arxiv.org/abs/", "doi": "https://doi.org/"}.get(scheme, "")
    title = _text(paper.title, markdown)
    if not home:
        return f"- {title}"
    return f"- [{title}](<{home}{rest}>)" if markdown else f"- {title}\n  {home}{rest}"


def _text(title: str, markdown: bool) -> str:
    one_line = " ".join(title.split())
    if not markdown:
        return one_line
    for sign in "\\`*_[]<>":
        one_line = one_line.replace(sign, f"\\{sign}")
    return one_line

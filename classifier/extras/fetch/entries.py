"""New entries of a list: looked up, and where the classifier would file them.

A keeper of an “awesome list” reads it in a pull request that adds a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.extras.fetch.metadata import Finder, Match, lacking
from classifier.extras.fetch.papers_file import join_papers, read_rows, rows_bytes
from classifier.files.writing import make_folder, sole_writer, write_file
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.identity import own_ids
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.survey.inputs import Inputs
from classifier.taxonomy.model import Facet
from classifier.text.normalise import title_id

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages

Label = Callable[[Sequence[Paper]], Sequence[PaperLabels]]
_MOST_REASONS = 3
_MOST_LIKELY = 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry of a list, and what is proposed for it."""

    paper: Paper
    """With what was found of it."""
    source: str
    """The service that knows its abstract, or ""."""
    likeliest: tuple[tuple[str, float], ...]
    """Names of at most two categories with their probability, the likeliest first."""
    because: tuple[str, ...]
    """The strongest reasons for the first."""

    @property
    def line(self) -> str:
        """The proposal as a line of Markdown."""
        named = " or ".join(f"**{name}** ({share:.0%})" for name, share in self.likeliest)
        why = f", because of {', '.join(self.because)}" if self.because else ""
        under = f" It stands under “{' / '.join(self.paper.collections)}”."
        read = f"its abstract is from {self.source}" if self.source else "read by its title alone"
        return (
            f"- {self.paper.title_display}: proposed {named}{why} ({read})."
            f"{under if self.paper.collections else ''}"
        )


def propose(
    project: Project,
    inputs: Inputs,
    label: Label,
    lists: Sequence[Path],
    before: Sequence[Path],
    pages: Pages,
    progress: Progress | None = None,
) -> tuple[list[Proposal], dict[str, str]]:
    """Return a proposal for each new entry, and name of a service that failed -> why.

    label: gives papers their labels. lists: files that hold entries; before: as they were. Without
    `before` an entry is new of which the project has no abstract. Raises InputError for faults of
    the lists.
    """
    if before:
        known = _ids(load_papers(before, project.root).papers)
    else:
        known = _ids(paper for paper in inputs.corpus.papers if paper.abstract)
    entries = load_papers(lists, project.root).papers
    new = [paper for paper in entries if not _ids([paper]) & known]
    if not new:
        return [], {}
    finder = Finder(pages, progress=progress)
    matches = finder.find(lacking(new))
    facet = inputs.taxonomy.first
    found = [_completed(paper, matches.get(paper.id, ())) for paper in new]
    labelled = label([paper for paper, _ in found])
    return [
        _proposal(paper, source, labels.facets[facet.id], facet)
        for (paper, source), labels in zip(found, labelled, strict=True)
    ], finder.failures


def take(project: Project, proposals: Sequence[Proposal]) -> Path:
    """Write what was found to papers/list.jsonl, each with the headings that it stands under."""
    path = project.root / "papers" / "list.jsonl"
    make_folder(path.parent)
    with sole_writer(path):
        rows = read_rows(path, project.shown(path))
        write_file(path, rows_bytes(join_papers(rows, (each.paper for each in proposals)).rows))
    return path


def headings_of(proposals: Sequence[Proposal]) -> dict[str, tuple[str, ...]]:
    """Return each id by which a proposed paper is known -> the headings that it stands under."""
    return {name: each.paper.collections for each in proposals for name in _ids([each.paper])}


def _ids(papers: Iterable[Paper]) -> set[str]:
    """Return all names by which papers are known."""
    return {name for paper in papers for name in (*own_ids(paper), title_id(paper.title))}


def _completed(paper: Paper, matches: Sequence[Match]) -> tuple[Paper, str]:
    """Return a paper with what the first safe match knows, and the service; else as it is, ""."""
    safe = next((match for match in matches if match.is_safe and match.found.abstract), None)
    if safe is None:
        return paper, ""
    found = safe.found
    return replace(
        paper,
        abstract=found.abstract,
        abstract_kind="abstract",
        authors=paper.authors or found.authors,
        published=paper.published if paper.published.date else found.published,
        venue=paper.venue or found.venue,
        arxiv_id=paper.arxiv_id or found.arxiv_id,
        doi=paper.doi or found.doi,
    ), safe.source


def _proposal(paper: Paper, source: str, labels: FacetLabels, facet: Facet) -> Proposal:
    ranked = sorted(labels.probabilities.items(), key=lambda item: -item[1])
    ranked = sorted(ranked, key=lambda item: item[0] != labels.primary)[:_MOST_LIKELY]
    named = ((facet.get(key), share) for key, share in ranked)
    because = [each.text for each in labels.why if each.weight > 0][:_MOST_REASONS]
    likeliest = tuple((category.name, share) for category, share in named if category)
    return Proposal(paper, source, likeliest, tuple(because))

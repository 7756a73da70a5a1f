"""Does a deleted category come back as a proposal? `python -m tools.benchmarks.growing`.

Each topic of the shipped taxonomy in turn is deleted: its cues, children and exemplars, and its
name from every decision; a paper decided for it alone becomes undecided. Then categories are
proposed for the papers, and the proposal that comes closest is compared with the papers that truly
have the topic: F1 over the labelled papers, the best of ten proposals. Prints Markdown. Needs the
abstracts and labels in ../shared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.evaluation.gold import match_gold, read_gold
from classifier.evaluation.suggestions import Proposal, propose_categories
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.decide import is_out_of_scope
from classifier.labelling.labels import Decision, Decisions
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id, title_key

ROOT = Path(__file__).resolve().parents[2]
FOUND = 0.6
"""The F1 from which a category counts as found again."""


@dataclass(frozen=True, slots=True)
class Material:
    """Papers, the truth about some of them, and whether the classifier may learn from it."""

    name: str
    papers: tuple[Paper, ...]
    truth: Decisions
    decided: bool


@dataclass(frozen=True, slots=True)
class Return:
    """How a deleted category came back."""

    category: str
    papers: int
    f1: float
    rank: int
    terms: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each set of papers; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("lists", "seeds"), help="one of the two sets")
    only = parser.parse_args(arguments).only
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        print(f"{shared}: not there. The abstracts and labels belong in it.", file=sys.stderr)
        return 1
    taxonomy = first_facet(load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy)
    for name, load in (("lists", lists), ("seeds", seeds)):
        if only in (None, name):
            material = load(shared, taxonomy)
            print(f"### {material.name}\n", flush=True)
            print(markdown(leave_one_out(taxonomy, material)), flush=True)
    return 0


def lists(shared: Path, taxonomy: Taxonomy) -> Material:
    """The papers of public lists, labelled by the taxonomy alone."""
    gold = read_gold(shared / "gold" / "dev_lists.csv", taxonomy, "dev_lists.csv")
    titles = {title_key(row.title) for row in gold}
    every = [paper for name in ("curated", "areas") for paper in _archive(shared, name)]
    distinct = {paper.id: paper for paper in reversed(every) if title_key(paper.title) in titles}
    papers = tuple(distinct.values())
    truth, _ = match_gold(gold, papers)
    return Material(f"{len(papers)} papers of lists, no decision", papers, truth, False)


def _archive(shared: Path, name: str) -> Iterator[Paper]:
    with gzip.open(shared / "data" / f"{name}_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            title, abstract = record["title"], record["abstract"]
            yield Paper(title, title_id(title), abstract=abstract, abstract_kind="abstract")


def seeds(shared: Path, taxonomy: Taxonomy) -> Material:
    """The survey's abstracts, half of them decided."""
    papers = load_papers(sorted((shared / "seeds").glob("*.txt")), shared).papers
    truth, _ = match_gold(read_gold(shared / "gold" / "dev.csv", taxonomy, "dev.csv"), papers)
    name = f"{len(papers)} abstracts of the survey, {len(truth)} decided"
    return Material(name, tuple(papers), truth, True)


def first_facet(taxonomy: Taxonomy) -> Taxonomy:
    """Return the taxonomy with its first facet alone: proposals are made for that one."""
    return Taxonomy(survey=taxonomy.survey, facets={taxonomy.first.id: taxonomy.first.model_dump()})


def leave_one_out(taxonomy: Taxonomy, material: Material) -> list[Return]:
    """Delete each category in scope in turn and see how it comes back."""
    facet = taxonomy.first
    scoped = [name for name in facet.ids if not is_out_of_scope(facet, name)]
    return [_return_of(name, taxonomy, material) for name in scoped]


def without_category(taxonomy: Taxonomy, category_id: str) -> Taxonomy:
    """Return the taxonomy without one category of its first facet."""
    facet = taxonomy.first
    rest = [category for category in facet.categories if category.id != category_id]
    shape = {**facet.model_dump(), "categories": [category.model_dump() for category in rest]}
    return Taxonomy(survey=taxonomy.survey, facets={facet.id: shape})


def without_decisions_for(truth: Decisions, taxonomy: Taxonomy, category_id: str) -> Decisions:
    """Return what people would have decided had the category not been there."""
    facet = taxonomy.first
    kept: dict[str, Mapping[str, Decision]] = {}
    for paper_id, decisions in truth.items():
        decision = decisions[facet.id]
        values = tuple(name for name in decision.values if facet.top_of(name) != category_id)
        if values:
            primary = decision.primary if decision.primary != category_id else values[0]
            kept[paper_id] = {facet.id: Decision(values, facet.top_of(primary))}
    return kept


def _return_of(category_id: str, taxonomy: Taxonomy, material: Material) -> Return:
    reduced = without_category(taxonomy, category_id)
    decisions = without_decisions_for(material.truth, taxonomy, category_id)
    classifier = TaxonomyClassifier(reduced)
    classifier.fit(material.papers, decisions if material.decided else None)
    labels = classifier.predict(material.papers)
    proposals = propose_categories(reduced, material.papers, labels)
    first = taxonomy.first.id
    true = {name for name, said in material.truth.items() if category_id in said[first].values}
    scores = [f1(proposal, true, material.truth) for proposal in proposals]
    best = scores.index(max(scores))
    terms = tuple(term.term for term in proposals[best].terms[:5])
    return Return(category_id, len(true), scores[best], best + 1, terms)


def f1(proposal: Proposal, true: set[str], labelled: Decisions) -> float:
    """Return the F1 of a proposal's labelled papers against those that truly belong."""
    proposed = {paper_id for paper_id in proposal.papers if paper_id in labelled}
    return 2 * len(proposed & true) / (len(proposed) + len(true))


def markdown(returns: Sequence[Return]) -> str:
    """Return the table and its summary."""
    rows = [
        f"| {one.category} | {one.papers} | {one.f1:.2f} | {one.rank} | {', '.join(one.terms)} |"
        for one in returns
    ]
    found = sum(one.f1 >= FOUND for one in returns)
    mean = sum(one.f1 for one in returns) / len(returns)
    return "\n".join(
        [
            "| deleted category | papers | F1 of the best proposal | its rank | its terms |",
            "|---|---|---|---|---|",
            *rows,
            f"\n{found} of {len(rows)} found again (F1 of {FOUND} or more); mean F1 {mean:.2f}\n",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())

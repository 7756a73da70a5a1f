"""Agreement of drafted categories with human labels: `python -m tools.first_hour_draft`.

For each labelled field of `../shared/data/fields`, draw 364 papers, draft categories from their
texts as `fieldguide new` does, label the papers by them without any decision, and compare each
paper's primary category with its true label. Print the adjusted mutual information (AMI; 0 is
chance, 1 is a perfect match), the mean of five draws, and the categories of the first draw.

Arguments are names of fields; without any, all are measured.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from sklearn.metrics import adjusted_mutual_info_score

from classifier.commands.new.categories import draft_categories
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, SurveySettings, Taxonomy

FIELDS = Path(__file__).resolve().parents[2] / "shared" / "data" / "fields"
N_PAPERS = 364
N_DRAWS = 5


def main() -> None:
    """Print one line per field, and with `--names` the drafted categories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fields", nargs="*", help="names of folders in ../shared/data/fields")
    parser.add_argument("--names", action="store_true", help="print the categories of draw 1")
    parser.add_argument("--draws", type=int, default=N_DRAWS)
    options = parser.parse_args()
    fields = options.fields or sorted(path.parent.name for path in FIELDS.glob("*/texts.jsonl.gz"))
    for field in fields:
        papers, truth = read_field(field)
        scores = []
        for draw in range(options.draws):
            chosen = np.random.default_rng(draw).permutation(len(papers))[:N_PAPERS].tolist()
            taxonomy = draft_taxonomy([papers[i] for i in chosen])
            assigned = assign(taxonomy, [papers[i] for i in chosen])
            scores.append(adjusted_mutual_info_score([truth[i] for i in chosen], assigned))
            if draw == 0 and options.names:
                print_categories(taxonomy, assigned)
        spread = stdev(scores) if len(scores) > 1 else 0.0
        sys.stdout.write(f"{field:8} AMI {mean(scores):.3f} (sd {spread:.3f})\n")
        sys.stdout.flush()


def read_field(name: str) -> tuple[list[Paper], list[str]]:
    """Return the papers of a field and the true label of each."""
    with gzip.open(FIELDS / name / "texts.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    papers = [
        Paper(
            id=f"p-{number:010x}",
            title=row["title"],
            abstract=row["abstract"],
            abstract_kind="abstract" if row["abstract"] else "none",
        )
        for number, row in enumerate(rows)
    ]
    return papers, [row["label"] for row in rows]


def draft_taxonomy(papers: list[Paper]) -> Taxonomy:
    """Return the taxonomy that `fieldguide new` drafts from `papers`."""
    categories, _ = draft_categories(papers)
    at_most = min(2, len(categories))
    facet = Facet(id="topic", kind="multi", at_most=at_most, categories=categories)
    return Taxonomy(survey=SurveySettings(title="Draft"), facets={"topic": facet})


def assign(taxonomy: Taxonomy, papers: list[Paper]) -> list[str]:
    """Return the primary category of each paper, "" where it has none."""
    labels = TaxonomyClassifier(taxonomy).fit(papers, {}).label(papers)
    return [label.facets["topic"].primary or "" for label in labels]


def print_categories(taxonomy: Taxonomy, assigned: list[str]) -> None:
    """Print each category with its number of papers, its cues and an exemplar."""
    for category in taxonomy.first.categories:
        cues = ", ".join([*category.cues.title, "|", *category.cues.anywhere])
        line = f"  {assigned.count(category.id):4} {category.name}: {cues}\n"
        sys.stdout.write(line)


if __name__ == "__main__":
    main()

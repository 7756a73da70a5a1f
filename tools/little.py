"""What labels are worth with little to learn from, and no prior.

    python -m tools.little [--draws 2] [--json FILE]

A project of 364 fresh papers, which no author of a cue has seen, of which none, 10, 30 or 182 are
decided; scored on 600 others. With the shipped cues and with those of a first day, five a category.
Projects of 38 and 91 papers without a decision. And another field: four kinds of news by a dozen
cues each, learned from 800 texts without labels (AG News; Zhang, Zhao & LeCun 2015).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from classifier.labelling.classifier import TaxonomyClassifier
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from tools.first_day import first_day
from tools.labelled import (
    Material,
    Report,
    figures,
    given,
    lines,
    parser_of,
    read_material,
    without_exemplars,
)

SIZES = ((364, 0), (364, 10), (364, 30), (364, 182), (38, 0), (91, 0))
"""Papers of a project, and how many of them are decided."""
SCORED = 600
NEWS = Path(__file__).with_name("news.yaml")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("little", __doc__)
    parser.add_argument("--draws", type=int, default=2, help="of projects and scored papers")
    options = parser.parse_args(arguments)
    material, report = read_material(), Report(options)
    for cues in ("shipped cues", "first-day cues"):
        for papers, decided in SIZES:
            _project(material, report, cues, papers, decided, options.draws)
    accuracy = _news()
    report.say("another field: news filed right", accuracy, f"{accuracy:.3f} (expected: 0.77)")
    return report.end()


def _project(
    material: Material, report: Report, cues: str, papers: int, decided: int, draws: int
) -> None:
    taxonomy = without_exemplars(material.taxonomy)
    if cues == "first-day cues":
        taxonomy = first_day(taxonomy)
    found = []
    for draw in range(draws):
        order = np.random.default_rng(50 + draw).permutation(len(material.fresh.papers))
        project, scored = (material.fresh.of(order[part]) for part in (
            slice(papers), slice(364, 364 + SCORED)
        ))  # fmt: skip
        told = material.fresh.of(order[:decided]).decisions
        classifier = TaxonomyClassifier(taxonomy).fit(project.papers, told)
        labels = classifier.predict(scored.papers, explain="nothing")
        found.append(figures(taxonomy, [given(taxonomy, scored, labels)]))
    # Draws have other papers each: the mean of their figures, the interval of the first.
    mean = {
        name: type(figure)(
            float(np.mean([each[name].value for each in found])), figure.low, figure.high
        )
        for name, figure in found[0].items()
    }
    report.add(f"{papers} papers, {decided} decided, {cues}", mean)


def _news() -> float:
    taxonomy = load_taxonomy(NEWS).taxonomy
    parts: dict[str, list[Paper]] = {"train": [], "test": []}
    truth = []
    for number, record in enumerate(lines("agnews_800")):
        part = str(record["part"])
        parts[part].append(Paper("", f"{part}-{number:04d}", str(record["text"]), "abstract"))
        if part == "test":
            truth.append(taxonomy.first.ids[int(record["label"])])
    labels = TaxonomyClassifier(taxonomy).fit(parts["train"]).predict(parts["test"])
    filed = [label.facets["topic"].primary for label in labels]
    return float(np.mean([one == other for one, other in zip(filed, truth, strict=True)]))


if __name__ == "__main__":
    sys.exit(main())

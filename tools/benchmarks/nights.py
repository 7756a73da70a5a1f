"""How many labels move by themselves when a survey grows a little every night.

`python -m tools.benchmarks.nights [--start 300] [--more 6] [--nights 10]`

The shipped papers in an order of chance (one seed): a survey of the first ones with its decisions,
then nights that each add some. Of each night: labels shown as sure that moved, and the share of
provisional ones. The limits of `fieldguide diff --alarm` have to lie above that.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from random import Random

from classifier.labelling.labels import PaperLabels
from classifier.learning import label_corpus, train
from classifier.project import embedded_project
from classifier.survey.inputs import Inputs, read_inputs


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    for name, default in (("--start", 300), ("--more", 6), ("--nights", 10)):
        options.add_argument(name, type=int, default=default)
    told = options.parse_args()
    inputs = read_inputs(embedded_project())
    order = sorted(paper.id for paper in inputs.corpus.papers)
    Random(0).shuffle(order)
    before = labelled(inputs, set(order[: told.start]))
    print("night  papers  flips      %  provisional  points")
    for night in range(1, told.nights + 1):
        now = labelled(inputs, set(order[: told.start + night * told.more]))
        flips = [key for key in before if status(before[key]) != "provisional"
                 and primary(before[key]) != primary(now[key])]  # fmt: skip
        sure = sum(status(label) != "provisional" for label in before.values())
        shares = [provisional(side) for side in (before, now)]
        print(f"{night:5}  {len(now):6}  {len(flips):5}  {100 * len(flips) / sure:5.1f}"
              f"  {shares[1]:11.1%}  {100 * (shares[1] - shares[0]):+6.1f}")  # fmt: skip
        before = now


def labelled(inputs: Inputs, ids: set[str]) -> dict[str, PaperLabels]:
    """Return the labels of the survey of some papers alone."""
    papers = tuple(paper for paper in inputs.corpus.papers if paper.id in ids)
    few = replace(
        inputs,
        corpus=replace(inputs.corpus, papers=papers),
        decisions={key: value for key, value in inputs.decisions.items() if key in ids},
    )
    return {label.paper_id: label for label in label_corpus(few, train(few))}


def primary(label: PaperLabels) -> str:
    return label.facets["topic"].primary


def status(label: PaperLabels) -> str:
    return label.facets["topic"].status


def provisional(labels: dict[str, PaperLabels]) -> float:
    return sum(status(label) == "provisional" for label in labels.values()) / len(labels)


if __name__ == "__main__":
    main()

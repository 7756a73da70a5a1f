"""What was true of each scored paper and what it was given: kept, so that two runs can be paired.

In JSON a facet of a paper is a few lists of top categories, each with the filed one first ("" where
there is none): `{"truth": [...], "given": [[...], ...], "unknown": [...]}`, one list of `given` a
repeat. `unknown`, left out where it is empty, names categories that the truth says nothing about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from classifier.errors import Fault, InputError
from classifier.files.reading import read_text
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What was true of the scored papers, and what they were given."""

    truth: Decisions
    """Paper id -> facet id -> what is true; top categories alone."""
    rounds: tuple[Mapping[str, PaperLabels], ...]
    """Per repeat: paper id -> what it was given; categories and primaries alone count."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Paper id -> title; empty where they are not known."""


def outcomes_of(
    papers: Sequence[Paper], truth: Decisions, rounds: Sequence[Sequence[PaperLabels]]
) -> Outcomes:
    """Return the outcomes of the scored papers; each round labels them in their order."""
    return Outcomes(
        {paper.id: truth[paper.id] for paper in papers},
        tuple({label.paper_id: label for label in labels} for labels in rounds),
        {paper.id: paper.title for paper in papers},
    )


def outcomes_json(outcomes: Outcomes) -> dict[str, object]:
    """Return paper id -> facet id -> its outcome, sorted by id."""
    return {
        paper_id: {
            facet_id: _outcome_json(facet_id, decision, paper_id, outcomes)
            for facet_id, decision in sorted(outcomes.truth[paper_id].items())
        }
        for paper_id in sorted(outcomes.truth)
    }


def _outcome_json(
    facet_id: str, decision: Decision, paper_id: str, outcomes: Outcomes
) -> dict[str, object]:
    answers = [labels[paper_id].facets.get(facet_id) for labels in outcomes.rounds]
    kept: dict[str, object] = {
        "truth": _tops(decision.primary, decision.values),
        "given": [_tops(a.primary, a.categories) if a else [""] for a in answers],
    }
    return {**kept, "unknown": list(decision.unknown)} if decision.unknown else kept


def _tops(primary: str, values: Iterable[str]) -> list[str]:
    filed = primary.partition("/")[0]
    return [filed, *sorted({value.partition("/")[0] for value in values} - {filed})]


def read_outcomes(path: Path, taxonomy: Taxonomy) -> Outcomes:
    """Read the outcomes that `fieldguide evaluate --json` wrote, under today's names of categories.

    What is filed under a category that is gone keeps its name, and is the truth of no paper today.
    Raises InputError where the file holds none.
    """
    wanted, cure = "a file of `fieldguide evaluate --json`", ""
    try:
        kept = json.loads(read_text(path))
        if isinstance(kept, dict) and "outcomes" not in kept and "cross_validated" in kept:
            cure = "An earlier version wrote it, without what is needed to pair: write it anew."
        return _outcomes(kept["outcomes"], taxonomy)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        found = "figures without outcomes" if cure else "another file"
        raise InputError([Fault("error", str(path), None, found, wanted, cure)]) from error


def _outcomes(kept: Mapping[str, Mapping[str, Any]], taxonomy: Taxonomy) -> Outcomes:
    truth: dict[str, dict[str, Decision]] = {}
    rounds: list[dict[str, PaperLabels]] = []
    for paper_id, facets in kept.items():
        known = {name: told for name, told in facets.items() if name in taxonomy.facets}
        truth[paper_id] = {
            name: Decision(*_current(taxonomy.facet(name), told["truth"]),
                           unknown=tuple(told.get("unknown", ())))
            for name, told in known.items()
        }  # fmt: skip
        repeats = max((len(told["given"]) for told in known.values()), default=0)
        while len(rounds) < repeats:
            rounds.append({})
        for number in range(repeats):
            labels = {
                name: _labels(*_current(taxonomy.facet(name), told["given"][number]))
                for name, told in known.items()
            }
            rounds[number][paper_id] = PaperLabels(paper_id, labels)
    return Outcomes(truth, tuple(rounds))


def _current(facet: Facet, listed: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return (categories, primary) of a list whose first is the primary, as they are called now."""
    names = []
    for name in map(str, listed):
        category = facet.resolve(name) if name else None
        names.append(facet.top_of(category.id) if category else name)
    return tuple(sorted({name for name in names if name})), names[0]


def _labels(categories: tuple[str, ...], primary: str) -> FacetLabels:
    return FacetLabels(categories, primary, 0.0, "provisional", {})

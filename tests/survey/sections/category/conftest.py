"""A garden with a question of its own for soil, and papers written in one line each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper, Published
from classifier.survey.document import Draft
from classifier.survey.entry import SurveyPaper
from classifier.survey.names import NameFinder
from classifier.survey.related import papers_mentioning
from classifier.survey.sample_facts import compute_facts
from classifier.survey.sections.category.subject import Subject, top_subject
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Taxonomy
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences

GARDEN: dict[str, Any] = {
    "survey": {"title": "Gardens"},
    "facets": {
        "topic": {
            "kind": "multi",
            "categories": [
                {
                    "id": "soil",
                    "name": "Soil",
                    "definition": "What plants stand in.",
                    "children": [
                        {"id": "soil/compost", "name": "Compost", "definition": "Rotten plants."},
                        {"id": "soil/peat", "name": "Peat"},
                    ],
                },
                {"id": "seeds", "name": "Seeds"},
                {"id": "rain", "name": "Rain"},
                {"id": "other", "name": "Out of scope", "out_of_scope": True},
            ],
        },
        "contribution": {
            "kind": "single",
            "categories": [
                {"id": "method", "name": "Method"},
                {"id": "study", "name": "Study"},
                {"id": "benchmark", "name": "Benchmark"},
            ],
        },
        "dug_with": {
            "name": "Dug with",
            "kind": "multi",
            "applies_to": ["soil"],
            "categories": [
                {"id": "spade", "name": "a spade", "cues": {"anywhere": ["spade"]}},
                {"id": "fork", "name": "a fork"},
            ],
        },
        "moisture": {
            "name": "Moisture",
            "kind": "multi",
            "applies_to": ["soil"],
            "categories": [
                {"id": "wet", "name": "wet", "cues": {"anywhere": ["wet"]}},
                {"id": "dry", "name": "dry"},
            ],
        },
        "eligible": {  # by hand: it has no cues
            "name": "Eligible",
            "kind": "single",
            "applies_to": ["soil"],
            "categories": [{"id": "in", "name": "included"}, {"id": "out", "name": "left out"}],
        },
    },
    "lexicons": {"benchmarks": {"Spade test": [], "Worm count": []}},
}

Claims = Sequence[Mapping[str, Any]]
SubjectOf = Callable[..., Subject]


def _labels(facet: str, words: Mapping[str, str], line: str) -> FacetLabels:
    values = tuple(words.get(facet, "").split("+")) if words.get(facet) else ()
    primary = values[0] if values else ""
    status: Any = words.get("status", "confident")
    chances = dict.fromkeys(values, 0.9) | {words.get("next", "rain"): 0.3}
    return FacetLabels(values, primary, 0.9, status, chances if facet == "topic" else {})


def entry_of(number: int, line: str, taxonomy: Taxonomy) -> SurveyPaper:
    """Return the paper that a line describes: `topic=soil+seeds contribution=study | its text`."""
    head, _, text = line.partition("|")
    words = dict(word.split("=", 1) for word in head.split())
    words = {"topic": "soil", "contribution": "method", **words}
    title, text = words.get("title", f"Paper {number}").replace("_", " "), text.strip()
    paper = Paper(
        title=title,
        id=f"p-{number:010x}",
        abstract=text,
        abstract_kind=words.get("text", "digest") if text else "none",  # type: ignore[arg-type]
        published=Published(words.get("date", "")),
        code_urls=tuple(filter(None, [words.get("code", "")])),
    )
    asked = ["topic", "contribution"]
    if "soil" in words["topic"].split("+"):
        asked += ["dug_with", "moisture", "eligible"]
    labels = {facet: _labels(facet, words, line) for facet in asked}
    finder, sentences = NameFinder(taxonomy.lexicons), roled_sentences(text)
    return SurveyPaper(
        paper,
        PaperLabels(paper.id, labels),
        number,
        labels["topic"],
        sentences,
        finder.find(text),
        results=results_of(sentences, finder.mentions),
    )


@pytest.fixture
def subject_of() -> SubjectOf:
    """Return the section of soil, from lines that describe papers, and claims on it."""

    def subject(lines: Sequence[str], claims: Claims = ()) -> Subject:
        document = {**GARDEN, "facets": {**GARDEN["facets"]}}
        topic = GARDEN["facets"]["topic"]
        soil = {**topic["categories"][0], "claims": list(claims)}
        document["facets"]["topic"] = {**topic, "categories": [soil, *topic["categories"][1:]]}
        taxonomy = Taxonomy.model_validate(document)
        entries = [entry_of(n, line, taxonomy) for n, line in enumerate(lines, 1)]
        corpus = Corpus(tuple(e.paper for e in entries), len(entries), (), (), (), {})
        facts = compute_facts(taxonomy, corpus, entries)
        survey = Survey(
            taxonomy=taxonomy,
            corpus=corpus,
            facts=facts,
            entries=entries,
            version="0" * 12,
            mentioned_by=papers_mentioning(entries),
        )
        return top_subject(survey, taxonomy.first.categories[0])

    return subject


@pytest.fixture
def read() -> Callable[..., str]:
    """Return sentences as a person reads them: citations and links without their targets."""

    def text(drafts: Sequence[Draft | None]) -> str:
        said = " ".join(draft.text for draft in drafts if draft)
        return re.sub(r"\]\([^()]*\)", "]", said).replace("\\[[", "[").replace("]\\]", "]")

    return text

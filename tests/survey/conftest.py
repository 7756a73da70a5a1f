"""The bread survey of the golden project, and hand-made entries for tables of cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from classifier.labelling.labels import FacetLabels, PaperLabels, Status
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper, Published
from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.survey.entry import SurveyPaper
from classifier.survey.names import NameFinder
from classifier.survey.sample_facts import compute_facts
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Taxonomy
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture(scope="session")
def bread() -> BuildResult:
    """The golden survey, in memory."""
    return compute(Project(BREAD))


@pytest.fixture(scope="session")
def bread_papers(bread: BuildResult) -> list[dict[str, Any]]:
    """papers.json of the golden survey."""
    papers: list[dict[str, Any]] = json.loads(bread.files["papers.json"])
    return papers


@pytest.fixture(scope="session")
def bread_sentences(bread: BuildResult) -> list[dict[str, str]]:
    """sentences.jsonl of the golden survey."""
    return [json.loads(line) for line in bread.files["sentences.jsonl"].splitlines()]


@pytest.fixture(scope="session")
def garden() -> Taxonomy:
    """Two core topics with a child, retired categories, a facet with one category per paper, a lexicon."""
    return Taxonomy.model_validate(
        {
            "survey": {"title": "Gardens"},
            "facets": {
                "topic": {
                    "kind": "multi",
                    "categories": [
                        {
                            "id": "soil",
                            "core": True,
                            "name": "Soil",
                            "children": [
                                {"id": "soil/compost", "name": "Compost"},
                                {"id": "soil/peat", "replaced_by": "soil/compost"},
                            ],
                        },
                        {"id": "seeds", "core": True, "name": "Seeds"},
                        {"id": "mulch", "replaced_by": "soil"},
                        {"id": "other", "name": "Out of scope", "out_of_scope": True},
                    ],
                },
                "contribution": {
                    "kind": "single",
                    "categories": [
                        {"id": "method", "name": "Method"},
                        {"id": "study", "name": "Study"},
                        {"id": "analysis", "name": "Analysis"},
                        {"id": "trick", "replaced_by": "method"},
                    ],
                },
            },
            "lexicons": {"benchmarks": {"Spade test": [], "Worm count": ["worm counting"]}},
        }
    )


MakeEntry = Callable[..., SurveyPaper]


@pytest.fixture
def make_entry(garden: Taxonomy) -> MakeEntry:
    """Return a paper of the survey: number, primary, further topics, text, more fields."""

    def entry(
        number: int,
        primary: str = "soil",
        *also: str,
        kind: str = "method",
        status: Status = "confident",
        text: str = "",
        published: str = "",
        **stated: Any,
    ) -> SurveyPaper:
        paper = Paper(
            title=f"Paper {number}",
            id=f"p-{number:010x}",
            abstract=text,
            abstract_kind="digest" if text else "none",
            published=Published(published),
            **stated,
        )
        topic = FacetLabels((primary, *also), primary, 0.9, status, {})
        contribution = FacetLabels((kind,), kind, 0.9, status, {})
        labels = PaperLabels(paper.id, {"topic": topic, "contribution": contribution})
        finder, sentences = NameFinder(garden.lexicons), roled_sentences(text)
        results = results_of(sentences, finder.mentions)
        names = finder.find(text)
        return SurveyPaper(paper, labels, number, topic, sentences, names, results=results)

    return entry


@pytest.fixture
def corpus_of() -> Callable[..., Corpus]:
    """Return a corpus with the papers of some entries."""

    def corpus(entries: list[SurveyPaper], quarantined: int = 0) -> Corpus:
        papers = tuple(entry.paper for entry in entries)
        return Corpus(papers, len(papers), ("lost",) * quarantined, (), ("file",), {})  # type: ignore[arg-type]

    return corpus


@pytest.fixture
def survey_of(garden: Taxonomy, corpus_of: Callable[..., Corpus]) -> Callable[..., Survey]:
    """Return a survey of some entries, before its sections are written."""

    def survey(entries: list[SurveyPaper], quarantined: int = 0) -> Survey:
        corpus = corpus_of(entries, quarantined)
        facts = compute_facts(garden, corpus, entries)
        return Survey(
            taxonomy=garden, corpus=corpus, facts=facts, entries=entries, version="0" * 12
        )

    return survey

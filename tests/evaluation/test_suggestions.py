from __future__ import annotations

import itertools

import numpy as np
import pytest
from ruamel.yaml import YAML

from classifier.evaluation.distinctive import DistinctiveTerm
from classifier.evaluation.suggestions import (
    Proposal,
    factorise_beside,
    proposal_lines,
    propose_categories,
    residual,
)
from classifier.labelling.labels import FacetLabels, PaperLabels, Status
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

WORDS = {
    "dough": ("gluten", "flour", "hydration", "starter", "kneading"),
    "ovens": ("steam", "stone", "chamber", "heat", "bricks"),
    "taste": ("aroma", "panel", "crust", "flavour", "chewing"),
}
TAXONOMY = Taxonomy.model_validate(
    {
        "survey": {"title": "Bread"},
        "facets": {
            "topic": {
                "kind": "multi",
                "categories": [
                    {"id": "dough", "cues": {"title": ["flour"]}},
                    {"id": "ovens", "cues": {"title": ["steam"]}},
                    {"id": "other", "out_of_scope": True},
                ],
            }
        },
    }
)


def topic_of(paper: Paper) -> str:
    return list(WORDS)[int(paper.id[2:]) % len(WORDS)]


def bread_papers() -> list[Paper]:
    """Sixty papers, twenty a topic; each names three of its topic's five words."""
    papers = []
    for number in range(60):
        words = list(WORDS.values())[number % 3]
        one, two, three = list(itertools.combinations(words, 3))[number // 3 % 10]
        papers.append(
            Paper(
                f"The {one} of bread, part {number}",
                f"p-{number:010d}",
                abstract=f"We study bread and {two}. We compare it with {three}.",
            )
        )
    return papers


def label(
    paper: Paper, categories: dict[str, float], status: Status = "provisional"
) -> PaperLabels:
    primary = max(categories, key=lambda name: categories[name])
    facet = FacetLabels((primary,), primary, 0.5, status, categories)
    return PaperLabels(paper.id, {"topic": facet})


def sure(paper: Paper) -> PaperLabels:
    """What a classifier says that knows dough and ovens, and finds the rest out of scope."""
    own = topic_of(paper)
    return label(paper, {name: 0.9 if name == own else 0.05 for name in ("dough", "ovens")})


PAPERS = bread_papers()
LABELS = [sure(paper) for paper in PAPERS]
PROPOSALS = propose_categories(TAXONOMY, PAPERS, LABELS)


def test_the_topic_that_no_category_explains_comes_first() -> None:
    best = PROPOSALS[0]
    assert {topic_of(paper) for paper in PAPERS if paper.id in best.papers} == {"taste"}
    assert best.size >= 8
    assert {term.term for term in best.terms} <= set(WORDS["taste"])
    assert best.unexplained == pytest.approx(0.95)
    assert 0 < best.cohesion < 1


def test_a_deleted_category_comes_back_whichever_it_is() -> None:
    for gone in WORDS:
        rest = [name for name in WORDS if name != gone]
        labels = [
            label(paper, {name: 0.9 if name == topic_of(paper) else 0.05 for name in rest})
            for paper in PAPERS
        ]
        categories = [{"id": name} for name in rest]
        facets = {"topic": {"kind": "multi", "categories": categories}}
        taxonomy = Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": facets})
        best = propose_categories(taxonomy, PAPERS, labels)[0]
        assert {topic_of(paper) for paper in PAPERS if paper.id in best.papers} == {gone}


def test_the_order_of_the_papers_does_not_matter() -> None:
    assert propose_categories(TAXONOMY, PAPERS[::-1], LABELS[::-1]) == PROPOSALS


def test_titles_stand_in_the_order_of_the_papers() -> None:
    titles = {paper.id: paper.title for paper in PAPERS}
    for proposal in PROPOSALS:
        assert proposal.titles == tuple(titles[name] for name in proposal.papers)


def test_proposals_are_ranked_and_cut() -> None:
    scores = [proposal.score for proposal in PROPOSALS]
    assert scores == sorted(scores, reverse=True)
    assert propose_categories(TAXONOMY, PAPERS, LABELS, most=1) == PROPOSALS[:1]


def test_what_a_person_decided_is_explained() -> None:
    """The same papers, now all decided as dough: their words are no gap any more."""
    labels = [
        label(paper, {"dough": 0.1, "ovens": 0.1}, "reviewed")
        if topic_of(paper) == "taste"
        else one
        for paper, one in zip(PAPERS, LABELS, strict=True)
    ]
    decided = propose_categories(TAXONOMY, PAPERS, labels)
    assert max((proposal.score for proposal in decided), default=0.0) < PROPOSALS[0].score / 2


def test_ids_are_new_to_the_facet() -> None:
    best = PROPOSALS[0].id
    categories = [{"id": "dough"}, {"id": "ovens"}, {"id": best}]
    facets = {"topic": {"kind": "multi", "categories": categories}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": facets})
    ids = [proposal.id for proposal in propose_categories(taxonomy, PAPERS, LABELS)]
    assert ids[0] == f"{best}-2"
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("title", ["Bread", "???", "Bread of the Northern Valleys"])
def test_few_papers_or_papers_without_words_have_no_proposals(title: str) -> None:
    for many in (0, 1, 15, 40):
        papers = [Paper(title, f"p-{number:010d}") for number in range(many)]
        labels = [label(paper, {"dough": 0.1, "ovens": 0.1}) for paper in papers]
        assert propose_categories(TAXONOMY, papers, labels) == []


def test_the_text_is_a_category_to_paste() -> None:
    lines = proposal_lines(PROPOSALS)
    assert lines[0].startswith(f"1. {PROPOSALS[0].name}: {PROPOSALS[0].size} papers, cohesion ")
    pasted = [line for line in lines if line.startswith("      ")]
    categories = YAML(typ="safe").load("\n".join(pasted))
    facets = {"topic": {"kind": "multi", "categories": categories}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": facets})
    assert taxonomy.first.ids == tuple(proposal.id for proposal in PROPOSALS)
    assert all(category.cues for category in taxonomy.first.categories)


def test_terms_that_yaml_would_read_as_something_else_are_quoted() -> None:
    terms = tuple(
        DistinctiveTerm(name, 2.0, 5, 1) for name in ("null", "1e5", "don't", "web agent")
    )
    proposal = Proposal("null", "null / 1e5", terms, ("p-1",), ("A title",), 0.1, 0.5, 1.0)
    assert proposal_lines([proposal])[2:] == [
        '      - id: "null"',
        "        cues:",
        '          title: ["null", "1e5", "don\'t", web agent]',
        '          anywhere: ["null", "1e5", "don\'t", web agent]',
    ]


def test_a_factor_holds_what_the_known_groups_leave() -> None:
    """Six papers: known to be of group one or not; the others share the last two terms."""
    rows = np.array([[1.0, 1, 0, 0]] * 3 + [[0.0, 0, 1, 1]] * 3)
    known = np.array([[1.0]] * 3 + [[0.0]] * 3)
    assert np.abs(residual(rows, known)[:3]).max() < 0.01
    factors = factorise_beside(rows, known, 1)
    assert factors.strengths[3:].min() > 100 * factors.strengths[:3].max()
    assert np.allclose(factors.terms[0], [0, 0, 0.5**0.5, 0.5**0.5], atol=0.01)

"""An explanation as JSON values: all that the text says, and the rest of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from classifier.explanation.explanation import CategoryAccount, Explanation, FacetExplanation
from classifier.labelling.cue_index import Hit
from classifier.labelling.labels import Decision
from classifier.papers.paper import Source


def explanation_json(explanation: Explanation) -> dict[str, object]:
    """Return one object: `paper`, `fields` with their sources, and `facets` by id."""
    paper = explanation.paper
    return {
        "paper": {
            "id": paper.id,
            "title": paper.title,
            "published": paper.published.date,
            "url": paper.link,
            "abstract_kind": paper.abstract_kind,
            "aliases": list(explanation.aliases),
            "sources": _sources(paper.sources),
        },
        "fields": {
            origin.field: {"sources": _sources(origin.sources), "others": _sources(origin.others)}
            for origin in explanation.origins
        },
        "joins": [
            {"source": asdict(join.source), "with": asdict(join.other), "by": join.evidence.words}
            for join in explanation.joins
        ],
        "not_stated": list(explanation.missing),
        "editorial": {
            name: {"text": act.text, "by": act.by, "on": act.on}
            for name, act in explanation.acts.items()
        },
        "facets": {facet.facet.id: _facet(facet) for facet in explanation.facets},
        "not_asked": list(explanation.not_asked),
    }


def _sources(sources: Iterable[Source]) -> list[dict[str, object]]:
    return [asdict(source) for source in sources]


def _facet(facet: FacetExplanation) -> dict[str, object]:
    labels, filing = facet.labels, facet.filing
    return {
        "categories": list(labels.categories),
        "primary": labels.primary,
        "status": labels.status,
        "confidence": round(labels.confidence, 4),
        "confident_from": round(facet.confident_from, 4),
        "decision": _decision(facet.decision) if facet.decision else None,
        "unseen": asdict(facet.unseen) | {"confidence": round(facet.unseen.confidence, 4)}
        if facet.unseen
        else None,
        "exemplar_of": facet.exemplar_of or None,
        "filing": {
            "first": filing.first,
            "first_probability": round(filing.first_probability, 4),
            "second": filing.second or None,
            "second_probability": round(filing.second_probability, 4),
        },
        "candidates": list(facet.candidates),
        "accounts": [_account(told) for told in facet.accounts],
        "children": [
            {
                "category": child.category,
                "vote": round(child.vote, 4),
                "given": child.is_given,
                "lacks": child.lacks or None,
                "hits": [_hit(hit) for hit in child.hits],
                "silent": {silent.view: list(silent.cues) for silent in child.silent},
            }
            for child in facet.children
        ],
        "near_misses": [_account(told) for told in facet.near_misses],
        "by_votes": facet.by_votes,
    }


def _decision(decision: Decision) -> dict[str, object]:
    return asdict(decision) | {"values": list(decision.values)}


def _hit(hit: Hit) -> dict[str, object]:
    return asdict(hit)


def _account(told: CategoryAccount) -> dict[str, object]:
    account = told.account
    return {
        "category": told.category,
        "given": told.is_given,
        "reasons": [
            {"text": reason.text, "kind": reason.kind, "weight": reason.weight}
            for reason in account.reasons
        ],
        "rest": account.rest,
        "rest_count": account.rest_count,
        "intercept": account.intercept,
        "logit": account.logit,
        "probability": round(told.probability, 4),
        "threshold": None if told.threshold is None else round(told.threshold, 4),
        "needed": told.needed,
        "shortfall": told.shortfall,
        "held_back": told.held_back or None,
        "silent": {silent.view: list(silent.cues) for silent in told.silent},
    }

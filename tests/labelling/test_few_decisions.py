"""A few random decisions do not make labels worse, also where there are many categories."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from classifier import Decision, Paper, TaxonomyClassifier
from classifier.taxonomy.model import Taxonomy

FLOURS = "rye wheat spelt barley oat millet maize rice teff quinoa sorghum amaranth".split()
TOOLS = "oven bowl sieve scale knife stone basket peel scraper brush lid tin".split()
TOOL_OF = dict(zip(FLOURS, TOOLS, strict=True))
OFTEN = 0.7
"""Share of a paper's words that are of its own category."""


def field() -> tuple[Taxonomy, list[Paper], list[str]]:
    """Twelve flours; a paper speaks of its flour or of the tool used for it, and of others."""
    categories = [{"id": flour, "cues": {"anywhere": [flour]}} for flour in FLOURS]
    facets = {"topic": {"kind": "single", "categories": categories}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Flours"}, "facets": facets})
    draw = Random(7)
    truth = [flour for flour in FLOURS for _ in range(15)]
    papers = []
    for number, flour in enumerate(truth):
        of = [flour if draw.random() < OFTEN else draw.choice(FLOURS) for _ in range(6)]
        words = [draw.choice([each, TOOL_OF[each], TOOL_OF[each]]) for each in of]
        text = " and ".join(words)
        papers.append(Paper(f"Notes, part {number}", f"p-{number}", f"{text}.", "abstract"))
    return taxonomy, papers, truth


@pytest.mark.parametrize("count", [6, 24])
def test_the_share_filed_right_does_not_fall(count: int) -> None:
    taxonomy, papers, truth = field()
    gains = []
    for deal in range(5):
        order = Random(deal).sample(range(len(papers)), len(papers))
        project, scored = order[:90], order[90:]
        shares = []
        for decided in ([], project[:count]):
            decisions = {
                papers[at].id: {"topic": Decision((truth[at],), truth[at])} for at in decided
            }
            known = [papers[at] for at in project]
            labels = TaxonomyClassifier(taxonomy).fit(known, decisions)
            found = labels.label([papers[at] for at in scored], explain="nothing")
            right = [
                each.facets["topic"].primary == truth[at]
                for each, at in zip(found, scored, strict=True)
            ]
            shares.append(np.mean(right))
        gains.append(shares[1] - shares[0])
    noise = 1.96 * np.std(gains, ddof=1) / np.sqrt(len(gains))
    assert np.mean(gains) >= -noise

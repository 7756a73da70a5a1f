"""What "trained by" says of made-up texts: not what a paper does without, nor what a rival does."""

from __future__ import annotations

import pytest

from classifier.labelling.cue_index import CueIndex
from classifier.labelling.stated_facet import STATED_VOTE
from classifier.papers.paper import Paper
from tools.columns import shipped

TEXTS = [
    # an abstract -> how its agent is trained
    (
        "Introduces Loaf, an agent trained by supervised fine-tuning on recorded trajectories.",
        {"fine-tuning"},
    ),
    (
        "Introduces Loaf, an agent that is trained by reinforcement learning with step rewards and "
        "with no supervised fine-tuning (SFT) beforehand.",
        {"reinforcement-learning"},
    ),
    (
        "Supervised fine-tuning (SFT) overfits to long recipes. Introduces Loaf, an agent trained "
        "by reinforcement learning. On BakeBench it reaches 40%, and SFT 20%.",
        {"reinforcement-learning"},
    ),
    (
        "Introduces Loaf, reinforcement fine-tuning for teams of bakers.",
        {"reinforcement-learning"},
    ),
    (
        "Introduces Loaf, an environment for reinforcement learning. It trains "
        "Rye3-8B-openbaker-sft by vanilla PPO.",
        {"reinforcement-learning"},
    ),
]


@pytest.mark.parametrize(("abstract", "expected"), TEXTS, ids=[text[:60] for text, _ in TEXTS])
def test_trained_by(abstract: str, expected: set[str]) -> None:
    taxonomy, _ = shipped()
    paper = Paper("Loaf: An Agent That Bakes", abstract=abstract)
    ids = [category.id for category in taxonomy.facet("trained_by").categories]
    votes = CueIndex(taxonomy).count([paper])["trained_by"].votes(ids)[0]
    assert {each for each, vote in zip(ids, votes, strict=True) if vote >= STATED_VOTE} == expected

"""The comparison runs, with the two peers that cost nothing, on forty papers about a garden."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from classifier.evaluation.metrics import Figure
from classifier.labelling.labels import Decision
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tools.benchmarks.comparison import COMPARED, Material, Result, compare
from tools.benchmarks.peers import main
from tools.benchmarks.rivals.registry import FIELDGUIDE, RIVALS, Peer
from tools.benchmarks.rivals.rival import own_thresholds
from tools.benchmarks.table import as_json, markdown, verdict

WORDS = {
    "soil": ("Compost", "humus", "loam"),
    "water": ("Rain", "hose", "drip"),
    "tools": ("Spades", "rake", "handle"),
}
TAXONOMY = Taxonomy.model_validate(
    {
        "survey": {"title": "Gardens"},
        "facets": {
            "topic": {
                "kind": "multi",
                "categories": [
                    {"id": "soil", "core": True, "cues": {"title": ["compost"]}},
                    {"id": "water", "core": True, "cues": {"title": ["rain"]}},
                    {"id": "tools", "cues": {"title": ["spade~"]}},
                    {"id": "other", "out_of_scope": True},
                ],
            },
        },
    }
)


def paper(number: int) -> Paper:
    cue, one, two = list(WORDS.values())[number % 3]
    return Paper(
        title=f"{cue} in bed {number}",
        id=f"p-{number:010d}",
        abstract=f"The {one} of plot {number} meets its {two}. Neighbours asked {number} times.",
        abstract_kind="abstract",
    )


def material() -> Material:
    papers = tuple(paper(number) for number in range(40))
    topics = list(WORDS)
    truth = {
        p.id: {"topic": Decision((topics[number % 3],), topics[number % 3])}
        for number, p in enumerate(papers[:24])
    }
    return Material(TAXONOMY, papers, truth)


def results(peers: list[Peer], *, decided: bool) -> list[Result]:
    fresh = map(paper, count(100))
    return compare(peers, material(), fresh, decided=decided, folds=2)


CHEAP = [FIELDGUIDE, *(peer for peer in RIVALS if peer.id in ("cues", "tfidf"))]


@pytest.mark.parametrize("decided", [True, False])
def test_cheap_peers_file_gardens_where_they_belong(*, decided: bool) -> None:
    for result in results(CHEAP, decided=decided):
        assert result.evaluation.setup.n == 24
        assert result.evaluation.setup.is_cross_validated == decided
        assert result.evaluation.precision_at_1.value >= 0.9, result.peer.id
        assert result.evaluation.mean_average_precision.value >= 0.9, result.peer.id


def test_the_tables_have_a_row_a_classifier_and_one_a_rival() -> None:
    measured = results(CHEAP, decided=False)
    figures, leads = markdown(measured).split("\n\n")
    assert [row.split(" | ")[0] for row in figures.splitlines()[2:]] == [
        f"| {peer.name}" for peer in CHEAP
    ]
    assert leads.splitlines()[0].split(" | ")[1:-1] == list(COMPARED)
    assert len(leads.splitlines()) == 2 + len(CHEAP) - 1
    assert [row["id"] for row in as_json(measured)] == [peer.id for peer in CHEAP]


def test_nobody_leads_over_oneself() -> None:
    (alone,) = results([FIELDGUIDE], decided=False)
    assert all((lead.low, lead.high) == (0, 0) for lead in alone.lead_over(alone).values())


def test_behind_and_ahead_only_where_the_interval_excludes_nought() -> None:
    leads = {
        "core F1": Figure(0.1, 0.02, 0.2),
        "mean F1": Figure(0.1, -0.01, 0.2),
        "mAP": Figure(-0.1, -0.2, -0.01),
    }
    assert verdict(leads) == "behind in core F1; ahead in mAP"
    assert verdict({"mean F1": leads["mean F1"]}) == "level"


def test_a_threshold_of_its_own_lies_between_what_is_given_and_what_is_not() -> None:
    probabilities = np.array([[0.01], [0.02], [0.05], [0.07]])
    assert own_thresholds(probabilities, np.array([[0], [0], [1], [1]])) == pytest.approx(0.035)


def test_an_unknown_peer_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--peers", "cues,crystal-ball"])
    assert ended.value.code == 2
    assert "--peers: no crystal-ball; one or more of prior, cues, tfidf," in capsys.readouterr().err


def test_a_peer_whose_package_is_missing_says_what_brings_it() -> None:
    peer = Peer("crystal", "Crystal ball", FIELDGUIDE.make, (("crystal_ball", "crystal-ball>=1"),))
    assert peer.missing == ["crystal-ball>=1"]

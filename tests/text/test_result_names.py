"""The benchmark, the part of it and the system of a number: cases are in place_cases.txt."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from classifier.survey.names import NameFinder
from classifier.text.results import results_of
from classifier.text.roles import RoledSentence
from classifier.text.sentences import Span
from tests.text.test_results import read_cases
from tools.places import ASPECTS, figures

NAMES = {
    "benchmarks": {"LoafBench": [], "CrustBench": [], "RyeBench": [], "TRAIL benchmark": []},
    "models": {"GPT-4o": [], "Qwen3": []},
}
NAMED = partial(NameFinder(NAMES).mentions, short_name="Crumb")


@pytest.mark.parametrize(
    ("text", "expected"), read_cases("place_cases.txt"), ids=lambda value: str(value)[:40]
)
def test_places(text: str, expected: list[tuple[str, ...]]) -> None:
    sentence = RoledSentence(Span(0, len(text), text), "result")
    found = results_of([sentence], NAMED)
    assert [(each.value, each.benchmark, each.split, each.system) for each in found] == expected


def test_a_benchmark_called_by_a_word_is_known_where_it_is_written_as_a_name() -> None:
    found = NAMED("On TRAIL, unlike on a trail, Crumb walks.")
    assert [(each.kind, each.name) for each in found] == [
        ("benchmarks", "TRAIL benchmark"),
        ("own", "Crumb"),
    ]


def test_places_that_readers_marked(shared: Path) -> None:
    """Floors under what `python -m tools.places` prints."""
    count = figures(show=False)
    assert count["dev"]["benchmark", "right"] / count["dev"]["benchmark", "said"] >= 0.95
    assert count["dev"]["system", "right"] / count["dev"]["system", "said"] >= 0.85
    for aspect, min_found in zip(ASPECTS, (0.9, 0.4, 0.75), strict=True):
        of = {what: count["digests"][aspect, what] for what in ("right", "said", "expected")}
        assert of["right"] / of["said"] >= 0.96
        assert of["right"] / of["expected"] >= min_found

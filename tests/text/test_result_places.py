"""On what a number was measured, and what was measured: cases are in place_cases.txt."""

from __future__ import annotations

from functools import partial

import pytest

from classifier.survey.names import NameFinder
from classifier.text.results import headline_results
from classifier.text.roles import RoledSentence
from classifier.text.sentences import Span
from tests.text.test_results import read_cases

NAMES = {
    "benchmarks": {"LoafBench": [], "CrustBench": [], "RyeBench": [], "TRAIL benchmark": []},
    "models": {"GPT-4o": [], "Qwen3": []},
}
NAMED = partial(NameFinder(NAMES).mentions, own="Crumb")


@pytest.mark.parametrize(
    ("text", "wanted"), read_cases("place_cases.txt"), ids=lambda value: str(value)[:40]
)
def test_places(text: str, wanted: list[tuple[str, ...]]) -> None:
    sentence = RoledSentence(Span(0, len(text), text), "result")
    found = headline_results([sentence], NAMED)
    assert [(each.value, each.benchmark, each.split, each.system) for each in found] == wanted


def test_a_benchmark_called_by_a_word_is_known_where_it_is_written_as_a_name() -> None:
    found = NAMED("On TRAIL, unlike on a trail, Crumb walks.")
    assert [(each.kind, each.name) for each in found] == [
        ("benchmarks", "TRAIL benchmark"),
        ("own", "Crumb"),
    ]

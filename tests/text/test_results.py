"""Which numbers state an outcome, whose, and of which kind: cases are in result_cases.txt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.survey.names import NameFinder
from classifier.text.linear import model_text
from classifier.text.result import KINDS, WHOSE, Result, headline
from classifier.text.results import (
    HEADLINE,
    STATED,
    WEIGHTS_FILE,
    results_of,
    shipped_weights,
)
from classifier.text.roles import RoledSentence, roled_sentences
from classifier.text.sentences import Span
from tools.results import read_papers, score

FINDER = NameFinder({"benchmarks": {"LoafBench": [], "CrustBench": [], "RyeBench": []}})
PIECES = ["12%", "4.5× ", "by ", "from 3 to 5", " 0.81", "F1 of ", "+", "→", "(", "\\%", "8B"]


def stated(text: str) -> tuple[Result, ...]:
    sentence = RoledSentence(Span(0, len(text), text), "result")
    return results_of([sentence], FINDER.mentions)


def read_cases(name: str) -> list[tuple[str, list[tuple[str, ...]]]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    blocks = [
        [line for line in block.splitlines() if not line.startswith("#")]
        for block in text.split("\n\n")
    ]
    return [
        (lines[0], [tuple(part.strip() for part in line.split("|")) for line in lines[1:]])
        for lines in blocks
        if lines
    ]


@pytest.mark.parametrize(
    ("text", "expected"), read_cases("result_cases.txt"), ids=lambda value: str(value)[:40]
)
def test_results(text: str, expected: list[tuple[str, ...]]) -> None:
    assert [(result.cell_text, result.direction) for result in stated(text)] == expected


def test_a_result_knows_where_it_stands() -> None:
    text = "Bread is dry. We find that steam lowers the loss by 4.5 % on LoafBench."
    (result,) = results_of(roled_sentences(text), FINDER.mentions)
    assert (result.value, result.unit, result.direction) == ("4.5", "%", "down")
    assert text[result.span.start : result.span.end] == result.span.text == "4.5 %"
    assert text[result.sentence.start : result.sentence.end] == result.sentence.text
    assert result.benchmark == "LoafBench"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Our agent achieves a success rate of 37%, compared to 35% for GPT-4o.",
            "own level, rival level",
        ),
        ("Training improves the success rate from 5.2% to 19.1%.", "baseline level, own level"),
        (
            "The best agent achieves 12.4%, while human experts achieve 92%.",
            "own level, human level",
        ),
        ("It outperforms the best baseline by 9.8 absolute points.", "own absolute gain"),
        ("Mortality fell (odds ratio, 0.51).", "own effect"),
        ("Our attack achieves a 93% attack success rate on GPT-4o.", "attack level"),
        ("The agent improves the success rate by 7.5%.", "own relative gain"),
    ],
)
def test_whose_a_number_is_and_of_which_kind(text: str, expected: str) -> None:
    assert ", ".join(f"{item.whose} {item.kind}" for item in stated(text)) == expected
    for item in stated(text):
        assert item.value in item.clause.text


def test_a_second_gain_without_a_unit_is_in_the_points_of_the_first() -> None:
    text = "Digger exceeds the previous best method by 9.8 absolute points and older work by 5.9."
    assert [item.cell_text for item in stated(text)] == ["+9.8 points", "+5.9 points"]


def test_the_headline_is_what_a_reader_takes_for_the_finding() -> None:
    text = (
        "We collected 1,200 tasks in 2024. Experiments show that our agent reaches a success rate "
        "of 45.2% on LoafBench, against 31% for GPT-5. It runs in 3 seconds."
    )
    results = results_of(roled_sentences(text), FINDER.mentions)
    assert [item.cell_text for item in headline(results)] == ["45.2 % on LoafBench"]
    assert headline(()) == ()


@pytest.mark.parametrize(("value", "shown"), [("8 of 11", 1), ("Two", 0)])
def test_a_count_is_a_headline_only_as_so_many_of_all(value: str, shown: int) -> None:
    (result,) = stated("The agent improves the success rate by 7.5%.")
    cured = replace(result, value=value, unit="patients", unit_kind="count", probability=0.9)
    assert len(headline([cured])) == shown


@pytest.mark.parametrize(("probability", "weight", "shown"), [(0.9, 0.9, 1), (0.9, 0.4, 0)])
def test_a_bare_decimal_is_a_headline_only_where_it_is_surely_what_was_found(
    probability: float, weight: float, shown: int
) -> None:
    (result,) = stated("The agent improves the success rate by 7.5%.")
    bare = replace(result, unit="", unit_kind="", value="0.44", benchmark="")
    assert len(headline([replace(bare, probability=probability, weight=weight)])) == shown


@given(st.lists(st.sampled_from(PIECES) | st.text(alphabet="aB1%.,() ")).map("".join))
def test_every_result_is_a_piece_of_its_text(text: str) -> None:
    for result in stated(text):
        assert text[result.span.start : result.span.end] == result.span.text
        assert result.value
        assert result.cell_text == result.cell_text.strip()


def test_a_list_of_numbers_is_no_sentence() -> None:
    assert stated("It reaches " + "12%, " * 41) == ()


def test_the_weights_can_be_read_and_say_nothing_idle() -> None:
    model = shipped_weights()
    assert model.columns == (STATED, HEADLINE, *WHOSE, *KINDS)
    assert all(any(row) for row in model.weights.values())
    assert model_text(model) == WEIGHTS_FILE.read_text(encoding="utf-8")


def test_the_numbers_of_papers_that_nothing_was_learned_from(shared: Path) -> None:
    """Floors under what `python -m tools.results` prints."""
    counts = [score(paper, show=False)[1] for paper in read_papers("test")]
    total = {name: sum(count[name] for count in counts) for name in counts[0]}
    assert total["right"] / total["shown"] >= 0.8
    assert total["found"] / total["with headline"] >= 0.65
    assert total["whose"] / total["matched"] >= 0.9

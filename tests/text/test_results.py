"""Which numbers state an outcome: the cases are in result_cases.txt."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.survey.names import NameFinder
from classifier.text.results import Result, headline, headline_results
from classifier.text.roles import Role, RoledSentence, roled_sentences
from classifier.text.sentences import Span

FINDER = NameFinder({"benchmarks": {"LoafBench": [], "CrustBench": [], "RyeBench": []}})
PIECES = [
    "12%",
    "4.5× ",
    "by ",
    "from 3 to 5",
    " 0.81",
    "F1 of ",
    "+",
    "→",
    "top ",
    "(",
    "\\%",
    "8B",
]


def stated(text: str, role: Role = "result") -> tuple[Result, ...]:
    sentence = RoledSentence(Span(0, len(text), text), role)
    return headline_results([sentence], FINDER.benchmarks)


def read_cases() -> list[tuple[str, list[tuple[str, str]]]]:
    text = Path(__file__).with_name("result_cases.txt").read_text(encoding="utf-8")
    blocks = [
        [line for line in block.splitlines() if not line.startswith("#")]
        for block in text.split("\n\n")
    ]
    return [
        (lines[0], [tuple(part.strip() for part in line.split("|")) for line in lines[1:]])  # type: ignore[misc]
        for lines in blocks
        if lines
    ]


@pytest.mark.parametrize(("text", "wanted"), read_cases(), ids=lambda value: str(value)[:40])
def test_results(text: str, wanted: list[tuple[str, str]]) -> None:
    assert [(result.short, result.direction) for result in stated(text)] == wanted


def test_a_result_knows_where_it_stands() -> None:
    text = "Bread is dry. We find that steam lowers the loss by 4.5 % on LoafBench."
    (result,) = headline_results(roled_sentences(text), FINDER.benchmarks)
    assert (result.value, result.unit, result.direction) == ("4.5", "%", "down")
    assert text[result.span.start : result.span.end] == result.span.text == "4.5 %"
    assert text[result.sentence.start : result.sentence.end] == result.sentence.text
    assert result.benchmark == "LoafBench"


@pytest.mark.parametrize(
    ("role", "wanted"),
    [("result", 2), ("contribution", 1), ("method", 1), ("problem", 0), ("release", 0)],
)
def test_only_a_result_may_state_a_level(role: Role, wanted: int) -> None:
    """Beside results, a number counts where the text says that something rose or fell by it."""
    assert len(stated("It weighs 81% and improves the crust by 5%.", role)) == wanted


def test_the_headline_is_the_first_sentence_with_a_result() -> None:
    text = (
        "We propose a lid. Results show a gain of 5% on LoafBench and 6% on RyeBench. "
        "Experiments show that it beats yeast by 7%."
    )
    results = headline_results(roled_sentences(text), FINDER.benchmarks)
    assert len(results) == 3
    assert [item.short for item in headline(results)] == ["+5 % on LoafBench", "+6 % on RyeBench"]
    assert headline(()) == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Crumb scores 37% against 35% for Yeast-5.", "own level, rival level"),
        ("Crumb raises it from 5% to 9%.", "baseline level, own level"),
        ("Crumb raises it from 11.3% for Yeast, a leaven, to 34.5%.", "baseline level, own level"),
        ("People reach 90%, and humans achieve 92% on rye.", "human level, human level"),
        (
            "It gains 5 points, +3%, and a relative +9%.",
            "own absolute gain, own absolute gain, own relative gain",
        ),
        (
            "The rate was higher in steam than in the oven (86.8% versus 74.7%).",
            "own level, baseline level",
        ),
        ("Waste fell (odds ratio, 0.51).", "own effect"),
        ("It takes 5 minutes.", "own cost"),
        ("Several people tasting with enough time come near 100%.", "human level"),
        ("It gains 9.8 points (+29.4%).", "own absolute gain, own relative gain"),
    ],
)
def test_whose_a_number_is_and_of_which_kind(text: str, wanted: str) -> None:
    assert ", ".join(f"{item.whose} {item.kind}" for item in stated(text)) == wanted
    for item in stated(text):
        assert item.value in item.clause.text


@given(st.lists(st.sampled_from(PIECES) | st.text(alphabet="aB1%.,() ")).map("".join))
def test_every_result_is_a_piece_of_its_text(text: str) -> None:
    for result in stated(text):
        assert text[result.span.start : result.span.end] == result.span.text
        assert result.value
        assert result.short == result.short.strip()


def test_a_list_of_numbers_is_no_sentence() -> None:
    assert stated("It reaches " + "12%, " * 40) != ()
    assert stated("It reaches " + "12%, " * 41) == ()


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("The rate was higher with steam (212/443 [48%]) versus a pan (16/62 [26%]).", ["48"]),
        (
            "Cracks came in five (25%) loaves from the control group and three (15%) of ours.",
            ["15"],
        ),
        ("Fine-tuned from Rye-32B (24.4% Pass@1), the oven reaches a rate of 39.4%.", ["39.4"]),
    ],
)
def test_what_it_is_compared_with_is_no_result_of_its_own(text: str, own: list[str]) -> None:
    assert [result.value for result in stated(text) if result.whose == "own"] == own


def test_how_a_check_went_and_shares_of_another_stand_behind_results() -> None:
    texts = [
        "Expert validation yields an 82% pass rate.",
        "The oven keeps 96.7% of the performance of the old one.",
        "It reaches a rise of 40.1%.",
    ]
    shown = headline([result for text in texts for result in stated(text)])
    assert [result.value for result in shown] == ["40.1"]

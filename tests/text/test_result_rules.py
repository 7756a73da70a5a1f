"""What the form of a sentence says of the number in brackets."""

from __future__ import annotations

import pytest

from classifier.text.numbers import Number
from classifier.text.result_rules import (
    bracketed,
    is_compared_with,
    is_measured,
    is_of_a_rival,
    states_no_outcome,
    sure_kind,
)

NO_OUTCOME = """\
The crumb is elastic at ⟨77 K⟩.
Crusts were brushed with ⟨20%⟩ saline.
More had a good rise (modified Loaf Scale score ⟨0-2⟩).
Dough rested at a depth of ⟨10 cm⟩.
The crust darkens as the oven temperature is raised to ⟨250 °C⟩.
Rise was measured in the temperature range from ⟨20 °C⟩ to 40 °C.
Crusts form at temperatures above ⟨140 °C⟩.
We tested the tin more than ⟨100 times⟩, and it held.
Of these, ⟨66%⟩ were male.
Steam was used in ⟨45%⟩ of ovens.
Based on 20 ovens and ⟨40%⟩ of bakers, bread rises.
The crumb glows under a laser of ⟨670 nm⟩.
The crumb has ⟨4.0 × 1018 cm-3⟩ pores.
Yeast grows by a factor of up to ⟨104⟩.
The model reached a training accuracy of ⟨99%⟩ and a test accuracy of 80%.
The small oven beats ovens ⟨10 times⟩ their size.
A recent survey found that ⟨50%⟩ of bakers oversleep.
About ⟨50%⟩ of loaves are sold sliced (Miller et al., 2006).
Bread is a major food, eaten by ⟨90%⟩ of people.
Baseline characteristics were alike but for rye (⟨72%⟩ vs 79%).
Most ovens were located in Rome (⟨59%⟩).
We kept the loaves endorsed by at least ⟨90%⟩ of bakers.
To date, bakers report more than ⟨87 million loaves⟩.
"""
MEASURED = """\
The pore size was estimated to be ⟨1.4 mm⟩.
"""
BASELINE = """\
The rise was 89% versus ⟨68%⟩.
The score grew (⟨4%⟩ → 26%).
It rose in 61% of loaves and in ⟨42%⟩ of the controls.
It won 96%, while state-of-the-art ovens win ⟨90%⟩.
Waste fell from over ⟨6%⟩ to less than 0.2%.
"""


def of(line: str) -> tuple[str, Number]:
    """Return the sentence of a line, and its number."""
    start, end = line.index("⟨"), line.index("⟩") - 1
    text = line.replace("⟨", "").replace("⟩", "")
    return bracketed(text, Number(start, end, text[start:end], "", "", "")), Number(
        start, end, text[start:end], "", "", ""
    )


@pytest.mark.parametrize("line", NO_OUTCOME.splitlines())
def test_conditions_samples_and_names_are_no_outcome(line: str) -> None:
    assert states_no_outcome(*of(line), role="result")


@pytest.mark.parametrize("line", MEASURED.splitlines())
def test_what_is_said_to_be_measured_is_one(line: str) -> None:
    sentence, number = of(line)
    assert sentence == line
    assert is_measured(sentence, "result")
    assert not is_measured(sentence, "problem")
    assert not states_no_outcome(sentence, number, "result")


@pytest.mark.parametrize("line", BASELINE.splitlines())
def test_the_far_side_of_a_comparison_is_not_ones_own(line: str) -> None:
    assert is_compared_with(of(line)[0])


def test_how_large_a_problem_is_is_nobodys_outcome() -> None:
    number = Number(0, 2, "2", "", "%", "%")
    assert states_no_outcome("⟨2%⟩ of bread is burnt.", number, "problem")
    assert not states_no_outcome("⟨2%⟩ of bread is burnt.", number, "result")


@pytest.mark.parametrize("words", ["costs €", "an operating cost below $", "at a cost of £"])
def test_what_a_thing_costs_is_found_out(words: str) -> None:
    sentence = f"The loaf has {words}⟨1⟩ per slice."
    assert is_measured(sentence, "result")
    assert sure_kind(sentence, Number(0, 1, "1", "", "$", "money")) == "cost"


def test_a_share_of_what_another_needs_is_a_cost_and_a_training_sped_up_an_outcome() -> None:
    number = Number(0, 1, "10", "", "%", "%")
    share = "better loaves using less than ⟨10%⟩ of the tokens"
    assert is_measured(share, "result")
    assert sure_kind(share, number) == "cost"
    assert sure_kind("with ⟨10%⟩ of the tokens masked", number) is None
    assert is_measured("prefixes speed up training by ⟨4-5x⟩", "method")
    assert not is_measured("The loaf is sold for $⟨1⟩.", "result")


def test_agreement_is_a_level_and_a_share_of_variance_an_effect() -> None:
    number = Number(0, 2, "0.8", "", "kappa", "effect")
    assert sure_kind("kappa of ⟨0.8⟩", number) == "level"
    assert sure_kind(*of("Steam explains ⟨34%⟩ of the variance.")) == "effect"
    assert sure_kind(*of("Steam adds ⟨34%⟩.")) is None


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("We saw an about ⟨20-fold⟩ increase of rise.", "relative gain"),
        ("It reached an average return of ⟨400 points⟩.", "level"),
        ("It wins with a token overhead of 57K and ⟨66K⟩.", "cost"),
    ],
)
def test_words_beside_a_number_settle_its_kind(line: str, kind: str) -> None:
    assert sure_kind(*of(line)) == kind


def test_what_another_system_reached_is_a_rivals_by_its_name() -> None:
    assert is_of_a_rival(of("Ours rises by 33% (vs. BreadFlow's ⟨21%⟩).")[0])
    assert not is_of_a_rival(of("Ours rises by 33% in Rome's ⟨21⟩ ovens.")[0])

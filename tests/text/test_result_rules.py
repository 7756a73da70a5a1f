"""What the form of a sentence says of the number in brackets."""

from __future__ import annotations

import pytest

from classifier.text.numbers import Number
from classifier.text.result_rules import (
    bracketed,
    is_measured,
    of_others,
    states_no_outcome,
    sure_kind,
)

NO_OUTCOME = """\
The crumb is elastic at ⟨77 K⟩.
Dough rested at a depth of ⟨10 cm⟩.
The crust darkens as the oven temperature is raised to ⟨250 °C⟩.
It was lit by a laser of ⟨670 nm⟩.
The dough had a mass ratio of ⟨0.08⟩.
It slides on slopes steeper than ⟨40%⟩.
Los intervalos de confianza del ⟨95%⟩ son anchos.
Rise was measured in the temperature range from ⟨20 °C⟩ to 40 °C.
Crusts form at temperatures above ⟨140 °C⟩.
The share of rye was varied from 0% to ⟨95%⟩.
We tried tin sizes from 1% to ⟨20%⟩ of the oven.
Loaves with ≥ ⟨90%⟩ rise were sold.
The overlap is measured at IoU = ⟨0.5⟩.
The top ⟨20%⟩ of bakers sold most.
Significance was set at p < ⟨0.05⟩.
We tested the tin more than ⟨100 times⟩, and it held.
The ⟨1s⟩ level is filled.
It needs a ⟨0.5⟩B model.
They burned ⟨6%⟩ H2.
It generalises to doughs ⟨6x⟩ longer horizons.
Of these, ⟨66%⟩ were male.
Baseline characteristics differed in age (⟨65⟩ years).
No difference was seen between ⟨two groups⟩.
Steam was used in ⟨45%⟩ of ovens.
Based on 20 ovens and ⟨40%⟩ of bakers, bread rises.
To date, bakers report more than ⟨87 million loaves⟩.
"""
MEASURED = """\
The pore size was estimated to be ⟨1.4 mm⟩.
Loaf 2 was baked (yield ⟨63%⟩).
It has a band gap of ⟨2.1 eV⟩.
"""
BASELINE = """\
The rise was 89% versus ⟨68%⟩.
It was higher with steam (63%) than in those without (⟨49%⟩).
It rose by 86%, against 27% for water and ⟨41%⟩ for milk.
The score grew (⟨4%⟩ → 26%).
Waste fell from over ⟨6%⟩ to less than 0.2%.
It was seen in 67%, whereas it was seen in ⟨25%⟩ of the non-steam group.
Pre-test scores were ⟨48%⟩, and post-test scores 77%.
Crumb, made from Yeast-2 (⟨24%⟩), is better.
It is reduced to 3%, compared with a loss of ⟨27%⟩ before.
This baseline achieved only ⟨8%⟩.
Others use tins that achieve only ⟨10%⟩.
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
    assert of_others(of(line)[0]) == "baseline"


def test_humans_have_numbers_of_their_own() -> None:
    assert of_others("In contrast, human bakers reach ⟨91%⟩.") == "human"
    assert of_others("Crumb outperforms human bakers by ⟨9%⟩.") is None


def test_how_large_a_problem_is_is_nobodys_outcome() -> None:
    number = Number(0, 2, "2", "", "%", "%")
    assert states_no_outcome("⟨2%⟩ of bread is burnt.", number, "problem")
    assert not states_no_outcome("⟨2%⟩ of bread is burnt.", number, "result")


@pytest.mark.parametrize("words", ["costs €", "an operating cost below $", "at a cost of £"])
def test_what_a_thing_costs_is_found_out(words: str) -> None:
    sentence = f"The loaf has {words}⟨1⟩ per slice."
    assert is_measured(sentence, "result")
    assert sure_kind(sentence, Number(0, 1, "1", "", "$", "money")) == "cost"
    assert not is_measured("The loaf is sold for $⟨1⟩.", "result")


def test_agreement_is_a_level_and_a_share_of_variance_an_effect() -> None:
    number = Number(0, 2, "0.8", "", "kappa", "effect")
    assert sure_kind("kappa of ⟨0.8⟩", number) == "level"
    assert sure_kind(*of("Steam explains ⟨34%⟩ of the variance.")) == "effect"
    assert sure_kind(*of("Steam adds ⟨34%⟩.")) is None

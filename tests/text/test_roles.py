"""What the sentences of an abstract, or of a digest, do: the cases are in role_cases.txt."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.text.roles import (
    Role,
    RoledSentence,
    contribution_sentence,
    roled_sentences,
    with_outcomes,
)
from classifier.text.sentences import Span, split_sentences

OPENINGS = ["We introduce ", "Introduces ", "However, ", "This paper presents ", "Results ", "A "]


def read_cases() -> list[list[tuple[str, str]]]:
    text = Path(__file__).with_name("role_cases.txt").read_text(encoding="utf-8")
    blocks = [
        [line.partition("|") for line in block.splitlines() if not line.startswith("#")]
        for block in text.split("\n\n")
    ]
    return [[(role.strip(), text.strip()) for role, _, text in lines] for lines in blocks if lines]


CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][1][:40])
def test_roles(case: list[tuple[str, str]]) -> None:
    text = " ".join(sentence for _, sentence in case)
    assert [(item.role, item.span.text) for item in roled_sentences(text)] == case


def test_the_cases_show_every_role() -> None:
    assert {role for case in CASES for role, _ in case} == set(get_args(Role))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", ""),
        ("Bread is dry. We propose a lid.", "We propose a lid."),
        ("We propose a lid. We design its knob.", "We propose a lid."),
        ("We ask what lids do. Introduces a lid.", "Introduces a lid."),
        ("AIM: To propose a lid. METHODS: We design it.", "To propose a lid."),
        (
            "Lids get lost. We report two cases of a lid in a drawer.",
            "We report two cases of a lid in a drawer.",
        ),
        ("Lids are of concern in kitchens. Heat escapes quickly. Steam is hot.", ""),
        ("Lids shape how we cook and eat.", ""),
        ("Lids get lost. Heat escapes. We think about heat.", ""),
        ("A maximum of 90 °C was observed under a lid of steel.", ""),
        ("The samples were then heated in a pot with a lid.", ""),
        ("To succeed, a cook must lift the lid.", ""),
        ("To keep heat in, lids which are designed to fit have been in use for years.", ""),
        ("Lids are synthesized covers that keep heat in.", ""),
        ("Although lids have been widely studied, none fits.", ""),
        ("Heat under lids was analysed as a function of time.",) * 2,
        ("Thirty cooks with a lid of steel took part in this study.", ""),
        (
            "Lids get lost in many kitchens. The research objective is to explore the lids that "
            "cooks lift. This research was compiled using preferred lists of lids. A screening of "
            "lids was carried out.",
            "The research objective is to explore the lids that cooks lift.",
        ),
        ("The effects of a lid on heat were investigated.",) * 2,
        ("The book asks who lifts the lid.",) * 2,
        ("The results are analysed by a theory of heat under lids.", ""),
        ("A theory of heat under lids is introduced to explain this gap.", ""),
        ("A consistent theory of lids is presented.", ""),
    ],
)
def test_the_one_sentence_that_says_what_a_paper_does(text: str, sentence: str) -> None:
    assert contribution_sentence(roled_sentences(text)) == sentence


def test_what_a_method_reached_or_outdoes_is_a_result() -> None:
    said = ["Each loaf is fed twice.", "In small ovens, Crumb outperforms yeast.", "It rises 9 %."]
    sentences = [RoledSentence(Span(0, len(text), text), "method") for text in said]
    told = with_outcomes(sentences, [sentences[2].span])
    assert [each.role for each in told] == ["method", "result", "result"]


@given(st.lists(st.sampled_from(OPENINGS) | st.text(alphabet="aB1%. ")).map("".join))
def test_a_text_has_at_most_one_main_contribution_and_keeps_its_sentences(text: str) -> None:
    roled = roled_sentences(text)
    assert [item.span for item in roled] == split_sentences(text)
    assert [item.role for item in roled if item.main] in ([], ["contribution"])

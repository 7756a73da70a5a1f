from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.text.sentences import split_sentences


@pytest.mark.parametrize(
    "text",
    [
        "We bake. | It rises. | Why?",
        "It wins 53.6% (e.g. on v2.0). | We release it.",
        "Smith et al. bake bread vs. Cake in Fig. 3.",
        "It reaches (53. 6%) of loaves. | Then it cools.",
        "He said “bake.” | She baked!",
        "See https://a.b/c.html for more. | Done.",
        "No full stop at the end",
        "It cites (Lee. And Low, 2016). | Then it ends.",
        "Weld 6061-T6 Al. | Radial cracks grow as in Li et al. (2010).",
        "It moves soil C and N. | Significant effects follow J. Smith.",
        "At 77 K. | Electron guns fire at 9 V. Brown.",
        "Is it done? | (Nearly.) | iBake helps.",
        "Rising... and falling. | • A list.",
    ],
)
def test_sentences(text: str) -> None:
    """The bars show where a text is split."""
    assert [span.text for span in split_sentences(text.replace(" | ", " "))] == text.split(" | ")


def test_a_lost_blank_ends_a_sentence_before_a_word_with_a_capital() -> None:
    found = split_sentences("It is lacking.In this study we ask amazon.com.")
    assert [span.text for span in found] == snapshot(
        ["It is lacking.", "In this study we ask amazon.com."]
    )


@given(st.text(alphabet='aB1 .!?()\n"e.g%•') | st.text())
def test_spans_cover_every_character_but_blanks_in_order(text: str) -> None:
    spans = split_sentences(text)
    assert all(text[span.start : span.end] == span.text == span.text.strip() for span in spans)
    assert "".join("".join(span.text.split()) for span in spans) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(spans))

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.corpus.readers.tex_accents import without_tex_accents


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Fr\'ed\'eric", "Frédéric"),
        (r"Dov\v{c}iak and \v Cern\'{y}", "Dovčiak and Černý"),
        (r"Schr{\"o}dinger, Schr\"{o}dinger, Schr\"odinger", "Schrödinger, " * 2 + "Schrödinger"),
        (r"S{\o}ren \O{}sterg\aa rd, \L{}ukasz", "Søren Østergård, Łukasz"),
        (r"na\"{\i}ve, na\"\i ve", "naïve, naïve"),
        (r"$\dot{x}$ and \alpha", r"$\dot{x}$ and \alpha"),
    ],
)
def test_accents(written: str, read: str) -> None:
    assert without_tex_accents(written) == read


@given(st.text(alphabet="\\'\"{}$vco iı") | st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(without_tex_accents(text), str)


def test_hostile_texts_take_no_time() -> None:
    start = time.perf_counter()
    for sign in ("\\", "$", "{\\", "\\'{", "\\v "):
        without_tex_accents(sign * 200_000)
    assert time.perf_counter() - start < 10

"""Acronyms that a text defines, and texts respelled by them: cases in acronym_cases.txt."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.text.acronyms import Speller, definitions
from classifier.text.normalise import cased_tokens, tokens

DEFINED = "Slow oven baking (SOB), home bread (HB), rye home bread (RHB), Iron Stones (IS)."
PIECES = ["SOB", "slow oven baking", "HB", "home bread", "rye ", " ", "(", ")", "İ", "IS", "is"]


def read_cases() -> list[tuple[str, list[str]]]:
    path = Path(__file__).with_name("acronym_cases.txt")
    cases: list[tuple[str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            cases[-1][1].append(line.strip())
        elif line and not line.startswith("#"):
            cases.append((line, []))
    return cases


@pytest.mark.parametrize(("text", "defined"), read_cases())
def test_definitions(text: str, defined: list[str]) -> None:
    assert [f"{short} = {' '.join(long)}" for short, long in definitions(text).items()] == defined


@pytest.mark.parametrize(
    ("text", "respelled"),
    [
        pytest.param("We like SOB", "we like <slow oven baking>", id="written out"),
        pytest.param("SOBs, SOB-like", "<slow oven bakings> <slow oven baking> like", id="forms"),
        pytest.param("Slow-Oven Baking wins", "<sob> wins", id="shortened"),
        pytest.param("a rye home bread", "a <rhb>", id="the longest form"),
        pytest.param("HB or home bread", "<home bread> or <hb>", id="both ways"),
        pytest.param("home bread (HB): HB", "home bread hb <home bread>", id="a definition stays"),
        pytest.param("HB (home bread)", "", id="the other way round too"),
        pytest.param("this IS, this is", "this <iron stones> this is", id="case tells"),
        pytest.param("sobbing", "", id="within a word"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_respelled_texts(text: str, respelled: str) -> None:
    found = Speller(definitions(DEFINED)).respell(cased_tokens(text))
    words = list(found.words) if found else []
    for start, end in found.places if found else ():
        words[start] = f"<{words[start]}"
        words[end - 1] += ">"
    assert " ".join(words) == respelled


def test_where_a_respelled_word_stands_in_the_text_itself() -> None:
    respelling = Speller(definitions(DEFINED)).respell(cased_tokens("all HB and home bread rise"))
    assert respelling is not None
    assert respelling.words == ("all", "home", "bread", "and", "hb", "rise")
    assert respelling.places == ((1, 3), (4, 5))
    assert [respelling.as_written(at, at + 1) for at in range(6)] == [
        (0, 1), (1, 2), (1, 2), (2, 3), (3, 5), (5, 6),
    ]  # fmt: skip
    assert respelling.as_written(2, 5) == (1, 5)
    assert [respelling.covers_place(0, 2), respelling.covers_place(0, 3)] == [False, True]


def test_nothing_defined_nothing_respelled() -> None:
    assert Speller({}).respell(["SOB"]) is None


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))
def test_a_respelled_text_keeps_the_rest(text: str) -> None:
    respelling = Speller(definitions(DEFINED)).respell(cased_tokens(text))
    if respelling is None:
        return
    put_in = {at for start, end in respelling.places for at in range(start, end)}
    kept = [at for at in range(len(respelling.words)) if at not in put_in]
    written = tokens(text)
    origins = [respelling.as_written(at, at + 1) for at in range(len(respelling.words))]
    assert [respelling.words[at] for at in kept] == [written[origins[at][0]] for at in kept]
    covered = {at for start, end in origins for at in range(start, end)}
    assert covered == set(range(len(written)))


@given(st.text() | st.lists(st.sampled_from(["Ab", "(AB)", " ", "(", "AB", "s"])).map("".join))
def test_any_text_may_be_read_for_definitions(text: str) -> None:
    assert all(len(long) > 1 for long in definitions(text).values())

from __future__ import annotations

import pytest
from ftfy.badness import is_bad
from hypothesis import given
from hypothesis import strategies as st

from classifier.corpus.paper import Paper
from classifier.corpus.readers import Record
from classifier.corpus.readers.jsonl import JSONL
from classifier.corpus.readers.mojibake import _SUSPECT, repaired
from classifier.errors import Fault
from classifier.files.content import text_content


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Café", "cp1252"),
        ("naïve – ‘rye’ œuvre", "cp1252"),
        ("Łódź, Brno", "latin-1"),
        ("Грузия и хлеб", "latin-1"),
        ("Хлеб и соль", "cp1251"),
    ],
)
def test_utf_8_that_was_read_otherwise_is_repaired(text: str, encoding: str) -> None:
    assert repaired(text.encode().decode(encoding)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Crème brûlée à l’œuf, façon château",
        "Brot, Bäcker und Öfen – „groß“",
        "Հայոց հացի պատմություն",
        "面包与黄油的关系研究",
        "パンとバターについて",
        "Хлеб и соль, объём №5",
        "Ψωμί και αλάτι",
        "Ekmek, tuz ve çörek; ığdır",
        "Pão, sal e açúcar – coração",
        "Bread at 5 °C ± 2, 10 µm, x² ≤ 3·10⁻⁴, § 7",
        "Ünïcödé ÂNGSTRÖM",
    ],
)
def test_what_was_read_rightly_stays(text: str) -> None:
    assert repaired(text) == text


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_stays(text: str) -> None:
    assert repaired(text) == text


def read(line: str) -> list[Record]:
    return list(JSONL.read(text_content("p.jsonl", line)))


def test_a_repair_is_told() -> None:
    _, fault, paper = read('{"title": "CafÃ© life", "authors": ["JosÃ© Sal"], "venue": "Bread"}')
    assert isinstance(fault, Fault)
    assert isinstance(paper, Paper)
    assert (paper.title, paper.authors) == ("Café life", ("José Sal",))
    assert fault.found == "'JosÃ© Sal', letters in the wrong encoding"


@given(st.text(alphabet="aZ .,-?“”’–—éÃÂœΒВ°€™\x9d", max_size=8))
def test_nothing_that_ftfy_holds_to_be_bad_is_passed_over(text: str) -> None:
    assert _SUSPECT.search(text) or not is_bad(text)

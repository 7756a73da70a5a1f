from __future__ import annotations

import ftfy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.clean import repair_encoding
from classifier.papers.paper import Paper
from classifier.papers.reader import Record
from classifier.papers.readers.json_file import JSONL


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
    assert repair_encoding(text.encode().decode(encoding)) == text


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
    assert repair_encoding(text) == text


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_stays(text: str) -> None:
    assert repair_encoding(text) == text


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40),
    st.sampled_from(["latin-1", "cp1252", "cp1251", "cp1253", "cp1257", "mac-roman", "cp437"]),
    st.sampled_from(["", " ", "?", "�"]),
)
def test_nothing_that_ftfy_repairs_is_passed_over(text: str, encoding: str, lost: str) -> None:
    broken = text.encode().decode(encoding, "replace").replace("\xa0", lost or "\xa0")
    fixed = ftfy.fix_encoding(broken)
    assert repair_encoding(broken) in (fixed, broken if "�" in fixed else fixed)


def read(line: str) -> list[Record]:
    return list(JSONL.read(text_content("p.jsonl", line)))


def test_a_repair_is_told() -> None:
    _, fault, paper = read('{"title": "CafÃ© life", "authors": ["JosÃ© Sal"], "venue": "Bread"}')
    assert isinstance(fault, Fault)
    assert isinstance(paper, Paper)
    assert (paper.title, paper.authors) == ("Café life", ("José Sal",))
    assert fault.actual == snapshot("authors 'JosÃ© Sal' in the wrong encoding")

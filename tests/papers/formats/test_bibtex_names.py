from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.formats.latex import read_names


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("", []),
        ("Ada Cruz and Bal, Bo", ["Ada Cruz", "Bal, Bo"]),
        ("Cruz, Ada  and\n   Bal, Bo", ["Cruz, Ada", "Bal, Bo"]),
        ("de la Cruz, Ada and Bal, Jr., Bo", ["de la Cruz, Ada", "Bal Jr., Bo"]),
        ("{Bakers and Sons} and Cruz, A.", ["Bakers and Sons", "Cruz, A."]),
        (r"Cz{\'e}k, J{\"u}rgen and {\O}re, {\AA}sa", ["Czék, Jürgen", "Øre, Åsa"]),
        ("Ada {van der Berg}", ["van der Berg, Ada"]),
        ("Cruz, {Lee-ann}", ["Cruz, Lee-ann"]),
        ("family=Cruz, given=Ada, prefix=de la, useprefix=true", ["de la Cruz, Ada"]),
        ("Ada Cruz and others", ["Ada Cruz", "others"]),
        ("Ada Cruz and and Bo Bal", ["Ada Cruz", "Bo Bal"]),
        ("Cruz, Ada and", ["Cruz, Ada"]),
        (
            r"{B}al, Bo and \'Alvarez, P. and \AA strand, A.",
            ["Bal, Bo", "Álvarez, P.", "Åstrand, A."],
        ),
        ("Cruz, Ada; Bal, Bo", ["Cruz, Ada", "Bal, Bo"]),
        ("Cruz, A., Bal, B., and Czek, C.", ["Cruz, A.", "Bal, B.", "Czek, C."]),
        ("Cruz, Ada et al.", ["Cruz, Ada", "others"]),
        (r"Ada Cruz\textsuperscript{1} and Bo Bal$^{1,2}$", ["Ada Cruz", "Bo Bal"]),
        ("M&uuml;ller, Ann", ["Müller, Ann"]),
    ],
)
def test_names(field: str, names: list[str]) -> None:
    assert read_names(field) == names


def test_thousands_of_names_are_fast() -> None:
    assert len(read_names(" and ".join(["Cruz, {A}da"] * 5_000))) == 5_000


@given(st.text(alphabet='{}\\ and,=\n"family') | st.text())
def test_any_field_is_read(field: str) -> None:
    assert all(read_names(field))

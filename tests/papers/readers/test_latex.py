from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.readers.latex import latex_address, latex_text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        ("Plain bread", "Plain bread"),
        ("The {Rye} {{B}}ook", "The Rye Book"),
        (r"G{\"o}del, \v{S}koda, Ha\v cek, \c{C}a", "Gödel, Škoda, Haček, Ça"),
        (r"H\H{o}, {\r a}", "Hő, å"),
        (r"na\"{\i}ve, \'{\i}, \'\i le, \.Istanbul", "naïve, í, íle, İstanbul"),
        (r"Nguy{\~{\^e}}n", "Nguyễn"),
        (r"stra\ss e, {\o}re, \ae on, \L{}odz, \aa{}", "straße, øre, æon, Łodz, å"),
        (r"salt \& 5\% \$3 \#1 a\_b \{x\}", "salt & 5% $3 #1 a_b {x}"),
        (r"\emph{sour} {\em dough} \textbf{a {B}} \textsc{c}", "sour dough a B c"),
        ("1--2, a---b, ``quoted'', a~b, it's", "1–2, a—b, “quoted”, a b, it's"),
        ("`fast--slow' plants, \\`a l'eau, `it's so' and `code`, isn't it",
         "‘fast–slow’ plants, à l'eau, ‘it's so’ and `code`, isn't it"),
        (r"{\textcopyright} 2012, {\textless}i{\textgreater}", "© 2012, <i>"),
        (r"rise of $\alpha_{1} < 2\%$ and \alpha", r"rise of $\alpha_{1} < 2\%$ and α"),
        (r"\(x^{2}\) grows", "$x^{2}$ grows"),
        (r"costs $5", "costs $5"),
        (r"see \url{https://bees.org/~a_b--c} and \href{https://x.org}{there}",
         "see https://bees.org/~a_b--c and there"),
        (r"as in \cite{cruz2020}, \label{a}x", "as in , x"),
        (r"\LaTeX is \TeX{} and \doughname rises", "LaTeX is TeX and doughname rises"),
        (r"CO\textsubscript{2} 5\,g \mbox{whole}", "CO2 5 g whole"),
        ("{\\", "\\"), (r"\~{}", "~"), ("}{", ""),
    ],
)  # fmt: skip
def test_latex_is_read_as_people_read_it(latex: str, text: str) -> None:
    assert latex_text(latex) == text


@pytest.mark.parametrize(
    ("latex", "address"),
    [
        ("https://bees.org/~ada/a--b", "https://bees.org/~ada/a--b"),
        (r"https://bees.org/{\~{}}ada/a{\_}b\&c", "https://bees.org/~ada/a_b&c"),
        (r"\url{https://bees.org/\%20}", "https://bees.org/%20"),
        (r"10.1000/a\_b", "10.1000/a_b"),
    ],
)
def test_an_address_keeps_its_signs(latex: str, address: str) -> None:
    assert latex_address(latex) == address


@given(st.text(alphabet="\\{}$~-`'\"^=.,abcuvi \n%&#_[]()") | st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(latex_text(text), str)
    assert isinstance(latex_address(text), str)
    if not set(text) & set("\\{}~$-`'"):
        assert latex_text(text) == text


@pytest.mark.parametrize("sign", ["{", "\\", "$", "\\'", "\\a{", "\\(", "$x", "\\begin{", "--"])
def test_long_rubbish_takes_no_longer(sign: str) -> None:
    latex_text(sign * 100_000)

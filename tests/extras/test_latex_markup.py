"""Markdown of the survey as LaTeX: links, citations, and nothing that a command could hide in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.extras.latex_markup import (
    Links,
    blocks_to_latex,
    declarations,
    inline_to_latex,
    latex_address,
)

KEYS = {1: "arxiv-2401.10230", 2: "cruz2024", 3: "p-0123456789"}


def links(base_url: str = "https://crows.example/guide") -> Links:
    return Links(KEYS, frozenset({"tools", "table-a"}), base_url)


@pytest.mark.parametrize(
    ("markdown", "latex"),
    [
        ("50% of **R&D** is *a_b*", r"50\% of \textbf{R\&D} is \emph{a\_b}"),
        ("`x^2` $y$ \\\\n", r"\texttt{x\textasciicircum{}2} \$y\$ \textbackslash{}n"),
        (r"so \[[2](#ref-2)\].", r"so \citep{cruz2024}."),
        (
            r"so \[[1](#ref-1), [2](#ref-2) and 3 more\]",
            r"so \citep[{and 3 more}]{arxiv-2401.10230,cruz2024}",
        ),
        ("[1](#ref-1) bends, [2](#ref-2)", r"\citep{arxiv-2401.10230} bends, \citep{cruz2024}"),
        ("[9](#ref-9)", "9"),
        ("see [tools](#tools)", r"see \hyperref[tools]{tools}"),
        ("see [gone](#gone)", "see gone"),
        ("[all](browse.html?a=b%20c#d)", r"\href{https://crows.example/guide/browse.html?a=b\%20c\#d}{all}"),
        ("[x](https://a.example/~x_y)", r"\href{https://a.example/~x_y}{x}"),
        ("[x](javascript:alert)", "x"),
        ("<b> \\input{/etc}", r"$<$b$>$ \textbackslash{}input$\lbrace$/etc$\rbrace$"),
    ],
)  # fmt: skip
def test_one_line(markdown: str, latex: str) -> None:
    assert inline_to_latex(markdown, links()) == latex


def test_pages_of_a_site_without_an_address_are_text() -> None:
    assert inline_to_latex("[Hooks](p/arxiv-1.html)", links("")) == "Hooks"


def test_what_was_cited_is_known() -> None:
    told = links()
    inline_to_latex(r"\[[3](#ref-3), [1](#ref-1)\]", told)
    assert told.cited == {1, 3}


def test_blocks_are_lists_quotes_and_code() -> None:
    markdown = "One.\n\n- [a] b\n- c\n\nTwo.\n\n1. d\n\n> e\n\n    f  {g}\n\n### h\n\n---\n"
    assert blocks_to_latex(markdown, links()) == "\n\n".join(
        [
            "One.",
            "\\begin{itemize}\n\\item {}[a] b\n\\item c\n\\end{itemize}",
            "Two.",
            "\\begin{enumerate}\n\\item d\n\\end{enumerate}",
            "\\begin{quote}\ne\n\\end{quote}",
            "\\begin{quote}\\ttfamily\n{}f $\\lbrace$g$\\rbrace$\n\\end{quote}",
            "\\paragraph*{h}",
            "\\medskip",
        ]
    )


def test_lists_are_no_deeper_than_latex_allows() -> None:
    markdown = "\n".join(f"{'    ' * depth}- level {depth}" for depth in range(9))
    latex = blocks_to_latex(markdown, links())
    assert latex.count(r"\begin{itemize}") == 3
    assert "level 8" in latex


COMMAND = re.compile(r"\\([A-Za-z]+|.)")
ALLOWED = set(
    "textbf textit emph texttt textsubscript textsuperscript newline citep href hyperref lbrace "
    "rbrace textbackslash textasciicircum textasciitilde".split()
) | set("$&#%_")


@given(st.text(alphabet=st.sampled_from(list("\\{}[]()$&#%_^~<>|*`!-ab1 \n\"'é乌")), max_size=60))
def test_no_text_becomes_a_command_and_braces_balance(text: str) -> None:
    latex = inline_to_latex(text, links())
    assert set(COMMAND.findall(latex)) <= ALLOWED
    plain = re.sub(r"\\.", "", latex)
    assert plain.count("{") == plain.count("}")


def test_an_address_needs_no_protection() -> None:
    assert latex_address("https://a.example/a b{c}%20é^#x") == (
        r"https://a.example/a\%20b\%7Bc\%7D\%20\%C3\%A9\%5E\#x"
    )


def test_signs_are_put_together_or_left_to_the_fallback() -> None:
    assert list(declarations("aαễ乌≤")) == [
        r"\fieldguidesign{α}{03B1}{\ensuremath{\alpha}}",
        r"\fieldguidesign{ễ}{1EC5}{\~{\^e}}",
        r"\fieldguidesign{≤}{2264}{\ensuremath{\leq}}",
    ]

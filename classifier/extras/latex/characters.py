"""Signs that pdfLaTeX does not know by itself; LuaLaTeX and XeLaTeX take them from their fonts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import decomposition, name

_COMMANDS = {
    "−": r"\ensuremath{-}", "≤": r"\ensuremath{\leq}", "≥": r"\ensuremath{\geq}",
    "≠": r"\ensuremath{\neq}", "≈": r"\ensuremath{\approx}", "∼": r"\ensuremath{\sim}",
    "→": r"\ensuremath{\rightarrow}", "←": r"\ensuremath{\leftarrow}",
    "↔": r"\ensuremath{\leftrightarrow}", "⇒": r"\ensuremath{\Rightarrow}",
    "∞": r"\ensuremath{\infty}", "∈": r"\ensuremath{\in}", "∑": r"\ensuremath{\sum}",
    "∏": r"\ensuremath{\prod}", "√": r"\ensuremath{\surd}", "∂": r"\ensuremath{\partial}",
    "∇": r"\ensuremath{\nabla}", "∀": r"\ensuremath{\forall}", "∃": r"\ensuremath{\exists}",
    "∪": r"\ensuremath{\cup}", "∩": r"\ensuremath{\cap}", "⊂": r"\ensuremath{\subset}",
    "⊆": r"\ensuremath{\subseteq}", "⊕": r"\ensuremath{\oplus}", "⊗": r"\ensuremath{\otimes}",
    "ℓ": r"\ensuremath{\ell}", "★": r"\ensuremath{\star}", "∗": r"\ensuremath{\ast}",
    "′": r"\ensuremath{'}", "‑": "-", "‐": "-", "―": "---", "…": r"\dots{}",
    "\u2002": " ", "\u2003": " ", "\u2009": r"\,", "\u202f": r"\,",
}  # fmt: skip
_ACCENTS = {
    "0300": r"\`", "0301": r"\'", "0302": r"\^", "0303": r"\~", "0304": r"\=", "0306": r"\u",
    "0307": r"\.", "0308": r'\"', "030A": r"\r", "030B": r"\H", "030C": r"\v", "0323": r"\d",
    "0327": r"\c", "0328": r"\k", "0331": r"\b",
}  # fmt: skip
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)")
_LATIN_GREEK = "ALPHA BETA EPSILON ZETA ETA IOTA KAPPA MU NU OMICRON RHO TAU CHI".split()
"""Greek capitals that look like Latin ones, and have no command."""


def declarations(text: str) -> Iterator[str]:
    r"""Yield a line for each sign of `text` that LaTeX may lack and that can be put together.

    A sign that LaTeX knows keeps its own meaning; one that nobody knows prints as `?`.
    """
    for sign in sorted(set(text)):
        if sign > "\x7f" and (command := _command(sign)):
            yield rf"\fieldguidesign{{{sign}}}{{{ord(sign):04X}}}{{{command}}}"


def _command(sign: str) -> str:
    """Return the LaTeX of a sign, or "" where there is none.

    >>> _command("α"), _command("ễ"), _command("ﬁ")
    ('\\\\ensuremath{\\\\alpha}', '\\\\~{\\\\^{e}}', 'fi')
    """
    if sign in _COMMANDS:
        return _COMMANDS[sign]
    greek = _GREEK.fullmatch(name(sign, ""))
    if greek:
        return _greek(greek[1] == "CAPITAL", greek[2])
    kind, *parts = decomposition(sign).split() or [""]
    if kind.startswith("<"):
        return _letters(parts)
    accent = _ACCENTS.get(parts[0], "") if parts else ""
    inside = _letters([kind]) if accent else ""
    return f"{accent}{{{inside}}}" if inside else ""


def _letters(codes: list[str]) -> str:
    """Return signs by their codes, each as LaTeX; "" where one has none."""
    signs = [chr(int(code, 16)) for code in codes]
    written = [sign if sign.isascii() and sign.isalnum() else _command(sign) for sign in signs]
    return "".join(written) if all(written) else ""


def _greek(is_capital: bool, letter: str) -> str:
    letter = {"LAMDA": "LAMBDA", "FINAL": ""}.get(letter, letter)
    if not letter:
        return r"\ensuremath{\varsigma}"
    if letter == "OMICRON" or (is_capital and letter in _LATIN_GREEK):
        latin = {"CHI": "X", "RHO": "P", "NU": "N", "ETA": "H"}.get(letter, letter[0])
        return rf"\ensuremath{{\mathrm{{{latin if is_capital else latin.lower()}}}}}"
    if letter not in _WITH_COMMAND:
        return ""
    return rf"\ensuremath{{\{letter.capitalize() if is_capital else letter.lower()}}}"


_WITH_COMMAND = frozenset(
    "ALPHA BETA GAMMA DELTA EPSILON ZETA ETA THETA IOTA KAPPA LAMBDA MU NU XI PI RHO SIGMA TAU "
    "UPSILON PHI CHI PSI OMEGA".split()
)

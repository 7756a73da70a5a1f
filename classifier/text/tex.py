"""TeX in titles and abstracts as people read it: `$350\\,^\\circ\\mathrm{C}$` is 350 °C.

What no rule here knows is left as it was read. Identity keys of titles do not read these rules
(`normalise.title_key`), so that a rule more never gives a paper another id.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from classifier.text.normalise import SYMBOLS

Replacement = str | Callable[[re.Match[str]], str]

_UP = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_DOWN = str.maketrans("0123456789+-−=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ")
_FONT = "mathrm|mathbf|mathcal|mathit|mathbb|mathsf|text|textrm|textbf|textit|textsc|boldsymbol"


def _up(match: re.Match[str]) -> str:
    return (match[1] or match[2]).translate(_UP)


def _down(match: re.Match[str]) -> str:
    return (match[1] or match[2]).translate(_DOWN)


def _command(match: re.Match[str]) -> str:
    return _sign(match[1]) or match[0]


# Inside a pair of dollars, in this order.
_IN_MATH: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    (re.compile(r"([\^_])\\\{([^{}\\]*)\\\}"), r"\1{\2}"),  # braces were escaped on the way
    (re.compile(r"\\\{\s*\\\}|(?<![\w}])\{\}"), ""),
    (re.compile(r"\\frac\{(\w{1,9})\}\{(\w{1,9})\}"), r"\1/\2"),
    (re.compile(r"(?:\\[,;: ]|~)?\^(?:\\circ(?![A-Za-z])|\{\\circ\}) ?"), " °"),
    (re.compile(r"(?<=[(\d])\\[,;:!](?=-?\d\b(?!\d))"), ""),  # (0\,0\,1) is the plane of a crystal
    (re.compile(r"\\[,;: ]|~|\\q?quad(?![A-Za-z])"), " "),
    (re.compile(r"\\!|\\(?:left|right|rm|bf|it)(?![A-Za-z]) ?"), ""),
    (re.compile(r"\\sqrt\{(\w+)\}"), r"√\1"),
    (re.compile(rf"\\(?:{_FONT}) ?\{{([^{{}}]*)\}}"), r"\1"),
    (re.compile(r"\\([A-Za-z]+) ?(?![A-Za-z{])"), _command),
    (re.compile(r"\^\{([0-9+\-−=()ni]+)\}|\^([0-9n])(?!\d)"), _up),
    (re.compile(r"_\{([0-9+\-−=().aeijkmnoprstuvx]+)\}|_([0-9])(?!\d)"), _down),
    (re.compile(r"_([aeijkmnoprstuvx])(?![A-Za-z0-9])"), lambda found: found[1].translate(_DOWN)),
    (re.compile(r"([\^_])\{(\w+)\}"), r"\1\2"),
    (re.compile(r"([\^_])\{([^{}\\]+)\}"), r"\1(\2)"),
)
_MATH = re.compile(
    r"\$(?<!\\\$)(?=\S)([^$]{1,120}?)(?<=\S)\$(?!\d)|\$(\\[a-z]{2,6}|[×±≈<>≤≥]{1,3})\$"
)
_MARKED = re.compile(r"[\\^_{}]|^\W+$")
_LEFT = re.compile(r"[\\{}]")
_OTHERS: tuple[tuple[str, re.Pattern[str], Replacement], ...] = (
    ("\\(", re.compile(r"\\\((.{1,120}?)\\\)"), lambda found: _inline(found[1])),
    # Mendeley writes a line feed so.
    ("$backslash$", re.compile(r"(?:\$backslash\$n)+"), " "),
    ("\\cite", re.compile(r"\s?\\cite[pt]?\*?\{[^{}]{0,200}\}"), ""),
    ("\\textcolor", re.compile(r"\\textcolor\{\w{1,30}\}\{"), ""),
)


def without_tex(text: str) -> str:
    """Return a text with its formulas as people read them; what is not known stays.

    >>> without_tex(r"at $350\\,^\\circ\\mathrm{C}$ on Cu$(0\\,0\\,1)$, ${}^{63}$Cu, Cu$_{0.5}$")
    'at 350 °C on Cu(001), ⁶³Cu, Cu₀.₅'
    """
    for sign, pattern, replacement in _OTHERS:
        if sign in text:
            text = pattern.sub(replacement, text)
    return _MATH.sub(_read, text) if "$" in text else text


def _read(match: re.Match[str]) -> str:
    """Return the inside of a pair of dollars as plain text, or the pair as it is."""
    text = match[1] or match[2]
    if not _MARKED.search(text):
        return match[0]  # "$5 and $7"; `normalise.display` reads plain words and letters
    for pattern, replacement in _IN_MATH:
        text = pattern.sub(replacement, text)
    return match[0] if _LEFT.search(text) else text.strip() if match[1] else text


def _inline(formula: str) -> str:
    """Return what stands in `\\(...\\)` as it is, or in dollars where it holds TeX."""
    return f"${formula}$" if _MARKED.search(formula) else formula


@cache
def _sign(command: str) -> str:
    """Return the sign that a command stands for, or ""."""
    if command in SYMBOLS:
        return SYMBOLS[command]
    from pylatexenc.latex2text import get_default_latex_context_db  # late: it is slow to load

    spec = get_default_latex_context_db().get_macro_spec(command)
    said = getattr(spec, "simplify_repl", None)
    return said if isinstance(said, str) and "%" not in said else ""

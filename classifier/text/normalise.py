"""Display form, identity key, tokens and stems of a text; the text as read is never changed."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

from rapidfuzz import process

RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
LOWERED = str.maketrans("0123456789+-−=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ")
SYMBOLS = {
    "times": "×", "rightarrow": "→", "to": "→", "leftarrow": "←", "leftrightarrow": "↔",
    "sim": "~", "approx": "≈", "pm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "cdot": "·", "infty": "∞", "ell": "ℓ", "alpha": "α", "beta": "β", "gamma": "γ",
    "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ", "mu": "μ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "omega": "ω",
    "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ",
    "Psi": "Ψ", "Omega": "Ω", "dagger": "†", "ldots": "…", "dots": "…",
}  # fmt: skip
_FONTS = "textit|textbf|texttt|textsc|textrm|textsf|emph|mathrm|mathbf|text"
_COMPARED = (
    r"\s+(?:higher|lower|faster|slower|more|less|fewer|larger|smaller|over|speed|throughput"
    r"|improve)"
)
_COMMANDS = "|".join(sorted(SYMBOLS, key=len, reverse=True))

Replacement = str | Callable[[re.Match[str]], str]

_IN_MATH: tuple[tuple[str, re.Pattern[str], Replacement], ...] = (
    ("\\", re.compile(r"\\(?:mathrm|mathbf|mathcal|text|textbf|textit)\s*\{([^{}]*)\}"), r"\1"),
    ("\\", re.compile(rf"\\({_COMMANDS})(?![A-Za-z])"), lambda m: SYMBOLS[m.group(1)]),
    ("^", re.compile(r"\^\{?([0-9+\-n]+)\}?"), lambda m: m.group(1).translate(RAISED)),
    ("_", re.compile(r"_\{?([0-9+\-]+)\}?"), lambda m: m.group(1).translate(LOWERED)),
    ("\\", re.compile(r"\\([%$&#_{}])"), r"\1"),
)
"""(sign without which there is nothing to do, pattern, replacement)"""
_LIGATURES = {0xFB00 + n: letters for n, letters in enumerate("ff fi fl ffi ffl st st".split())}
_STILL_MATH = re.compile(r"[\\^{}]")


def _math(match: re.Match[str]) -> str:
    """Turn the inside of a `$…$` pair into plain text, or leave the pair as it is."""
    text = match.group(1)
    for sign, pattern, replacement in _IN_MATH:
        if sign in text:
            text = pattern.sub(replacement, text)
    return match.group(0) if _STILL_MATH.search(text) else text


# Each rule repairs one kind of residue that LaTeX, or a page that dropped half of it, leaves; in a
# text without its sign it finds nothing to do.
# The order matters: commands with arguments first, then math pairs, then what is left bare.
DISPLAY_RULES: tuple[tuple[str, str, re.Pattern[str], Replacement], ...] = (
    ("link with text", "\\href", re.compile(r"\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}"), r"\1"),
    ("bare link", "\\url", re.compile(r"\\url\s*\{([^{}]*)\}"), r"\1"),
    ("font command", "\\", re.compile(rf"\\(?:{_FONTS})\s*\{{([^{{}}]*)\}}"), r"\1"),
    ("math pair", "$", re.compile(r"\$(?<!\\\$)(?=\S)([^$]{1,60}?)(?<=\S)\$(?!\d)"), _math),
    ("escaped sign", "\\", re.compile(r"\\([%$&#_{}])"), r"\1"),
    ("escaped dollar that lost its sign", "\\", re.compile(r"\\(?=\d)"), "$"),
    ("escaped blank", "\\", re.compile(r"\\(?=\s)"), ""),
    ("tie", "~", re.compile(r"(?<=[a-z0-9)])~(?=[A-Za-z])"), " "),
    ("braces behind a link", "}", re.compile(r"(https?://[^\s{}]+)(?:\{[^{}]*\})?\}+"), r"\1"),
    ("named symbol", "\\", re.compile(rf"\\({_COMMANDS})(?![A-Za-z])\s?"), lambda m: SYMBOLS[m[1]]),
    ("command of a word", "\\", re.compile(r"\\([A-Za-z]{4,})(?![A-Za-z]|\s*[{\[])"), r"\1"),
    (
        "exponent",
        "^",
        re.compile(r"(?<=[A-Za-zα-ω)])\^(\d{1,2})(?!\d)"),
        lambda m: m.group(1).translate(RAISED),
    ),
    ("times a number", "times", re.compile(rf"(?<=\d)\s?times(?={_COMPARED}|~|\d|[)\],.;])"), "×"),
    ("times glued to a number", "times", re.compile(r"(?<=\d)times(?![a-z])"), "×"),
    ("arrow", "rightarrow", re.compile(r"(?<=[\d%)])\s?rightarrow\s?(?=[\d(])"), "→"),
    ("typed arrow", "->", re.compile(r"(?<=[\d%)])\s?->\s?(?=[\d(])"), "→"),
    ("about before a number", "sim", re.compile(r"sim(?<![A-Za-z]sim)\s?(?=\d)"), "~"),
    ("about before a number", "approx", re.compile(r"approx(?<![A-Za-z]approx)\s?(?=\d)"), "≈"),
    ("decimal torn apart", ". ", re.compile(r"\. (?<=\d\. )(?=\d+\s?(?:%|×|points?\b|\)))"), "."),
    ("range of numbers", "--", re.compile(r"--(?<=\d--)(?=\d)"), "–"),
    ("dash between words", "--", re.compile(r"--(?<=[A-Za-z]--)(?=[A-Za-z])"), "–"),
    ("dash", "--", re.compile(r"(?<=\s)---?(?=\s)"), "–"),
    ("TeX quotes", "``", re.compile(r"``([^`']{1,200})''"), r"“\1”"),
    ("degree that was lost", "\ufffd", re.compile(r"(?<=\d)\s?\ufffd+(?=C\b)"), " °"),
    ("blank that was lost", "\ufffd", re.compile(r"(?<=\d)\ufffd(?=[A-Za-zµμΩ])"), " "),
)


@lru_cache(maxsize=2**14)  # labels, pages and references ask for the same titles and texts
def display(text: str) -> str:
    """Return `text` cleaned for people: LaTeX residue resolved, blanks folded.

    >>> display(r"wins 62\\% (53. 6\\%), 4.5times faster")
    'wins 62% (53.6%), 4.5× faster'
    """
    if not text.isascii():
        text = text.translate(_LIGATURES)
    for _, sign, pattern, replacement in DISPLAY_RULES:
        if sign in text:
            text = pattern.sub(replacement, text)
    is_printable = text.isprintable()
    if not is_printable or "  " in text:
        text = " ".join(text.split())
    if not is_printable and not text.isprintable():
        text = "".join(c for c in text if not unicodedata.category(c).startswith("C"))
    return text.strip()


@lru_cache(maxsize=2**16)
def title_key(title: str) -> str:
    """Return the identity key of a title: case-folded letters and digits, nothing else.

    A title without any (an emoji, "???") is its own key, so that two such titles stay apart.

    >>> title_key("SWE-bench: Can Models?"), title_key("SWE Bench, can models")
    ('swebenchcanmodels', 'swebenchcanmodels')
    """
    folded = unicodedata.normalize("NFKC", display(title)).casefold()
    # Marks are part of their letter (Devanagari vowels), though `\w` does not hold them.
    letters = (c for c in folded if c.isalnum() or unicodedata.category(c).startswith("M"))
    return "".join(letters) or "".join(folded.split())


def title_id(title: str) -> str:
    """Return the id that a paper without arXiv id or DOI is known by: `p-` and ten hex digits."""
    return "p-" + hashlib.sha256(title_key(title).encode()).hexdigest()[:10]


# Chinese characters and kana are words of their own: they are written without blanks.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’][^\W_]+)?|[%$]")
_POSSESSIVES = ("'s", "’s", "'S", "’S")


def tokens(text: str) -> list[str]:
    """Return the words of `text`, lower case; a hyphen separates, so that spellings meet.

    >>> tokens("Multi-Agent RL (GRPO) beats GPT-4o's 53.6%")
    ['multi', 'agent', 'rl', 'grpo', 'beats', 'gpt', '4o', '53', '6', '%']
    >>> tokens("强化学习")
    ['强', '化', '学', '习']
    """
    return " ".join(cased_tokens(text)).lower().split()


def cased_tokens(text: str) -> list[str]:
    """Return `tokens(text)` in the case in which they are written.

    >>> cased_tokens("Multi-Agent RL")
    ['Multi', 'Agent', 'RL']
    """
    return _tokens(unicodedata.normalize("NFKC", text))


def _tokens(plain: str) -> list[str]:
    found = _TOKEN.findall(plain)
    if "'" not in plain and "’" not in plain:
        return found
    return [token[:-2] if token.endswith(_POSSESSIVES) else token for token in found]


def placed_tokens(text: str) -> tuple[list[str], Callable[[], list[tuple[int, int]]]]:
    """Return the tokens of a text, lower case, and what tells where in it each starts and ends.

    >>> words, places = placed_tokens("a GPT-4o's")
    >>> words, places()
    (['a', 'gpt', '4o'], [(0, 1), (2, 5), (6, 8)])
    """
    plain = unicodedata.normalize("NFKC", text)
    if len(plain) != len(text):
        forms = [(sign, unicodedata.normalize("NFKC", sign)) for sign in text]
        plain = "".join(form if len(form) == 1 else sign for sign, form in forms)
    found = _tokens(plain)

    def places() -> list[tuple[int, int]]:
        starts = (match.start() for match in _TOKEN.finditer(plain))
        return [(start, start + len(word)) for start, word in zip(starts, found, strict=True)]

    return " ".join(found).lower().split(), places


ACTS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202d\u202e\ud800-\udfff\ufffe\uffff]"
)
"""A control character, half of a surrogate pair, no character at all, an override of direction."""


def without_acting_signs(text: str) -> str:
    """Return what an editor wrote, line breaks and all, without signs that act.

    >>> without_acting_signs("bell" + chr(7) + chr(10) + "- item")
    'bell\\n- item'
    """
    return text if text.isascii() and text.isprintable() else ACTS.sub("", text)


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """Return "Did you mean …?" for the name that is spelled most like `text`, or "".

    >>> did_you_mean("tatse", ["dough", "taste"])
    "Did you mean 'taste'?"
    """
    names = [name for name in known if name]
    nearest = process.extractOne(text, names, processor=str.casefold, score_cutoff=65)
    return f"Did you mean '{nearest[0]}'?" if nearest else ""


_ENDING = re.compile(r"(?<=\w\w\w)(?:ies|ied|ying|ing|ed|es|s|e|y)$")


@lru_cache(maxsize=2**15)
def stem(word: str) -> str:
    """Return a word without its regular ending.

    >>> stem("agents"), stem("planning"), stem("process")
    ('agent', 'plan', 'process')
    """
    if word.endswith("ss"):
        return word
    base = _ENDING.sub("", word)
    return base[:-1] if len(base) > 3 and base[-1] == base[-2] else base

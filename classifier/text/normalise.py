"""Convert texts to display forms, identity keys, tokens and stems."""

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

Rule = tuple[str, re.Pattern[str], Replacement]
"""A string without which the rule changes nothing, pattern, replacement."""

_IN_MATH: tuple[Rule, ...] = (
    ("\\", re.compile(r"\\(?:mathrm|mathbf|mathcal|text|textbf|textit)\s*\{([^{}]*)\}"), r"\1"),
    ("\\", re.compile(rf"\\({_COMMANDS})(?![A-Za-z])"), lambda m: SYMBOLS[m[1]]),
    ("^", re.compile(r"\^\{?([0-9+\-n]+)\}?"), lambda m: m[1].translate(RAISED)),
    ("_", re.compile(r"_\{?([0-9+\-]+)\}?"), lambda m: m.group(1).translate(LOWERED)),
    ("\\", re.compile(r"\\([%$&#_{}])"), r"\1"),
)
_LIGATURES = {0xFB00 + n: letters for n, letters in enumerate("ff fi fl ffi ffl st st".split())}
_STILL_MATH = re.compile(r"[\\^{}]")


def _plain_math(match: re.Match[str]) -> str:
    """Return the content of a `$…$` pair as plain text, or the pair unchanged if TeX remains."""
    text = _apply_rules(_IN_MATH, match[1])
    return match[0] if _STILL_MATH.search(text) else text


def _raise(match: re.Match[str]) -> str:
    return match[1].translate(RAISED)


def _symbol(match: re.Match[str]) -> str:
    return SYMBOLS[match[1]]


# The order matters: commands with arguments, then math pairs, then bare commands.
TYPESETTING_RULES: tuple[Rule, ...] = (
    ("\\href", re.compile(r"\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}"), r"\1"),
    ("\\url", re.compile(r"\\url\s*\{([^{}]*)\}"), r"\1"),
    ("\\", re.compile(rf"\\(?:{_FONTS})\s*\{{([^{{}}]*)\}}"), r"\1"),
    ("$", re.compile(r"\$(?<!\\\$)(?=\S)([^$]{1,60}?)(?<=\S)\$(?!\d)"), _plain_math),
    ("\\", re.compile(r"\\([%$&#_{}])"), r"\1"),
    ("\\", re.compile(r"\\(?=\s)"), ""),
    ("~", re.compile(r"(?<=[a-z0-9)])~(?=[A-Za-z])"), " "),
    ("}", re.compile(r"(https?://[^\s{}]{1,2000})(?:\{[^{}]*\})?\}+"), r"\1"),
    ("\\", re.compile(rf"\\({_COMMANDS})(?![A-Za-z])\s?"), _symbol),
    ("\\", re.compile(r"\\([A-Za-z]{4,})(?![A-Za-z]|\s*[{\[])"), r"\1"),
    ("^", re.compile(r"(?<=[A-Za-zα-ω)])\^(\d{1,2})(?!\d)"), _raise),
    ("--", re.compile(r"--(?<=\d--)(?=\d)|--(?<=[A-Za-z]--)(?=[A-Za-z])|(?<=\s)---?(?=\s)"), "–"),
    ("``", re.compile(r"``([^`']{1,200})''"), r"“\1”"),
)
"""Rules that replace TeX markup by its characters; no word or digit changes."""

REPAIR_RULES: tuple[Rule, ...] = (
    ("\\", re.compile(r"\\(?=\d)"), "$"),
    ("times", re.compile(rf"(?<=\d)\s?times(?={_COMPARED}|~|\d|[)\],.;])"), "×"),
    ("times", re.compile(r"(?<=\d)times(?![a-z])"), "×"),
    ("rightarrow", re.compile(r"(?<=[\d%)])\s?rightarrow\s?(?=[\d(])"), "→"),
    ("->", re.compile(r"(?<=[\d%)])\s?->\s?(?=[\d(])"), "→"),
    ("sim", re.compile(r"sim(?<![A-Za-z]sim)\s?(?=\d)"), "~"),
    ("approx", re.compile(r"approx(?<![A-Za-z]approx)\s?(?=\d)"), "≈"),
    (". ", re.compile(r"\. (?<=\d\. )(?=\d+\s?(?:%|×|points?\b|\)))"), "."),
    ("\ufffd", re.compile(r"(?<=\d)\s?\ufffd+(?=C\b)"), " °"),
    ("\ufffd", re.compile(r"(?<=\d)\ufffd(?=[A-Za-zµμΩ])"), " "),
)
"""Rules that guess which sign is missing. They change words, so quotations never pass them."""


@lru_cache(maxsize=2**14)  # labels, pages and references display the same titles
def format_for_display(text: str) -> str:
    r"""Return a title or label for display: with typeset TeX and repaired signs.

    >>> format_for_display(r"wins 62\% (53. 6\%), 4.5times faster")
    'wins 62% (53.6%), 4.5× faster'
    """
    return tex_to_text(_apply_rules(REPAIR_RULES, tex_to_text(text)))


def tex_to_text(text: str) -> str:
    r"""Convert TeX to plain text and collapse blanks, without changing any word.

    >>> tex_to_text(r"wins 62\%  of 10 times")
    'wins 62% of 10 times'
    """
    if not text.isascii():
        text = text.translate(_LIGATURES)
    text = _apply_rules(TYPESETTING_RULES, text)
    if not text.isprintable():
        # Before blanks are folded: an invisible character may be between two of them.
        text = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(text.split())


def _apply_rules(rules: Iterable[Rule], text: str) -> str:
    for sign, pattern, replacement in rules:
        if sign in text:
            text = pattern.sub(replacement, text)
    return text


@lru_cache(maxsize=2**16)
def title_key(title: str) -> str:
    """Return the identity key of a title: its letters and digits in lower case.

    A title without letters and digits (an emoji, "???") is its own key, so that different titles of
    this kind have different keys.

    >>> title_key("SWE-bench: Can Models?"), title_key("SWE Bench, can models")
    ('swebenchcanmodels', 'swebenchcanmodels')
    """
    folded = unicodedata.normalize("NFKC", format_for_display(title)).casefold()
    # Combining marks (Devanagari vowels) belong to their letter, although `\w` excludes them.
    letters = (c for c in folded if c.isalnum() or unicodedata.category(c).startswith("M"))
    return "".join(letters) or "".join(folded.split())


def title_id(title: str) -> str:
    """Return an id for a paper without arXiv id or DOI: `p-` and ten hexadecimal digits."""
    return "p-" + hashlib.sha256(title_key(title).encode()).hexdigest()[:10]


# Each Chinese character and kana is a token, because no blanks separate words.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’][^\W_]+)?|[%$]")
_POSSESSIVES = ("'s", "’s", "'S", "’S")


def tokens(text: str) -> list[str]:
    """Split a text into words in lower case; hyphens separate words.

    >>> tokens("Multi-Agent RL (GRPO) beats GPT-4o's 53.6%")
    ['multi', 'agent', 'rl', 'grpo', 'beats', 'gpt', '4o', '53', '6', '%']
    >>> tokens("强化学习")
    ['强', '化', '学', '习']
    """
    return " ".join(cased_tokens(text)).lower().split()


def cased_tokens(text: str) -> list[str]:
    """Split a text into words in their original case.

    >>> cased_tokens("Multi-Agent RL")
    ['Multi', 'Agent', 'RL']
    """
    return _tokens(unicodedata.normalize("NFKC", text))


def _tokens(plain: str) -> list[str]:
    found = _TOKEN.findall(plain)
    if "'" not in plain and "’" not in plain:
        return found
    return [token[:-2] if token.endswith(_POSSESSIVES) else token for token in found]


def tokens_with_offsets(text: str) -> tuple[list[str], Callable[[], list[tuple[int, int]]]]:
    """Return the tokens of a text in lower case, and a function that returns their offsets.

    >>> words, places = tokens_with_offsets("a GPT-4o's")
    >>> words, places()
    (['a', 'gpt', '4o'], [(0, 1), (2, 5), (6, 8)])
    """
    plain = unicodedata.normalize("NFKC", text)
    if len(plain) != len(text):
        forms = [(sign, unicodedata.normalize("NFKC", sign)) for sign in text]
        plain = "".join(form if len(form) == 1 else sign for sign, form in forms)
    found = _tokens(plain)

    def token_offsets() -> list[tuple[int, int]]:
        starts = (match.start() for match in _TOKEN.finditer(plain))
        return [(start, start + len(word)) for start, word in zip(starts, found, strict=True)]

    return " ".join(found).lower().split(), token_offsets


CONTROL_CHARACTERS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202d\u202e\ud800-\udfff\ufffe\uffff]"
)
"""A control character, half of a surrogate pair, a noncharacter or a direction override."""


def without_control_characters(text: str) -> str:
    """Return `text` with its line breaks, without control characters and direction overrides.

    >>> without_control_characters("bell" + chr(7) + chr(10) + "- item")
    'bell\\n- item'
    """
    return text if text.isascii() and text.isprintable() else CONTROL_CHARACTERS.sub("", text)


def did_you_mean(text: str, known_names: Iterable[str]) -> str:
    """Return "Did you mean …?" with the most similar known name, or "".

    >>> did_you_mean("tatse", ["dough", "taste"])
    "Did you mean 'taste'?"
    """
    names = [name for name in known_names if name]
    nearest = process.extractOne(text, names, processor=str.casefold, score_cutoff=65)
    return f"Did you mean '{nearest[0]}'?" if nearest else ""


_ENDING = re.compile(r"(?<=\w\w\w)(?:ies|ied|ying|ing|ed|es|s|e|y)$")


@lru_cache(maxsize=2**15)
def stem(word: str) -> str:
    """Remove a regular English ending from a word.

    >>> stem("agents"), stem("planning"), stem("process")
    ('agent', 'plan', 'process')
    """
    if word.endswith("ss"):
        return word
    base = _ENDING.sub("", word)
    return base[:-1] if len(base) > 3 and base[-1] == base[-2] else base

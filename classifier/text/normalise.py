"""Display form, identity key and tokens of a text; the text as read is never changed."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_SUPERSCRIPTS = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")
_SYMBOLS = {
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
_COMMANDS = "|".join(sorted(_SYMBOLS, key=len, reverse=True))


def _math(match: re.Match[str]) -> str:
    """Turn the inside of a `$…$` pair into plain text, or leave the pair as it is."""
    inside = match.group(1)
    text = re.sub(r"\\(?:mathrm|mathbf|mathcal|text|textbf|textit)\s*\{([^{}]*)\}", r"\1", inside)
    text = re.sub(rf"\\({_COMMANDS})(?![A-Za-z])", lambda m: _SYMBOLS[m.group(1)], text)
    text = re.sub(r"\^\{?([0-9+\-n]+)\}?", lambda m: m.group(1).translate(_SUPERSCRIPTS), text)
    text = re.sub(r"_\{?([0-9+\-]+)\}?", lambda m: m.group(1).translate(_SUBSCRIPTS), text)
    text = re.sub(r"\\([%$&#_{}])", r"\1", text)
    return match.group(0) if re.search(r"[\\^{}]", text) else text


# Each rule repairs one kind of residue that LaTeX, or a page that dropped half of it, leaves.
# The order matters: commands with arguments first, then math pairs, then what is left bare.
DISPLAY_RULES: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ("link with text", re.compile(r"\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}"), r"\1"),
    ("bare link", re.compile(r"\\url\s*\{([^{}]*)\}"), r"\1"),
    ("font command", re.compile(rf"\\(?:{_FONTS})\s*\{{([^{{}}]*)\}}"), r"\1"),
    ("math pair", re.compile(r"(?<!\\)\$(?=\S)([^$]{1,60}?)(?<=\S)\$(?!\d)"), _math),
    ("escaped sign", re.compile(r"\\([%$&#_{}])"), r"\1"),
    ("escaped dollar that lost its sign", re.compile(r"\\(?=\d)"), "$"),
    ("escaped blank", re.compile(r"\\(?=\s)"), ""),
    ("tie", re.compile(r"(?<=[a-z0-9)])~(?=[A-Za-z])"), " "),
    ("braces behind a link", re.compile(r"(https?://[^\s{}]+)(?:\{[^{}]*\})?\}+"), r"\1"),
    (
        "named symbol",
        re.compile(rf"\\({_COMMANDS})(?![A-Za-z])\s?"),
        lambda m: _SYMBOLS[m.group(1)],
    ),
    (
        "unknown command that stands for a word",
        re.compile(r"\\([A-Za-z]{4,})(?![A-Za-z]|\s*[{\[])"),
        r"\1",
    ),
    (
        "exponent",
        re.compile(r"(?<=[A-Za-zα-ω)])\^(\d{1,2})(?!\d)"),
        lambda m: m.group(1).translate(_SUPERSCRIPTS),
    ),
    ("times after a number", re.compile(rf"(?<=\d)\s?times(?={_COMPARED}|~|\d|[)\],.;])"), "×"),
    ("times glued to a number", re.compile(r"(?<=\d)times(?![a-z])"), "×"),
    ("arrow between figures", re.compile(r"(?<=[\d%)])\s?(?:rightarrow|->)\s?(?=[\d(])"), "→"),
    ("about before a number", re.compile(r"(?<![A-Za-z])sim\s?(?=\d)"), "~"),
    ("approximately before a number", re.compile(r"(?<![A-Za-z])approx\s?(?=\d)"), "≈"),
    ("decimal torn apart", re.compile(r"(?<=\d)\. (?=\d+\s?(?:%|×|points?\b|\)))"), "."),
    ("range of numbers", re.compile(r"(?<=\d)--(?=\d)"), "–"),
    ("dash between words", re.compile(r"(?<=[A-Za-z])--(?=[A-Za-z])"), "–"),
    ("dash", re.compile(r"(?<=\s)---?(?=\s)"), "–"),
    ("TeX quotes", re.compile(r"``([^`']{1,200})''"), r"“\1”"),
    ("run of blanks", re.compile(r"\s+"), " "),
)


# Without one of these no rule finds anything to do: signs for all but the last, blanks for that.
_BLANKS = re.compile(r"  |[^\S ]")
_RESIDUE = re.compile(r"[\\$~{}^`]|--|->|times|rightarrow|sim|approx|\. \d")


@lru_cache(maxsize=2**14)  # labels, pages and references ask for the same titles and texts
def display(text: str) -> str:
    """Return `text` cleaned for people: LaTeX residue resolved, blanks folded.

    >>> display(r"wins 62\\% (53. 6\\%), 4.5times faster")
    'wins 62% (53.6%), 4.5× faster'
    """
    if _RESIDUE.search(text):
        for _, pattern, replacement in DISPLAY_RULES:
            text = pattern.sub(replacement, text)
    elif _BLANKS.search(text):
        text = " ".join(text.split())
    if not text.isprintable():
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
    if folded.isascii() and (key := re.sub(r"[^a-z0-9]+", "", folded)):
        return key
    # Marks are part of their letter (Devanagari vowels), though `\w` does not hold them.
    letters = (c for c in folded if c.isalnum() or unicodedata.category(c).startswith("M"))
    return "".join(letters) or "".join(folded.split())


def title_id(title: str) -> str:
    """Return the id that a paper without arXiv id or DOI is known by: `p-` and ten hex digits."""
    return "p-" + hashlib.sha256(title_key(title).encode()).hexdigest()[:10]


_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[%$]")
_POSSESSIVES = ("'s", "’s", "'S", "’S")


def tokens(text: str) -> list[str]:
    """Return the words of `text`, lower case; a hyphen separates, so that spellings meet.

    >>> tokens("Multi-Agent RL (GRPO) beats GPT-4o's 53.6%")
    ['multi', 'agent', 'rl', 'grpo', 'beats', 'gpt', '4o', '53', '6', '%']
    """
    return [token.lower() for token in cased_tokens(text)]


def cased_tokens(text: str) -> list[str]:
    """Return `tokens(text)` in the case in which they are written.

    >>> cased_tokens("Multi-Agent RL")
    ['Multi', 'Agent', 'RL']
    """
    found = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    return [token[:-2] if token.endswith(_POSSESSIVES) else token for token in found]

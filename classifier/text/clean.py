"""Clean abstracts and titles: remove what publishers and databases added.

Labels, roles, quotes and results are based on the clean texts. The span of a sentence refers to
`clean_abstract`.
"""

from __future__ import annotations

import html
import re
from functools import cache, lru_cache

from classifier.text.normalise import (
    LOWERED,
    RAISED,
    SYMBOLS,
    Replacement,
    format_for_display,
    tex_to_text,
)

# A label before the text: "Abstract We review …", "ABSTRACT: …", but not "Abstract interpretation".
_LABEL = re.compile(r"(?i:abstract|summary|zusammenfassung|résumé)\s*[.:–—-]?\s+(?=[A-ZÀ-Þ“\"(\d])")
_HEADING = (
    r"Background(?: and (?:purpose|aims|objectives))?|Context|Introduction|Motivation|Problem"
    r"|Purpose(?: of (?:the )?[Rr]eview)?|Aims?(?: and [Oo]bjectives)?|Objectives?|Objetivos"
    r"|Study [Dd]esign|Design(?:/methodology/approach)?|Setting|Participants|Patients"
    r"|Methods?(?: and [Mm]aterials)?|(?:Research )?Methodology|Materials? and [Mm]ethods"
    r"|Interventions?|Areas [Cc]overed|Expert [Oo]pinion|Main [Oo]utcome [Mm]easures"
    r"|Results?(?: and [Ii]mplications)?|(?:Recent |Key )?[Ff]indings|Discussion"
    r"|Conclusions?|Conclusiones|Interpretation|Summary|Limitations|Originality/value"
    r"|Recommendations|(?:Practical|Social|Clinical) implications|Value added"
    r"|Research limitations/implications"
    r"|BACKGROUND|PURPOSE|AIMS?|OBJECTIVES?|INTRODUCTION|METHODS?|RESULTS?|CONCLUSIONS?"
)
_BEGINNING = r"(?=[A-Z\s])(?:^|(?<=[.!?])\s*|(?<=[.!?][)\]”\"])\s*)"
# "adolescents.Recent FindingsWe searched", "stroke.Results: The": a blank or a colon is lost.
_GLUED = re.compile(rf"{_BEGINNING}({_HEADING})(?=[A-Z][a-z]|We\b|A\b)|(?<=[.!?])({_HEADING}):\s*")
# "Purpose The purpose of …": only the colon is lost.
_BARE = re.compile(
    rf"{_BEGINNING}({_HEADING})\s+"
    r"(?=(?:The|This|These|We|In|To|A|An|Our|It|Using|There|For|From|Of|Both|All|Most|With|On|As"
    r"|Although|While|Since|Data|Participants|Patients|Studies|Eighteen|Among|After|By|During)\b)"
)
# After "Abstract" any such word is a heading: "Abstract Aim Global change …".
_FIRST = re.compile(
    r"^(Background|Context|Introduction|Questions?|Purpose|Aims?|Objectives?) (?=[A-Z])"
)
# The start of the publisher's line of rights at the end of a text.
_RIGHTS = re.compile(
    r"©|\(?\(\s?[cC]\s?\)\s?"
    r"(?=\d{4}|by\b|[Tt]he ?[Aa]uthor|[Cc]opyright|Elsevier|IEEE|ACM|Springer)"
    r"|\([cC]opyright\)|[cC]opyright\s*(?:©|�|\(|\d{4}|of\b|is held\b|[Tt]he\b)"
    r"|[Aa]ll rights reserved|Published by (?:Elsevier|Springer|Wiley|Oxford|Taylor|SAGE|IOP|John)"
    r"|This article is (?:protected by copyright|published under|distributed under)"
    r"|\(?PsycI(?:NFO|nfo) Database|\[?ABSTRACT FROM AUTHOR|\[?Copyright &apos|Elsevier B\.?\s?V"
    r"|\d{4} The Author(?:s\b|\(s\))|Crown [Cc]opyright"
)
_TAIL = 800
"""Number of characters at the end of a text in which a line of rights may begin."""
# The end of the sentence before a line of rights, with words that belong to the line.
_ENDED = re.compile(
    r"(?:[.!?][)\]”\"]?|^)(?:\s*(?:Copyright|Crown|\(English\)|\(|\[|\d{4}|The Authors?))*\s*$"
)
_CLOSING = re.compile(r"[.!?]?[)\]”\"]?")


_ENGLISH = re.compile(r"\b(?:the|of|and)\b")
_ENTITY = re.compile(r"&(?:#\d{2,6}|#[xX][0-9a-fA-F]{2,5}|[A-Za-z]{2,8});")


@lru_cache(maxsize=2**14)  # labels, roles and pages need the same texts
def clean_abstract(text: str) -> str:
    """Clean an abstract for display: no label, no copyright line, a colon after each heading.

    >>> clean_abstract("Abstract We bake. © 2019 Elsevier B.V. All rights reserved.")
    'We bake.'
    >>> clean_abstract("We asked adolescents.Recent FindingsWe searched. It worked.")
    'We asked adolescents. Recent Findings: We searched. It worked.'
    >>> clean_abstract("The years 1982&#8211;2004 &amp; later.")
    'The years 1982–2004 & later.'
    """
    text = tex_to_text(without_tex(_without_entities(text)))
    versions = text.split("Alternate abstract:")  # of ProQuest, in further languages
    text = next(filter(_ENGLISH.search, versions), versions[0]).strip()
    if label := _LABEL.match(text):
        text = _FIRST.sub(r"\1: ", text[label.end() :])
    text = _GLUED.sub(lambda found: f" {found[1] or found[2]}: ", text)
    return _without_copyright(_BARE.sub(r" \1: ", text).strip())


@lru_cache(maxsize=2**14)
def clean_title(title: str) -> str:
    """Clean a title for display, without the full stop and brackets that PubMed adds.

    >>> clean_title("[Til Debt Do Us Part].")
    'Til Debt Do Us Part'
    """
    displayed = format_for_display(without_tex(_without_entities(title)))
    bare = _ORIGINAL.sub("", _LAST_STOP.sub("", displayed))
    is_in_brackets = bare.startswith("[") and bare.find("]") == len(bare) - 1
    return bare.strip("[]").strip() or displayed if is_in_brackets else bare


# "Comparison of joints; [Comparazione sui giunti]": Scopus appends the original title.
_ORIGINAL = re.compile(r"(?<=\w)\s?; \[[^\[\]]{9,}\]$")
# After a word, but not after initials as in "the U.S.", and not in "…".
_LAST_STOP = re.compile(r"(?<=[\w)\]\"'”’?!])(?<!\b[A-Z])\.$")


def _without_entities(text: str) -> str:
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def _without_copyright(text: str) -> str:
    begin = max(len(text) - _TAIL, 0)
    for found in _RIGHTS.finditer(text, begin):
        before = _ENDED.search(text[max(begin, found.start() - 60) : found.start()])
        if before is None:
            continue
        end = max(begin, found.start() - 60) + before.start()
        closing = _CLOSING.match(text, end)  # the full stop and closing brackets
        if kept := text[: closing.end() if closing else end].rstrip():
            return kept
    return text


_FONT = "mathrm|mathbf|mathcal|mathit|mathbb|mathsf|text|textrm|textbf|textit|textsc|boldsymbol"


def _superscript(match: re.Match[str]) -> str:
    return (match[1] or match[2]).translate(RAISED)


def _join_number(match: re.Match[str]) -> str:
    digits = match[3].replace(" ", "")
    return f"{match[1]}{match[2]}{digits}" if match[2] else digits


@cache
def _character_of(command: str) -> str:
    """Return the character that a TeX command prints, or ""."""
    if command in SYMBOLS:
        return SYMBOLS[command]
    from pylatexenc.latex2text import get_default_latex_context_db  # late: it is slow to load

    spec = get_default_latex_context_db().get_macro_spec(command)
    text = getattr(spec, "simplify_repl", None)
    return text if isinstance(text, str) and "%" not in text else ""


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
    (re.compile(r"\\([A-Za-z]+) ?(?![A-Za-z{])"), lambda m: _character_of(m[1]) or m[0]),
    (re.compile(r"\^\{([0-9+\-−=()ni]+)\}|\^([0-9n])(?!\d)"), _superscript),
    (
        re.compile(r"_\{([0-9+\-−=().aeijkmnoprstuvx]+)\}|_([0-9])(?!\d)"),
        lambda m: (m[1] or m[2]).translate(LOWERED),
    ),
    (re.compile(r"_([aeijkmnoprstuvx])(?![A-Za-z0-9])"), lambda found: found[1].translate(LOWERED)),
    (re.compile(r"([\^_])\{(\w+)\}"), r"\1\2"),
    (re.compile(r"([\^_])\{([^{}\\]+)\}"), r"\1(\2)"),
)
_MATH = re.compile(
    r"\$(?<!\\\$)(?=\S)([^$]{1,120}?)(?<=\S)\$(?!\d)|\$(\\[a-z]{2,6}|[×±≈<>≤≥]{1,3})\$"
)
_MARKED = re.compile(r"[\\^_{}]|^\W+$")
_LEFT = re.compile(r"[\\{}]")
# "\mathbf{8 6. 8 2 \%}": IEEE writes 86.82 % so, with braces or without.
_SET_APART = re.compile(rf"(\\(?:{_FONT}))( ?\{{ ?|)(\d(?: \d(?!\d)|\. \d|, \d \d \d)*)(?!\d)")
# "scenes$\unicode{x2013}$all": arXiv writes signs outside ASCII so.
_CODE_POINT = re.compile(r"\$?\\unicode\{x([0-9A-Fa-f]{2,5})\}\$?")
# "cm(-2)", "10(-7)": PubMed writes exponents so.
_OTHERS: tuple[tuple[str, re.Pattern[str], Replacement], ...] = (
    ("\\unicode", _CODE_POINT, lambda found: chr(int(found[1], 16))),
    (
        "\\(",
        re.compile(r"\\\((.{1,120}?)\\\)"),
        lambda m: f"${m[1]}$" if _MARKED.search(m[1]) else m[1],
    ),
    # Mendeley writes a line feed so.
    ("$backslash$", re.compile(r"(?:\$backslash\$n)+"), " "),
    ("\\cite", re.compile(r"\s?\\cite[pt]?\*?\{[^{}]{0,200}\}"), ""),
    ("\\textcolor", re.compile(r"\\textcolor\{\w{1,30}\}\{"), ""),
    ("\\", _SET_APART, _join_number),
    ("\\math", re.compile(r"\\math(?:bf|cal|it|rm|sf)(?=\w)"), ""),  # its braces were lost
    ("(-", re.compile(r"(?<=\w)\(()(-\d{1,2})\)"), _superscript),
    ("łt", re.compile(r"łt(?=\d)"), "<"),  # Zotero of "\lt"
)


def without_tex(text: str) -> str:
    r"""Replace the TeX formulas in a text by plain text; unknown TeX is unchanged.

    >>> without_tex(r"at $350\,^\circ\mathrm{C}$ on Cu$(0\,0\,1)$, ${}^{63}$Cu, Cu$_{0.5}$")
    'at 350 °C on Cu(001), ⁶³Cu, Cu₀.₅'
    """
    for sign, pattern, replacement in _OTHERS:
        if sign in text:
            text = pattern.sub(replacement, text)
    return _MATH.sub(_plain_formula, text) if "$" in text else text


def _plain_formula(match: re.Match[str]) -> str:
    """Return the content between dollars as plain text; unchanged if it has other TeX."""
    text = match[1] or match[2]
    if not _MARKED.search(text):
        return match[0]  # "$5 and $7"; `normalise.display` reads plain words and letters
    for pattern, replacement in _IN_MATH:
        text = pattern.sub(replacement, text)
    return match[0] if _LEFT.search(text) else text.strip() if match[1] else text

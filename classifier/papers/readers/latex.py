r"""Convert LaTeX in bibliographies to plain text, and split its lists of names.

Commands are looked up in the table of pylatexenc. Its parser is not used, because it loses
characters (`\textless`, `\textbar`, a bare `&`) in 155 of 2,702 values of real bibliographies, and
takes two hundred times as long.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import Any, Final

from classifier.papers.names import people_in

_ACCENTS: Final = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323",
    "b": "\u0331", "k": "\u0328", "r": "\u030a", "t": "\u0361",
}  # fmt: skip
# Accent without a letter -> its character: `\~{}` is a tilde.
_LONE: Final = {'"': '"', "'": "'", "`": "`", "^": "^", "~": "~", "=": "-", ".": "."}

# Commands that pylatexenc does not have, or converts in another way.
_WORDS: Final = {
    "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX", "hyphen": "-", "slash": "/", "cdot": "·",
    "textquotesingle": "'", "textasciigrave": "`", "newline": " ", "par": "\n\n", "quad": " ",
    "qquad": " ", "item": " ", "textasteriskcentered": "*", "textbar": "|", "S": "§", "P": "¶",
    "textnumero": "№", "textperiodcentered": "·", "space": " ", "nobreakspace": " ", "-": "-",
    "mu": "µ", "cite": "", "footnote": "", "url": "", "path": "", "varGamma": "Γ", "ud": "d",
    "textless": "<", "textgreater": ">", "textbraceleft": "{", "textbraceright": "}",
    "textunderscore": "_", "textminus": "−", "pounds": "£", "euro": "€", "copyright": "©",
    "ddag": "‡", "guillemetleft": "«", "guillemetright": "»", "glqq": "„", "grqq": "“",
    "micro": "µ", "degree": "°", "checkmark": "✓", "ldq": "“", "rdq": "”",
    "textquotedbl": '"', "textasciicircum": "^",
    "lq": "‘", "rq": "’", "enspace": " ", "thinspace": " ", "textvisiblespace": " ",
}  # fmt: skip
# Commands of typesetting and of styles, which have no text.
_SILENT: Final = frozenset(
    "em bf it rm sc sf sl tt bfseries itshape mdseries rmfamily scshape sffamily slshape ttfamily"
    " upshape normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge"
    " boldmath unboldmath displaystyle textstyle centering raggedright noindent protect relax"
    " noopsort sortnoop uppercase lowercase MakeUppercase MakeLowercase mbox hbox ensuremath"
    " break linebreak newblock allowbreak hfill makeatletter makeatother left right".split()
)
_NO_TEXT = (
    r"(?:cite[a-z]*|textcite|parencite|autocite|ref|label|href|vspace|hspace|begin|end|textcolor"
    r"|color|selectlanguage|foreignlanguage|includegraphics|index|vskip|hskip|footnote|thanks)"
)
# The set of characters at the start makes the search fast on plain text.
_TOKEN: Final = re.compile(
    r"""[\\$`'{}~-](?:
    (?<=\$)(?:\$(?:[^$\\]|\\.){1,4000}\$\$ | (?:[^$\\]|\\.){1,4000}\$)
    | (?<=\\)(?:
        \((?P<inline>(?:[^\\]|\\(?![()])){1,4000})\\\)
      | (?:url|path|nolinkurl)\s?\{(?P<url>[^{}\\]{0,2000})\}
      | (?P<unread>"""
    + _NO_TEXT
    + r"""\*?\s?(?:\[[^\][{}]{0,200}\])?\{[^{}]{0,2000}\})
      | (?P<outer>["'`^~=.])\s?\{\s?\\(?P<inner>["'`^~=.]|[ucdH](?=[\s{]))
        \s?\{?(?P<twice>[^\W\d_])\}?\s?\}
      | (?P<accent>["'`^~=.]|[uvHtcdbkr](?![A-Za-z]))\s{0,9}
        (?:\{\s?(?:\\(?P<dotless>[ij])(?![A-Za-z])\s?|(?P<braced>[^\W\d_])|(?=\}))(?:\{\})?
          |\\(?P<bare_dotless>[ij])(?![A-Za-z])\s?|(?P<bare>[^\W\d_]))
      | (?P<word>[A-Za-z]+)\*?(?P<blanks>[ \t\n]{0,9})(?P<opens>(?=[{\[]))?
      | (?P<sign>.)
    )
    | (?<=-)--? | (?<=`)` | (?<=')' | (?<=[{}~])
    )""",
    re.VERBOSE | re.DOTALL,
)
_OPENING: Final = "“„‘‚«‹"
_SIGNS: Final = {",": " ", ";": " ", ":": " ", "\\": " ", "\n": " ", "!": "", "-": "", "/": "",
                 "@": "", "(": "", ")": "", "[": "", "]": ""}  # fmt: skip
_PLAIN: Final = {"---": "—", "--": "–", "``": "“", "''": "”", "{": "", "}": "", "~": " "}
_MARKUP: Final = re.compile(r"[\\{}~$]|--|``|''")
# `quoted' words, but not an accent (\\`e), a pair of quotes or code between backticks.
_QUOTED: Final = re.compile(r"(?<![\\`\w])`([^`'\s](?:[^`']|(?<=\w)'(?=\w)){0,200})'(?!['\w])")
_IN_ADDRESS: Final = re.compile(
    r"\\(?:url|path|nolinkurl)\b\s?|\\(?P<word>text[a-z]+)\s?|\\(?P<sign>[^A-Za-z])|[{}]"
)


def latex_text(text: str) -> str:
    r"""Convert LaTeX to text: accents and symbols become characters, commands are removed.

    Math is unchanged, between dollars; an unknown command is replaced by its name.

    >>> latex_text(r"The {B}read of {\'E}mile M\"uller \& \emph{Co.}, $x^2$ -- {\o}ven")
    'The Bread of Émile Müller & Co., $x^2$ – øven'
    """
    if "`" in text:
        text = _QUOTED.sub(r"‘\1’", text)
    if not _MARKUP.search(text):
        return text
    if "\\" in text or "$" in text:
        text = _TOKEN.sub(_read_token, text)
    else:
        for sign, plain in _PLAIN.items():
            text = text.replace(sign, plain)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def latex_address(text: str) -> str:
    r"""Return a URL or DOI without LaTeX escapes, keeping dashes and tildes.

    >>> latex_address(r"\url{https://bees.org/{\~{}}ada/a\_b--c}")
    'https://bees.org/~ada/a_b--c'
    """
    if "\\" not in text and "{" not in text:
        return text.strip()

    def read(match: re.Match[str]) -> str:
        return match["sign"] or (_text_of_command(match["word"]) or "" if match["word"] else "")

    return _IN_ADDRESS.sub(read, text).strip()


def _read_token(match: re.Match[str]) -> str:
    plain = _PLAIN.get(match[0])
    if plain is not None:
        return plain
    if match[0][0] == "$":
        return match[0]
    if match["sign"]:
        return _SIGNS.get(match["sign"], match["sign"])
    if match["word"]:
        return _read_word(match)
    if match["accent"]:
        # `i` and `j` without a dot are read as `i` and `j`, below an accent.
        letter = match["dotless"] or match["braced"] or match["bare_dotless"] or match["bare"]
        return letter + _ACCENTS[match["accent"]] if letter else _LONE.get(match["accent"], "")
    if match["outer"]:
        return match["twice"] + _ACCENTS[match["inner"]] + _ACCENTS[match["outer"]]
    return f"${match['inline'].strip()}$" if match["inline"] else match["url"] or ""


def _read_word(match: re.Match[str]) -> str:
    found = _text_of_command(match["word"])
    blanks = " " if match["blanks"] else ""
    if found is None:
        # A command with an argument typesets it; another one is a word that the document defines.
        return "" if match["opens"] is not None else match["word"] + blanks
    # TeX skips blanks after a command, but people also write `\LaTeX is`.
    eats = len(found) < 2 and (found == "" or found.isalpha() or found in _OPENING)
    return found if eats else found + blanks


@lru_cache(maxsize=2**12)
def _text_of_command(word: str) -> str | None:
    """Return a command's text; "" if it prints nothing, None if it is unknown."""
    if word in _WORDS:
        return _WORDS[word]
    if word in _SILENT:
        return ""
    spec = _symbol_table().get_macro_spec(word)
    if spec is None and word.startswith("text"):  # \textalpha, \textbeta …
        spec = _symbol_table().get_macro_spec(word.removeprefix("text"))
    if spec is None or callable(spec.simplify_repl):
        return None
    text = spec.simplify_repl
    return "" if text is None or "%" in text else unicodedata.normalize("NFC", str(text))


@lru_cache(maxsize=1)
def _symbol_table() -> Any:
    from pylatexenc.latex2text import get_default_latex_context_db  # late: it is slow to load

    return get_default_latex_context_db()


_AND: Final = re.compile(r" (?:and(?: |$))+", re.IGNORECASE)
_AND_OTHERS: Final = re.compile(r"(.*\S)[\s,]+et\.? al\b\.?", re.IGNORECASE | re.DOTALL)
# The mark of an institute after a name: `Ann Oven$^{1,2}$`.
_MARK: Final = re.compile(
    r"\\textsuperscript\s?\{[^{}]{0,20}\}|\$\s?\{?\}?\^\s?(?:\{[^{}$]{0,30}\}|[^{}$]{1,9})\s?\$"
)
_BRACE_OR_AND: Final = re.compile(r"\\.|[{}]|(?<!\S)and(?!\S)", re.IGNORECASE | re.DOTALL)
_WHOLE_NAME: Final = re.compile(r"\{([^{}]*)\}")


def read_names(text: str) -> list[str]:
    r"""Return the names in a field, which are separated by `and`; each name keeps its order.

    A name in braces is a group; `and others` is kept as `others`.

    >>> read_names(r"Ada de la Cruz and {B}al, Jr., J{\'o}zef and {Bees and Birds} and others")
    ['Ada de la Cruz', 'Bal Jr., Józef', 'Bees and Birds', 'others']
    """
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if "^" in text or "superscript" in text:
        text = _MARK.sub("", text)
    if "{" not in text:
        # A list in another form may be between two `and`.
        parts = [part.strip(" ,") for part in _AND.split(_name_on_one_line(text))]
        names = [_move_suffix(name) for part in parts for name in people_in([part])]
    else:
        names = [_read_name(name) for name in _split_names(text)]
    names = [name for name in names if name]
    if names and (match := _AND_OTHERS.fullmatch(names[-1])):
        names[-1:] = [match[1].rstrip(" ,"), "others"]
    return names


def _split_names(text: str) -> list[str]:
    """Split at each `and` outside of braces; bibtexparser loses accents at the start of a name."""
    parts: list[str] = []
    depth = start = 0
    for match in _BRACE_OR_AND.finditer(text):
        sign = match[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        elif sign[0] != "\\" and not depth:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _read_name(raw: str) -> str:
    raw = raw.strip()
    if match := _WHOLE_NAME.fullmatch(raw):
        return _name_on_one_line(match[1])
    return _move_suffix(_name_on_one_line(raw))


def _move_suffix(name: str) -> str:
    """Move the suffix of a name from the middle to the family name: `von Last, Jr, First`."""
    if name.count(",") == 2:
        family, suffix, given = (part.strip() for part in name.split(","))
        return f"{family} {suffix}, {given}"
    return name.strip(" ,")


def _name_on_one_line(text: str) -> str:
    return " ".join(latex_text(text).split())

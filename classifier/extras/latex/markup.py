"""Markdown of the survey as LaTeX: by way of the sanitised HTML, of which few tags are known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import decomposition, name, normalize
from urllib.parse import quote, urljoin

from classifier.site.exports.bibtex import escape_latex
from classifier.site.exports.citation import one_line
from classifier.site.markup import inline_to_html, markdown_to_html

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# A citation while its neighbours are not known yet; no text holds these signs (`one_line`).
_OPEN, _CLOSE = "\x01", "\x02"
_CITED = rf"{_OPEN}[^{_CLOSE}]*{_CLOSE}"
_RUN = rf"{_CITED}(?:(?:, | and ){_CITED})*"
_BRACKETED = re.compile(rf"\[({_RUN})((?:[^\[\]{_OPEN}])*)\]")
_BARE = re.compile(_RUN)
_KEY = re.compile(rf"{_OPEN}([^{_CLOSE}]*){_CLOSE}")
_FONTS = {
    "strong": r"\textbf", "em": r"\emph", "code": r"\texttt", "sub": r"\textsubscript",
    "sup": r"\textsuperscript",
}  # fmt: skip
_HEADINGS = ("h3", "h4", "h5", "h6")
_DEEPEST = 3
"""LaTeX refuses lists within lists within lists within lists."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where the links of survey Markdown lead in the LaTeX text."""

    keys: Mapping[int, str]
    """Reference number -> cite key."""
    anchors: Collection[str] = frozenset()
    """What the text itself has labels for."""
    base_url: str = ""
    """The site, for links to its pages; "" makes them plain text."""
    cited: set[int] = field(default_factory=set)
    """Reference numbers that were cited, filled while text is written."""


def inline_to_latex(markdown: str, links: Links) -> str:
    """Return one line of Markdown as LaTeX."""
    return _with_citations(_element(_parse(str(inline_to_html(markdown))), links).strip())


def blocks_to_latex(markdown: str, links: Links) -> str:
    """Return Markdown of any length as LaTeX paragraphs."""
    return _with_citations(_blocks(_parse(str(markdown_to_html(markdown))), links, 0).strip())


def plain_to_latex(text: str) -> str:
    """Return text as LaTeX that prints it as it is, on one line."""
    return escape_latex(normalize("NFC", one_line(text)))


def guarded(text: str) -> str:
    r"""Return text that may follow `\\` or `\item`, which take a bracket or a star for theirs."""
    return f"{{}}{text}" if text.startswith(("[", "*")) else text


def latex_address(url: str) -> str:
    r"""Return an address as it stands in the argument of `\href`, in a table or a caption, too."""
    safe = quote(url, safe="-._/:?#@!&()*+,;=%")
    return re.sub(r"[%#]", r"\\\g<0>", safe)


def _parse(html: str) -> HtmlElement:
    from lxml.html import fragment_fromstring  # late: only who exports LaTeX needs it

    return fragment_fromstring(html, create_parent="div")


def _element(element: HtmlElement, links: Links) -> str:
    """Return what an element holds as running text."""
    parts = [_text(element.text)]
    for child in element:
        parts += [_inline(child, links), _text(child.tail)]
    return "".join(parts)


def _inline(element: HtmlElement, links: Links) -> str:
    inside = _element(element, links)
    if element.tag == "a":
        return _link(element.get("href", ""), inside, links)
    if element.tag == "br":
        return r"\newline{}"
    font = _FONTS.get(element.tag)
    return f"{font}{{{inside}}}" if font and inside.strip() else inside


def _link(address: str, inside: str, links: Links) -> str:
    reference = re.fullmatch(r"#ref-(\d{1,9})", address)
    if reference and int(reference[1]) in links.keys:
        links.cited.add(int(reference[1]))
        return f"{_OPEN}{links.keys[int(reference[1])]}{_CLOSE}"
    if address.startswith("#"):
        known = address[1:] in links.anchors
        return rf"\hyperref[{address[1:]}]{{{inside}}}" if known else inside
    if not address:
        return inside
    target = address
    if not re.match(r"(?i)(?:https?:|mailto:)", address):
        if not links.base_url:
            return inside
        target = urljoin(links.base_url.rstrip("/") + "/", address)
    return rf"\href{{{latex_address(target)}}}{{{inside}}}"


def _text(text: str | None) -> str:
    """Return text as it stands between tags: blanks at its ends stay, one for many."""
    if not text:
        return ""
    if text.isspace():
        return " "
    start, end = " " * text[0].isspace(), " " * text[-1].isspace()
    return f"{start}{plain_to_latex(text)}{end}"


def _blocks(element: HtmlElement, links: Links, depth: int) -> str:
    """Return what an element holds as paragraphs; text that stands in none becomes one."""
    parts: list[str] = []
    running = _text(element.text)
    for child in element:
        block = _block(child, links, depth)
        if block is None:
            running += _inline(child, links) + _text(child.tail)
            continue
        parts += [running.strip(), block, _text(child.tail).strip()]
        running = ""
    return "\n\n".join(filter(None, (*parts, running.strip())))


def _block(element: HtmlElement, links: Links, depth: int) -> str | None:
    """Return a block element as LaTeX; None where it is none."""
    tag = element.tag
    if tag in ("ul", "ol"):
        return _list(element, links, depth)
    if tag == "blockquote":
        return f"\\begin{{quote}}\n{_blocks(element, links, depth)}\n\\end{{quote}}"
    if tag == "pre":
        return "\\begin{quote}\\ttfamily\n" + "\\\\\n".join(_code(element)) + "\n\\end{quote}"
    if tag in _HEADINGS:
        return rf"\paragraph*{{{_element(element, links)}}}"
    if tag == "table":
        rows = element.iter("tr")
        return "\\\\\n".join(
            " \\quad ".join(_element(cell, links).strip() for cell in row) for row in rows
        )
    if tag == "hr":
        return r"\medskip"
    return _element(element, links).strip() if tag == "p" else None


def _list(element: HtmlElement, links: Links, depth: int) -> str:
    items = [
        _blocks(item, links, depth + 1) for item in element.iter("li") if _is_in(item, element)
    ]
    if depth >= _DEEPEST or not items:
        return "\n\n".join(items)
    kind = "itemize" if element.tag == "ul" else "enumerate"
    lines = "".join(f"\\item {guarded(item)}\n" for item in items)
    return f"\\begin{{{kind}}}\n{lines}\\end{{{kind}}}"


def _is_in(item: HtmlElement, parent: HtmlElement) -> bool:
    return item.getparent() is parent


def _code(element: HtmlElement) -> Iterator[str]:
    for line in element.text_content().rstrip("\n").split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        yield f"{{}}{'~' * indent}{plain_to_latex(line)}"


def _with_citations(text: str) -> str:
    """Return text with every run of citations as one command; what stands behind it as its note."""
    text = _BRACKETED.sub(lambda match: _citep(match[1], match[2]), text)
    return _BARE.sub(lambda match: _citep(match[0], ""), text)


def _citep(run: str, rest: str) -> str:
    keys = ",".join(dict.fromkeys(_KEY.findall(run)))
    note = rest.removeprefix(",").strip()
    return rf"\citep[{{{note}}}]{{{keys}}}" if note else rf"\citep{{{keys}}}"


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

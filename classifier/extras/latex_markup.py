"""Markdown of the survey as LaTeX: by way of the sanitised HTML, of which few tags are known."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import decomposition, normalize
from urllib.parse import quote, urljoin

from pylatexenc.latexencode import UnicodeToLatexEncoder

from classifier.site.exports.citation import one_line
from classifier.site.exports.reference_files import escape_latex
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
    items = [_blocks(item, links, depth + 1) for item in element if item.tag == "li"]
    if depth >= _DEEPEST or not items:
        return "\n\n".join(items)
    kind = "itemize" if element.tag == "ul" else "enumerate"
    lines = "".join(f"\\item {guarded(item)}\n" for item in items)
    return f"\\begin{{{kind}}}\n{lines}\\end{{{kind}}}"


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


_ENCODER = UnicodeToLatexEncoder(unknown_char_policy="ignore", unknown_char_warning=False)
_ACCENTS = {
    "0300": r"\`", "0301": r"\'", "0302": r"\^", "0303": r"\~", "0304": r"\=", "0306": r"\u",
    "0307": r"\.", "0308": r'\"', "030A": r"\r", "030B": r"\H", "030C": r"\v", "0323": r"\d",
    "0327": r"\c", "0328": r"\k", "0331": r"\b",
}  # fmt: skip


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
    ('\\\\ensuremath{\\\\alpha}', "\\\\~{\\\\^e}", 'fi')
    """
    known: str = _ENCODER.unicode_to_latex(sign)
    if known and known != sign:
        return known
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

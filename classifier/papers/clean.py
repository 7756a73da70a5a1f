"""Clean texts of sources: remove markup and hard wraps, and repair wrong encodings."""

from __future__ import annotations

import html
import re

_NAMES = (
    "a|abbr|b|bdi|big|bold|br|cite|code|dd|div|dl|dt|em|emph|font|h[1-6]|hr|i|img|inf|ins|italic"
    "|label|li|inline-graphic|math|mark|monospace|mfrac|mi|mn|mo|mover|mrow|mspace|msqrt|mstyle"
    "|msub|msubsup|msup"
    "|mtext|munder|munderover|nobr|ol|p|pre|q|roman|s|sc|sec|semantics|small|span|strong|strike"
    "|sub|sup|tex-math|title|tt|u|ul|underline|xref|list|list-item|inline-formula|disp-formula"
    "|alternatives|abstract|abstracttext|annotation|named-content|ext-link|graphic"
    "|inline-graphic|ExternalRef|styled-content"
)
# Only names of known markup: "a < b" and "<unk>" are text.
_TAG = re.compile(
    rf"<(/?)(?:[a-z]{{1,6}}:)?({_NAMES})(?:\s[^<>=]{{1,200}}=[^<>]{{0,2000}}|\s*)/?>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--(?:(?!<!--).){0,10000}?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
_HEADING = re.compile(
    r"<(?:jats:)?title>\s*([^<>]{1,60}?)\s*[.:]?\s*</(?:jats:)?title>", re.IGNORECASE
)
# Publishers give formulas twice, as MathML and as TeX.
_TEX = r"<(?:jats:)?tex-math[^<>]{0,200}>[^<>]{0,500}</(?:jats:)?tex-math>"
_TEX_NEXT_TO_MATHML = re.compile(
    rf"{_TEX}(?=\s{{0,9}}<(?:alternatives|(?:[a-z]{{1,6}}:)?math)\b)|(?<=:math>){_TEX}"
)
_BREAKS = frozenset("br div hr li p sec list list-item ol ul abstract title h1 h2 h3 h4".split())
_NUMERIC = re.compile(r"&#(?:\d{2,6}|[xX][0-9a-fA-F]{2,5});")
# The set of characters at the start makes the search fast.
_BLANKS = re.compile(r"[ \t\r\f\v\n](?:(?<=\n)\s*|[ \t\r\f\v]*\n\s*|[ \t\r\f\v]+)")


def plain_text(text: str) -> str:
    """Return `text` without markup, with entities resolved and one line per paragraph.

    A heading within a text becomes `Heading: `; characters that only look like markup stay.

    >>> plain_text("<jats:title>Aim</jats:title><jats:p>Bread &amp; <i>salt</i>, a &lt; b</jats:p>")
    'Aim: Bread & salt, a < b'
    >>> plain_text("<tex-math>$2x$</tex-math><mml:math><mml:mn>2</mml:mn>x</mml:math> the salt")
    '2x the salt'
    >>> plain_text("6.2% &amp;#177; 2.8%")
    '6.2% ± 2.8%'
    """
    if "<" not in text and "&" not in text:
        return text.strip()
    bare = _COMMENT.sub("", text) if "<!" in text or "]]>" in text else text
    if "tex-math" in bare:
        bare = _TEX_NEXT_TO_MATHML.sub("", bare)
    bare = _HEADING.sub(lambda match: f"\n{match[1]}: ", bare)
    bare = _TAG.sub(lambda match: "\n" if match[2].lower() in _BREAKS else "", bare)
    if bare == text and "&lt;/" not in text:
        return _resolve_entities(text).strip()
    text = _resolve_entities(bare)
    if "&" in bare and "</" in text:  # escaped twice
        text = _TAG.sub("", text)
    text = _BLANKS.sub(lambda match: "\n" if "\n" in match[0] else " ", text).strip()
    return re.sub(r"^([^\n:]{1,60}:)\s*\n", r"\1 ", text, flags=re.MULTILINE)


def _resolve_entities(text: str) -> str:
    """Resolve the entities of a text, including numeric ones that were escaped twice."""
    return _NUMERIC.sub(lambda found: html.unescape(found[0]), html.unescape(text))


def join_wrapped_lines(text: str) -> str:
    r"""Return a hard-wrapped text as one line per paragraph.

    A paragraph begins with an indented line, or after an empty line.

    >>> join_wrapped_lines("We bake\nbread.\n  It is\ngood.")
    'We bake bread.\nIt is good.'
    """
    paragraphs = re.split(r"\n(?=[ \t])|\n[ \t]*\n", text.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def repair_encoding(text: str) -> str:
    """Return `text` with letters repaired that were decoded in the wrong encoding.

    Uses ftfy (Speer, “ftfy”, Zenodo 2019), which changes only sequences that are hardly ever
    intended. Only the encoding is repaired; quotes, widths and ligatures are unchanged.

    >>> repair_encoding("CafÃ© â€“ naÃ¯ve"), repair_encoding("Café – naïve")
    ('Café – naïve', 'Café – naïve')
    """
    if text.isascii():
        return text
    import ftfy  # late: it is slow to load
    from ftfy.badness import is_bad

    if not is_bad(text):
        return text
    fixed = ftfy.fix_encoding(text)
    # A partial repair is worse than none, since it hides the original.
    return text if "�" in fixed and "�" not in text else fixed

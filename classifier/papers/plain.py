"""Texts with markup (HTML, JATS, MathML, XML entities) as the plain text that people read."""

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
# Only names that markup has: "a < b" and "<unk>" are text.
_TAG = re.compile(
    rf"<(/?)(?:[a-z]{{1,6}}:)?({_NAMES})(?:\s[^<>=]{{1,200}}=[^<>]{{0,2000}}|\s*)/?>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--(?:(?!<!--).){0,10000}?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
_HEADING = re.compile(
    r"<(?:jats:)?title>\s*([^<>]{1,60}?)\s*[.:]?\s*</(?:jats:)?title>", re.IGNORECASE
)
# Publishers give a formula twice, for those who can show MathML and for those who cannot.
_TEX = r"<(?:jats:)?tex-math[^<>]{0,200}>[^<>]{0,500}</(?:jats:)?tex-math>"
_TEX_BESIDE_MATH = re.compile(
    rf"{_TEX}(?=\s{{0,9}}<(?:alternatives|(?:[a-z]{{1,6}}:)?math)\b)|(?<=:math>){_TEX}"
)
_BREAKS = frozenset("br div hr li p sec list list-item ol ul abstract title h1 h2 h3 h4".split())
# Beginning with one set of signs, so that texts are searched at the speed of C.
_BLANKS = re.compile(r"[ \t\r\f\v\n](?:(?<=\n)\s*|[ \t\r\f\v]*\n\s*|[ \t\r\f\v]+)")


def plain_text(text: str) -> str:
    """Return `text` without markup, entities resolved, paragraphs as lines.

    A heading inside a text stays as `Heading: `; signs that only look like markup stay.

    >>> plain_text("<jats:title>Aim</jats:title><jats:p>Bread &amp; <i>salt</i>, a &lt; b</jats:p>")
    'Aim: Bread & salt, a < b'
    >>> plain_text("<tex-math>$2x$</tex-math><mml:math><mml:mn>2</mml:mn>x</mml:math> the salt")
    '2x the salt'
    """
    if "<" not in text and "&" not in text:
        return text.strip()
    bare = _COMMENT.sub("", text) if "<!" in text or "]]>" in text else text
    if "tex-math" in bare:
        bare = _TEX_BESIDE_MATH.sub("", bare)
    bare = _HEADING.sub(lambda match: f"\n{match[1]}: ", bare)
    bare = _TAG.sub(lambda match: "\n" if match[2].lower() in _BREAKS else "", bare)
    if bare == text and "&lt;/" not in text:
        return html.unescape(text).strip()
    text = html.unescape(bare)
    if "&" in bare and "</" in text:  # escaped twice on its way
        text = _TAG.sub("", text)
    text = _BLANKS.sub(lambda match: "\n" if "\n" in match[0] else " ", text).strip()
    return re.sub(r"^([^\n:]{1,60}:)\s*\n", r"\1 ", text, flags=re.MULTILINE)


def unwrapped(text: str) -> str:
    """Return a hard-wrapped text with a paragraph on a line.

    A paragraph begins where a line is indented, or behind an empty one.

    >>> unwrapped("We bake\\nbread.\\n  It is\\ngood.")
    'We bake bread.\\nIt is good.'
    """
    paragraphs = re.split(r"\n(?=[ \t])|\n[ \t]*\n", text.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)

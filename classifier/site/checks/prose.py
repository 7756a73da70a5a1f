"""Whether the prose of survey.md, whose template may be a project's own, is made of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.site.markdown import byline, title_text
from classifier.site.markup import without_foreign_parts
from classifier.survey.document import Document

_ANCHOR = r'<a id="[^"]+"></a>'
_STRUCTURE = re.compile(
    rf"#{{1,6}} [^\n]+|(?:\|[^\n]*\n?)+|{_ANCHOR}"
    rf"|(?:{_ANCHOR})?(?:!\[|\*\*(?:Table|Figure)\b[^*\n]*\*\* |\*\*\d+\.\*\* )[^\n]*"
)
"""Headings, tables, anchors, pictures, captions and references: a line each, but for tables."""
_LINKED = re.compile(r"!?\[(?:\\.|\[[^\]]*\]|[^\[\]\\])*\]\([^()\s]*\)")
_CURE = (
    "Templates print only what has a source: say it in taxonomy.yaml, as `scope` or as a claim, "
    "where it is signed."
)
_SHOWN = 80


def prose_faults(survey: str, document: Document) -> Iterator[Fault]:
    """Yield the prose of survey.md that no sentence stands behind, and sentences that it lacks."""
    sentences = [
        (sentence.id, text)
        for sentence in document.sentences
        for part in without_foreign_parts(sentence.text).split("\n\n")
        if (text := _folded(part))
    ]
    title = {_folded(f"*{title_text(document.subtitle)}*")}
    title.add(_folded(without_foreign_parts(byline(document))))
    met = 0
    line = 1
    for block in survey.split("\n\n"):
        text = _folded(block)
        begins = met < len(sentences) and text.startswith(sentences[met][1])
        is_structure = not begins and (
            text in title
            or bool(_STRUCTURE.fullmatch(block.strip()))
            or not re.search(r"\w", _LINKED.sub("", text))
        )
        while not is_structure and met < len(sentences) and sentences[met][1] in text:
            text = _folded(text.replace(sentences[met][1], " ", 1))
            met += 1
        if re.search(r"\w", text) and not is_structure:
            found = f"prose that no sentence stands behind, “{text[:_SHOWN]}”"
            wanted = f"sentence '{sentences[met][0]}'" if met < len(sentences) else "nothing more"
            yield Fault("error", "survey.md", line, found, wanted, _CURE)
        line += block.count("\n") + 2
    if met < len(sentences):
        found, wanted = f"no trace of sentence '{sentences[met][0]}'", "every sentence, in order"
        yield Fault("error", "survey.md", None, found, wanted)


def _folded(text: str) -> str:
    return " ".join(text.split())

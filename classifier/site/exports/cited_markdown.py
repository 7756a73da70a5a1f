"""A section of the survey as Markdown with cite keys, which pandoc reads.

`pandoc --natbib` turns `[@key]` into `\\citep{key}`; `export bibtex` writes the references.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from classifier.errors import UsageError
from classifier.site.blocks import block_markdown, escape_title
from classifier.site.exports.labelled import Selection
from classifier.survey.document import Section

MARK = "<!-- Written by `fieldguide export markdown` -->"
"""The first line, by which a later export recognises the file."""
_REFERENCE = r"\[\d+\]\(#ref-(\d+)\)"
_CITATION = re.compile(rf"\\\[(?:{_REFERENCE}(?:, )?)+(?:… )?(?:\[[^\]]*\]\([^)]*\))?\\\]")
_LONE_CITATION = re.compile(_REFERENCE)
_ANCHOR = re.compile(r'<a id="[^"]*"></a>\n*')
_LINK_WITHIN = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)\n*")
_PLAIN_KEY = re.compile(r"\w(?:[\w:.+/-]*\w)?")
"""A cite key that pandoc reads without braces."""


def cited_markdown(selection: Selection, section_id: str) -> str:
    """Return a section with its subsections, using the cite keys of `selection`.

    Links within the site become plain text, and pictures are omitted. Raises UsageError if the id
    is unknown.
    """
    document = selection.survey.document
    parts = _with_subsections(document.sections, section_id)
    keys = {entry.number: selection.keys[entry.paper.id] for entry in selection.entries}
    texts = [MARK]
    for section in parts:
        texts.append(f"{'#' * section.level} {escape_title(section.title)}")
        texts += [_use_cite_keys(block_markdown(block), keys) for block in section.blocks]
    return "\n\n".join(texts) + "\n"


def _with_subsections(sections: Sequence[Section], section_id: str) -> list[Section]:
    """Return the section with this id and its subsections."""
    start = next((n for n, each in enumerate(sections) if each.id == section_id), None)
    if start is None:
        ids = ", ".join(section.id for section in sections)
        raise UsageError(
            f"--cite: '{section_id}' is not a section of the survey; expected one of {ids}."
        )
    found = [sections[start]]
    for section in sections[start + 1 :]:
        if section.level <= sections[start].level:
            break
        found.append(section)
    return found


def _use_cite_keys(text: str, keys: Mapping[int, str]) -> str:
    """Replace linked reference numbers in Markdown by cite keys."""

    def citation(match: re.Match[str]) -> str:
        """Return the cite keys of matched citations."""
        numbers = map(int, _LONE_CITATION.findall(match[0]))
        return f"[{'; '.join(_pandoc_key(keys[number]) for number in numbers)}]"

    text = _PICTURE.sub("", _ANCHOR.sub("", text))
    text = _LONE_CITATION.sub(citation, _CITATION.sub(citation, text))
    return _LINK_WITHIN.sub(r"\1", text)


def _pandoc_key(key: str) -> str:
    """Return a cite key for pandoc."""
    return f"@{key}" if _PLAIN_KEY.fullmatch(key) else f"@{{{key}}}"

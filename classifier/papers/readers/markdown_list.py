"""Read Markdown lists of papers: awesome lists, reading lists, newsletters.

The reader makes one record per distinct paper of the file. An entry is a bullet, a table row, a
folded text, a paragraph or a heading with a title and a link to a paper; the headings above it
become its collections. A paper that is only mentioned (“[Crumb](https://arxiv.org/…)” in a cell of
benchmarks) becomes a record without collections.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, display_value, quarantine_fault
from classifier.papers.readers.markdown_entry import Entry, block_entries, entry_with_heading
from classifier.papers.readers.markdown_links import Link, find_links
from classifier.papers.readers.markdown_outline import read_outline
from classifier.text.normalise import title_key

OWN_MARK = "<!-- fieldguide:begin -->"
"""Start of a list that Fieldguide wrote; all of its entries are papers."""

# Minimum number of entries of a list, and of one whose name ends like a Markdown file.
_MIN_ENTRIES = 3
_MIN_ENTRIES_IN_MARKDOWN = 2
# Minimum share of entries with a link to a paper for all entries of a group to be papers.
_MIN_LINKED = 0.5

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd")
_OTHER_SIGNATURES = re.compile(
    r"\s*(?:<\?xml|<!doctype|<html|[{@]|%PDF|TY  - |PMID- |FN |\[\s*[{\]])", re.IGNORECASE
)
_SIGNATURE = re.compile(
    r"^(?:#{1,6}\s|\s*[-*+]\s|\s*\||\s*\d+[.)]\s|\s*<(?:details|li|tr|h\d)\b)|\]\(http",
    re.MULTILINE,
)


def reject_reason(content: Content) -> str:
    """Return why a file is not a Markdown list of papers, such as too few links to papers."""
    if _OTHER_SIGNATURES.match(content.start) or not _SIGNATURE.search(content.start):
        return "not Markdown"
    is_markdown = content.name.lower().endswith(_MARKDOWN)
    entries, _, _ = _read_list(content.start)
    found = sum(1 for entry in entries if entry.rank == 2 or OWN_MARK in content.start)
    if found >= (_MIN_ENTRIES_IN_MARKDOWN if is_markdown else _MIN_ENTRIES):
        return ""
    if content.start.lstrip("\ufeff").startswith("---\n") and not found:
        return (
            "a note with front matter, not a list. Export the references of your notes as BibTeX, "
            "RIS or CSV"
        )
    return "too few list entries with a title and a link to a paper"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a list in the order of their first entries."""
    entries, untitled, left_out = _read_list(content.text())
    for entry in entries:
        yield from read_fields(entry.fields, Source(content.name, MARKDOWN_LIST.name, entry.line))
    for line, link in untitled:
        source = Source(content.name, MARKDOWN_LIST.name, line)
        yield quarantine_fault(
            source, link.url, "found a link to a paper; expected a title next to the link"
        )
    if left_out:
        first = display_value(left_out[0].fields["title"])
        found = f"an entry without a link to a paper, {first}"
        hint = "It was dropped."
        if len(left_out) > 1:
            found = f"{len(left_out):,} entries without a link to a paper, the first {first}"
            hint = "They were dropped."
        expected = "a link to a paper, or a link with the text “paper”"
        yield Fault("notice", content.name, left_out[0].line, found, expected, hint)


def _read_list(text: str) -> tuple[list[Entry], list[tuple[int, Link]], list[Entry]]:
    """Return the papers of a list, the links without a title, and entries without a paper link."""
    entries: list[Entry] = []
    mentions: list[Entry] = []
    without_title: list[tuple[int, Link]] = []
    for block in read_outline(text):
        found, mentioned = block_entries(block)
        if not found and (entry := entry_with_heading(block)):
            found = [entry]
        entries += found
        mentions += mentioned
        if not found and block.kind in ("row", "bullet", "details"):
            linked = find_links("\n".join([block.text, *block.cells]))
            links = [link for link in linked.ordered_links if link.is_paper]
            if not any(link.has_name for link in links):
                without_title += [(block.line, link) for link in links]
    kept = entries if OWN_MARK in text else _drop_links_to_other_pages(entries)
    papers = _merge_entries([*kept, *mentions])
    known = {link.paper_key for paper in papers for link in paper.links}
    unknown = {link.paper_key: (line, link) for line, link in reversed(without_title)}
    pairs = (pair for identity, pair in unknown.items() if identity not in known)
    untitled = sorted(pairs, key=lambda pair: (pair[0], pair[1].url))
    lines = {entry.line for entry in kept}
    return papers, untitled, [entry for entry in entries if entry.line not in lines]


def _drop_links_to_other_pages(entries: Sequence[Entry]) -> list[Entry]:
    """Drop entries without a link to a paper, unless most of their group have such a link."""
    n_linked = Counter(entry.group for entry in entries if entry.rank == 2)
    n_entries = Counter(entry.group for entry in entries)
    kept = []
    for entry in entries:
        min_linked = max(_MIN_ENTRIES, _MIN_LINKED * n_entries[entry.group])
        if entry.rank == 2 or n_linked[entry.group] >= min_linked:
            kept.append(entry)
    return kept


def _merge_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Merge the entries of each paper; entries come before mentions."""
    places: dict[str, int] = {}
    papers: list[Entry] = []
    for entry in entries:
        keys = [link.paper_key for link in entry.links] or [f"title:{_entry_key(entry)}"]
        at = next((places[key] for key in keys if key in places), None)
        if at is None:
            at = len(papers)
            papers.append(entry)
        else:
            papers[at] = _merge_entry(papers[at], entry)
        for key in keys:
            places.setdefault(key, at)
    return sorted(papers, key=lambda paper: paper.line)


def _merge_entry(paper: Entry, entry: Entry) -> Entry:
    """Add the fields of another entry of the same paper; a mention adds none."""
    if entry.rank == 0:
        return paper
    fields = {**entry.fields, **paper.fields}
    if len(_entry_key(entry)) > len(_entry_key(paper)):
        fields["title"] = entry.fields["title"]
    for name in ("collections", "keywords", "code_urls"):
        lists = (cast(list[str], one.fields.get(name, [])) for one in (paper, entry))
        both = dict.fromkeys(value for values in lists for value in values)
        fields |= {name: list(both)} if both else {}
    if len(str(entry.fields.get("abstract", ""))) > len(str(paper.fields.get("abstract", ""))):
        fields |= {name: entry.fields[name] for name in ("abstract", "abstract_kind")}
    return replace(paper, fields=fields, links=(*paper.links, *entry.links))


def _entry_key(entry: Entry) -> str:
    """Return the key by which entries of one paper are recognised."""
    return title_key(str(entry.fields["title"]))


_EXAMPLE = "# Bread\n\n" + "\n".join(
    f"- [Bread at home and bees](https://arxiv.org/abs/2403.0000{n})" for n in range(1, 5)
)

MARKDOWN_LIST = Reader(
    name="markdown",
    reject_reason=reject_reason,
    read=read,
    description="a Markdown list whose entries have a title and a link to the paper",
    examples=(
        _EXAMPLE + " @@\n",
        _EXAMPLE + "\n@@",
        _EXAMPLE + "\n- @@ [Paper](https://arxiv.org/abs/2403.00009)\n",
        _EXAMPLE + "\n- **@@** @@ [Paper](https://arxiv.org/abs/2403.00009), @@. *@@*. @@\n",
        _EXAMPLE + "\n\n## @@\n\n| Title | Authors |\n|---|---|\n| Bees @@ | @@ |\n",
        _EXAMPLE + "\n- [Bees](https://arxiv.org/abs/2403.00009@@\n",
    ),
)

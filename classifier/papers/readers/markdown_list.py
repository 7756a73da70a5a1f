"""Lists of papers in Markdown: awesome lists, reading lists, newsletters.

Every distinct paper of the file is one record. An entry is a bullet, a table row, a folded text,
a paragraph or a heading with a title and a link to a paper; headings above it become its
collections. A paper that a text only mentions (“[Crumb](https://arxiv.org/…)” in a cell of
benchmarks) is a record without collections: nobody filed it there.
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
from classifier.papers.reader import Reader, Record, display_value, quarantined
from classifier.papers.readers.markdown_entry import Entry, block_entries, named_by_heading
from classifier.papers.readers.markdown_links import Link, find_links
from classifier.papers.readers.markdown_outline import read_outline
from classifier.text.normalise import title_key

OWN_MARK = "<!-- fieldguide:begin -->"
"""Where a list begins that Fieldguide wrote: all of its entries are papers."""

# In a file that is not called so, this many entries make a list; in a Markdown file two.
_MIN_ENTRIES = 3
_MIN_NAMED = 2
# Of entries beside each other, this share has a link to a paper where all are papers.
_EVIDENT = 0.5

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd")
_OTHER_SIGNATURES = re.compile(
    r"\s*(?:<\?xml|<!doctype|<html|[{@]|%PDF|TY  - |PMID- |FN |\[\s*[{\]])", re.IGNORECASE
)
_SIGNATURE = re.compile(
    r"^(?:#{1,6}\s|\s*[-*+]\s|\s*\||\s*\d+[.)]\s|\s*<(?:details|li|tr|h\d)\b)|\]\(http",
    re.MULTILINE,
)


def reject_reason(content: Content) -> str:
    """Return why a file is no list of papers in Markdown: too few entries link to one."""
    if _OTHER_SIGNATURES.match(content.start) or not _SIGNATURE.search(content.start):
        return "no Markdown"
    named = content.name.lower().endswith(_MARKDOWN)
    entries, _, _ = _read(content.start)
    found = sum(1 for entry in entries if entry.rank == 2 or OWN_MARK in content.start)
    if found >= (_MIN_NAMED if named else _MIN_ENTRIES):
        return ""
    if content.start.lstrip("\ufeff").startswith("---\n") and not found:
        return (
            "a note with front matter, not a list. Export the references of your notes as BibTeX, "
            "RIS or CSV"
        )
    return "hardly a list entry with a title and a link to a paper"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a list in the order in which they are first listed."""
    entries, nameless, left_out = _read(content.text())
    for entry in entries:
        yield from read_fields(entry.fields, Source(content.name, MARKDOWN_LIST.name, entry.line))
    for line, link in nameless:
        source = Source(content.name, MARKDOWN_LIST.name, line)
        yield quarantined(source, link.url, "found a link to a paper; expected its title beside it")
    if left_out:
        first = display_value(left_out[0].fields["title"])
        found = f"an entry without a link to a paper, {first}"
        hint = "It is left out."
        if len(left_out) > 1:
            found = f"{len(left_out):,} entries without a link to a paper, the first {first}"
            hint = "They are left out."
        expected = "an address that is known to be a paper's, or a link called “paper”"
        yield Fault("notice", content.name, left_out[0].line, found, expected, hint)


def _read(text: str) -> tuple[list[Entry], list[tuple[int, Link]], list[Entry]]:
    """Return the papers of a list, links in entries of which no title is known, and what is none.

    The last are entries with a title whose links are not known to lead to a paper.
    """
    entries: list[Entry] = []
    mentions: list[Entry] = []
    nameless: list[tuple[int, Link]] = []
    for block in read_outline(text):
        found, mentioned = block_entries(block)
        if not found and (named := named_by_heading(block)):
            found = [named]
        entries += found
        mentions += mentioned
        if not found and block.kind in ("row", "bullet", "details"):
            linked = find_links("\n".join([block.text, *block.cells]))
            links = [link for link in linked.in_order if link.is_paper]
            if not any(link.names_something for link in links):
                nameless += [(block.line, link) for link in links]
    kept = entries if OWN_MARK in text else _evident(entries)
    papers = _distinct([*kept, *mentions])
    known = {link.identity for paper in papers for link in paper.links}
    unknown = {link.identity: (line, link) for line, link in reversed(nameless)}
    pairs = (pair for identity, pair in unknown.items() if identity not in known)
    untitled = sorted(pairs, key=lambda pair: (pair[0], pair[1].url))
    lines = {entry.line for entry in kept}
    return papers, untitled, [entry for entry in entries if entry.line not in lines]


def _evident(entries: Sequence[Entry]) -> list[Entry]:
    """Drop entries without a link to a paper, unless most of those beside them have one."""
    strong = Counter(entry.group for entry in entries if entry.rank == 2)
    every = Counter(entry.group for entry in entries)
    return [
        entry
        for entry in entries
        if entry.rank == 2
        or strong[entry.group] >= max(_MIN_ENTRIES, _EVIDENT * every[entry.group])
    ]


def _distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Join the entries of one paper; entries come before mentions."""
    places: dict[str, int] = {}
    papers: list[Entry] = []
    for entry in entries:
        keys = [link.identity for link in entry.links] or [f"title:{_key(entry)}"]
        at = next((places[key] for key in keys if key in places), None)
        if at is None:
            at = len(papers)
            papers.append(entry)
        else:
            papers[at] = _joined(papers[at], entry)
        for key in keys:
            places.setdefault(key, at)
    return sorted(papers, key=lambda paper: paper.line)


def _joined(paper: Entry, entry: Entry) -> Entry:
    """Return a paper with what a further entry adds; a mention adds nothing but what is missing."""
    if entry.rank == 0:
        return paper
    fields = {**entry.fields, **paper.fields}
    if len(_key(entry)) > len(_key(paper)):
        fields["title"] = entry.fields["title"]
    for name in ("collections", "keywords", "code_urls"):
        lists = (cast(list[str], one.fields.get(name, [])) for one in (paper, entry))
        both = dict.fromkeys(value for values in lists for value in values)
        fields |= {name: list(both)} if both else {}
    if len(str(entry.fields.get("abstract", ""))) > len(str(paper.fields.get("abstract", ""))):
        fields |= {name: entry.fields[name] for name in ("abstract", "abstract_kind")}
    return replace(paper, fields=fields, links=(*paper.links, *entry.links))


def _key(entry: Entry) -> str:
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

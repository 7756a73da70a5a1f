"""Lists of papers in Markdown: awesome lists, reading lists, newsletters.

Every distinct paper of the file is one record. An entry is a bullet, a table row, a folded text,
a paragraph or a heading with a title and a link to a paper; headings above it become its
collections. A paper that a text only mentions (“[Crumb](https://arxiv.org/…)” in a cell of
benchmarks) is a record without collections: nobody filed it there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.formats.markdown_entry import Entry, block_entries, named_by_heading
from classifier.papers.formats.markdown_links import Link, find_links
from classifier.papers.formats.markdown_outline import BOLD_LINE, Block, read_outline
from classifier.papers.formats.markdown_title import find_title
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, quarantined, shown
from classifier.text.normalise import title_key

OWN_MARK = "<!-- fieldguide:begin -->"
"""Where a list begins that Fieldguide wrote: all of its entries are papers."""

# In a file that is not called so, this many entries make a list; in a Markdown file two.
_FEWEST = 3
_FEWEST_NAMED = 2
# Of entries beside each other, this share has a link to a paper where all are papers.
_EVIDENT = 0.5

# How a list begins that says it is one of papers, though it links to none.
_READING = re.compile(
    r"\b(?:papers?|reading list|to read|publications|bibliography|literature)\b|论文|文献",
    re.IGNORECASE,
)
_NEAR_START = 400
_FEWEST_WORDS = 4
_MOST_FIT = 0.8
_MOST_LINKS = 20
"""Bullets below a bold line that say where its paper lies."""
_BOLD_AND_LINK = re.compile(r"\s*\*\*[^*\n]{8,300}\*\*.{0,4000}\]\(http")
_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd")
_OTHER_FACES = re.compile(
    r"\s*(?:<\?xml|<!doctype|<html|[{@]|%PDF|TY  - |PMID- |FN |\[\s*[{\]])", re.IGNORECASE
)
_FACE = re.compile(
    r"^(?:#{1,6}\s|\s*[-*+]\s|\s*\||\s*\d+[.)]\s|\s*<(?:details|li|tr|h\d)\b)|\]\(http",
    re.MULTILINE,
)


def why_not(content: Content) -> str:
    """Say why a file is no list of papers in Markdown: too few entries link to one."""
    if not content.is_text:
        return "no text"
    if _OTHER_FACES.match(content.start) or not _FACE.search(content.start):
        return "no Markdown"
    named = content.name.lower().endswith(_MARKDOWN)
    entries, _, _ = _read(content.start)
    found = sum(1 for entry in entries if entry.rank == 2 or OWN_MARK in content.start)
    if found >= (_FEWEST_NAMED if named else _FEWEST):
        return ""
    return "hardly a list entry with a title and a link to a paper"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a list in the order in which they are first listed."""
    entries, nameless, left_out = _read(content.text())
    for entry in entries:
        yield from read_fields(entry.fields, Source(content.name, MARKDOWN_LIST.name, entry.line))
    for line, link in nameless:
        source = Source(content.name, MARKDOWN_LIST.name, line)
        yield quarantined(source, link.url, "found a link to a paper; wanted its title beside it")
    if left_out:
        yield _left_out(left_out, content.name)


def _left_out(entries: Sequence[Entry], name: str) -> Fault:
    first = shown(entries[0].fields["title"])
    found = f"an entry without a link to a paper, {first}"
    if len(entries) > 1:
        found = f"{len(entries):,} entries without a link to a paper, the first {first}"
    wanted = "an address that is known to be a paper's, or a link called “paper”"
    cure = "It is left out." if len(entries) == 1 else "They are left out."
    return Fault("notice", name, entries[0].line, found, wanted, cure)


def _read(text: str) -> tuple[list[Entry], list[tuple[int, Link]], list[Entry]]:
    """Return the papers of a list, links in entries of which no title is known, and what is none.

    The last are entries with a title whose links are not known to lead to a paper.
    """
    blocks, references = read_outline(text)
    entries: list[Entry] = []
    mentions: list[Entry] = []
    nameless: list[tuple[int, Link]] = []
    for block in _with_bodies(blocks, references):
        found, mentioned = block_entries(block, references)
        if not found and (named := named_by_heading(block, references)):
            found = [named]
        entries += found
        mentions += mentioned
        if not found and block.kind in ("row", "bullet", "details"):
            nameless += _nameless(block, references)
    if "://" not in text and _READING.search(text[:_NEAR_START]):
        return _bare_titles(blocks, references), [], []
    kept = entries if OWN_MARK in text else _evident(entries)
    papers = _distinct([*kept, *mentions])
    known = {link.identity for paper in papers for link in paper.links}
    unknown = {link.identity: (line, link) for line, link in reversed(nameless)}
    untitled = sorted(
        (pair for identity, pair in unknown.items() if identity not in known),
        key=lambda pair: (pair[0], pair[1].url),
    )
    lines = {entry.line for entry in kept}
    return papers, untitled, [entry for entry in entries if entry.line not in lines]


def _bare_titles(blocks: Iterable[Block], references: Mapping[str, str]) -> list[Entry]:
    """Return the entries of a list that says it is one of papers, and only names them."""
    bullets = [block for block in blocks if block.kind == "bullet"]
    lines = [find_links(block.texts[0], references) for block in bullets]
    titles = [find_title(line, cell=True).title for line in lines]
    fitting = [len(title.split()) >= _FEWEST_WORDS and title[:1].isupper() for title in titles]
    if len(bullets) < _FEWEST or sum(fitting) < _MOST_FIT * len(bullets):
        return []
    return [
        Entry(block.line, (), {"title": title}, 2)
        for block, title, fits in zip(bullets, titles, fitting, strict=True)
        if fits
    ]


def _with_bodies(blocks: Iterable[Block], references: Mapping[str, str]) -> list[Block]:
    """Nest what stands below a heading or a bold line that is an entry: authors, links."""
    kept: list[Block] = []
    named: dict[int, bool] = {}  # by number in `kept`; what joins an entry says no more of it
    for block in chain.from_iterable(map(_lines_of, blocks)):
        last = kept[-1] if kept else None
        if last and _continues(last, block, references):
            last.kind = "bullet"
            last.children.append(block)
            continue
        heads = last is not None and (last.kind == "heading" or bool(last.heading))
        heads = heads and not (last and BOLD_LINE.fullmatch(last.texts[0]) and last.children)
        if last and heads and block.section == last.section and block.kind == "paragraph":
            links = find_links("\n".join(block.texts), references).links
            number = len(kept) - 1
            if last.kind != "heading" and number not in named:
                named[number] = named_by_heading(last, references) is not None
            if last.kind == "heading" or (
                named[number] and not any(link.is_paper for link in links)
            ):
                last.children.append(block)
                continue
        kept.append(block)
    return kept


def _lines_of(block: Block) -> list[Block]:
    """Return a paragraph each of whose lines begins in bold and links to a paper as its lines."""
    lines = block.texts
    if block.kind != "paragraph" or len(lines) < 2 or not all(map(_BOLD_AND_LINK.match, lines)):
        return [block]
    return [replace(block, line=block.line + at, texts=[line]) for at, line in enumerate(lines)]


def _continues(last: Block, block: Block, references: Mapping[str, str]) -> bool:
    """Say whether a bullet says where the paper of the bold line above it lies: `- Paper: …`."""
    if block.kind != "bullet" or last.section != block.section or len(last.texts) != 1:
        return False
    if last.kind not in ("paragraph", "bullet") or len(last.children) >= _MOST_LINKS:
        return False
    if not BOLD_LINE.fullmatch(last.texts[0]):
        return False
    linked = find_links("\n".join(block.texts), references)
    named = any(link.names_something for link in linked.links)
    return bool(linked.links) and not named and not find_title(linked).title


def _nameless(block: Block, references: Mapping[str, str]) -> list[tuple[int, Link]]:
    links = find_links("\n".join(block.texts), references).in_order
    papers = [link for link in links if link.is_paper]
    return [] if any(link.names_something for link in papers) else [(block.line, x) for x in papers]


def _evident(entries: Iterable[Entry]) -> list[Entry]:
    """Drop entries without a link to a paper, unless most of those beside them have one."""
    entries = list(entries)
    strong = Counter(entry.group for entry in entries if entry.rank == 2)
    every = Counter(entry.group for entry in entries)
    return [
        entry
        for entry in entries
        if entry.rank == 2
        or (strong[entry.group] >= _FEWEST and strong[entry.group] >= _EVIDENT * every[entry.group])
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
        both = [*_list(paper, name), *_list(entry, name)]
        fields |= {name: list(dict.fromkeys(both))} if both else {}
    if len(str(entry.fields.get("abstract", ""))) > len(str(paper.fields.get("abstract", ""))):
        fields |= {name: entry.fields[name] for name in ("abstract", "abstract_kind")}
    return replace(paper, fields=fields, links=(*paper.links, *entry.links))


def _list(entry: Entry, name: str) -> list[str]:
    value = entry.fields.get(name, [])
    assert isinstance(value, list)
    return value


def _key(entry: Entry) -> str:
    return title_key(str(entry.fields["title"]))


MARKDOWN_LIST = Reader(
    name="markdown",
    why_not=why_not,
    read=read,
    wants="a Markdown list whose entries have a title and a link to the paper",
)

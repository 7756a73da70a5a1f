"""Read the fields of a paper from one entry of a Markdown list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from classifier.papers.dates import read_date
from classifier.papers.paper import AbstractKind
from classifier.papers.readers.column_names import role_of_name
from classifier.papers.readers.markdown_links import (
    PLACE,
    WORDS,
    Link,
    TextWithLinks,
    find_links,
    venue_and_year,
)
from classifier.papers.readers.markdown_outline import Block, all_blocks, heading_text, is_topic
from classifier.papers.readers.markdown_title import (
    TitleSplit,
    find_title,
    is_title,
    plain_entry_text,
    with_line_breaks,
)

_TITLES: Final = WORDS["titles"]
_FIELD_OF_LABEL: Final = {
    label: name for name, labels in WORDS["labels"].items() for label in labels
}
_FIELD_OF_ROLE: Final = {
    "authors": "authors", "date": "published", "year": "published", "venue": "venue",
    "keywords": "keywords", "abstract": "abstract",
}  # fmt: skip
_LABELLED = re.compile(
    r"[^\w\[(\ue000]{0,12}([\w][\w ./;-]{1,30}?)[*_`]{0,3}\s*[:：][*_`]{0,3}\s*(.*)", re.DOTALL
)
_PIECES = re.compile(r"\s*[;,，、]\s*|\s*<br\s*/?>\s*|\n")
_IN_BRACKETS = re.compile(r"\[([^\[\]]{1,300})\]")
_NAME = re.compile(
    r"(?:\(?[^\W\d_][\w.'’()\-‐‑]*\s+){1,5}[^\W\d_][\w.'’\-‐‑]*(?:\s*[*†‡§\d]{1,3})?"
)
_AND = re.compile(r"\s*(?:,\s*(?:and|&)\s+|[,;，、]\s*|\s(?:and|&)\s)\s*", re.IGNORECASE)
_REMARK = re.compile(r"\b(?:a|an|the|of|for|to|with|that|this|we|is|are|in|on|by|and|from|它|的)\b")
# A venue and year, or a link that was replaced, in brackets.
_STAMPED = re.compile(r"\((?:[^()]{0,40}\b(?:19|20)\d\d|[^\w()]*)\)|\[[^\w\[\]]*\]")
_DAY = re.compile(r"(?:19|20)\d\d([./-])\d{1,2}(?:\1\d{1,2})?", re.ASCII)
_NAMES_IN_LIST = 0.8
"""Minimum share of items that look like names in a list of names."""
_MIN_WORDS = 6
_UNKNOWN = re.compile(r"unknown|n/a|-|none", re.IGNORECASE)
_MAX_VENUE_WORDS = 6
_JOURNAL = re.compile(
    r"\b(?:journal|letters|reviews?|proceedings|transactions|annals|bulletin|archives|magazine"
    r"|nature|science|lancet|plos|bmc|ieee|acm|conference|symposium|workshop)\b",
    re.IGNORECASE,
)
_NO_VENUE = re.compile(r"arxiv|preprint|under review|n/?a$|unknown$", re.IGNORECASE)
_MAX_AUTHORS = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper of a list; the keys of `fields` are in `fields.FIELDS`."""

    line: int
    links: tuple[Link, ...]
    """Links to the paper itself."""
    fields: Mapping[str, object]
    rank: int
    """2 for an entry with a link to a paper, 1 for one without, 0 for a mention."""
    group: tuple[int, str] = (0, "")
    """Section and kind of block."""


@dataclass(slots=True)
class _Facts:
    """The facts in the lines of an entry, collected line by line."""

    details: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    """Free text, line by line."""
    stamps: list[str] = field(default_factory=list)
    """Short texts that may be a venue or a year."""


def block_entries(block: Block) -> tuple[list[Entry], list[Entry]]:
    """Return the entries of a block in order, and the papers that it only mentions."""
    return _row_entries(block) if block.kind == "row" else _text_entries(block, block.path)


def entry_with_heading(block: Block) -> Entry | None:
    """Return the entry of a block whose title is the heading directly above it, or None."""
    linked = [find_links(text) for text in (block.text, *block.cells)]
    links = [link for part in linked for link in part.ordered_links]
    papers = [link for link in links if link.is_paper]
    if not block.heading or not papers or any(link.has_name for link in papers):
        return None
    titled = find_title(find_links(block.heading), is_cell=True)
    if not is_title(titled.title):
        return None
    facts = _Facts(stamps=list(titled.stated))
    for part in linked:
        _read_line(part, facts)
    return _make_entry(block, block.path[:-1], titled.title, papers, links, facts)


def _text_entries(block: Block, path: tuple[str, ...]) -> tuple[list[Entry], list[Entry]]:
    """Return the entries in a block of text, and the papers that it only mentions."""
    linked = find_links(block.text)
    titled, links = find_title(linked), linked.ordered_links
    papers = _links_to_paper(links, linked, titled)
    words = "" if links else heading_text(block.text)
    files_others = block.kind == "bullet" and block.children and is_topic(words) and len(words) < 61
    inner = (*path, words) if files_others else path
    entries: list[Entry] = []
    mentions: list[Entry] = []
    details: list[Block] = []
    for child in block.children:
        found, mentioned = _text_entries(child, inner) if block.kind == "bullet" else ([], [])
        if strong := [entry for entry in found if entry.rank == 2]:
            entries += strong
            mentions += mentioned
        else:
            details += all_blocks([child])
    body = [find_links(part.text) for part in details]
    if not papers and block.kind == "bullet":
        nested = [link for part in body for link in part.ordered_links if not link.has_name]
        papers = [link for link in nested if link.is_paper]
        if papers and not titled.title:
            titled = find_title(linked, is_cell=True)
        links = [*links, *nested]
    for line, part in [(block.line, linked), *zip((d.line for d in details), body, strict=True)]:
        mentions += _mentioned_papers(line, part, papers)
    if not _is_entry(block, titled, papers, links, entries):
        return entries, mentions
    facts = _Facts(stamps=list(titled.stated))
    if titled.authors:
        facts.details["authors"] = titled.authors
    if venue := _venue_link(linked, titled):
        facts.details["venue"] = venue.text
    rest = (TextWithLinks(line, linked.links) for line in titled.after.split("\n"))
    for part in (*rest, *body):
        _read_line(part, facts)
    first = body[0].text.strip(" *_\n") if body else ""
    if block.kind in ("bullet", "heading") and _is_full_name(first):
        facts.details.setdefault("authors", first)
    if block.kind == "heading":
        facts.details.setdefault(
            "abstract", "\n".join(text for text in facts.remarks if text != first)
        )
    return [_make_entry(block, path, titled.title, papers, links, facts), *entries], mentions


def _links_to_paper(links: Iterable[Link], text: TextWithLinks, title: TitleSplit) -> list[Link]:
    """Return the links to the entry's paper, that of its title first; others are mentions."""
    papers = [link for link in links if link.is_paper and not link.has_name]
    venue = _venue_link(text, title)
    if venue and not papers:
        return [venue]
    title_link = text.links[title.link] if title.link is not None else None
    return [title_link, *papers] if title_link and title_link.is_paper else papers


def _venue_link(text: TextWithLinks, title: TitleSplit) -> Link | None:
    """Return the venue's link that follows a complete title: "Tides. [Nature](doi)"."""
    links = [link for link in text.ordered_links if link.is_paper]
    if not title.is_complete or len(links) != 1 or not links[0].has_name:
        return None
    return links[0] if len(links[0].text.split()) <= _MAX_VENUE_WORDS else None


def _is_entry(
    block: Block,
    title: TitleSplit,
    papers: Sequence[Link],
    links: Sequence[Link],
    nested: list[Entry],
) -> bool:
    """Return whether a text is an entry: it has a title, and a link to a paper or another page."""
    if papers or nested or not is_title(title.title):
        return bool(papers) and is_title(title.title)
    is_listed = block.kind in ("bullet", "details") and len(title.title.split()) >= 3
    return is_listed and not (links and all(link.code_url for link in links))


def _row_entries(block: Block) -> tuple[list[Entry], list[Entry]]:
    """Return the entries in a table row, and the papers that it only mentions."""
    cells = [find_links(with_line_breaks(cell)) for cell in block.cells]
    names = [_fold_name(name) for name in block.header[: len(cells)]]
    names += [""] * (len(cells) - len(names))
    at, titled = _title_cell(cells, names)
    links = [link for cell in cells for link in cell.ordered_links]
    papers = _links_to_paper(links, cells[at or 0], titled) if cells else []
    mentions = [entry for cell in cells for entry in _mentioned_papers(block.line, cell, papers)]
    pages = links
    if at is not None and titled.link is not None:
        pages = [cells[at].links[titled.link]]
    if at is None or not (papers or any(not link.code_url for link in pages)):
        return [], mentions
    facts = _Facts(stamps=list(titled.stated))
    for line in titled.after.split("\n"):
        _read_line(TextWithLinks(line, cells[at].links), facts)
    for number, cell in enumerate(cells):
        if number != at:
            _read_cell(names[number], cell, facts)
    return [_make_entry(block, block.path, titled.title, papers, links, facts)], mentions


def _title_cell(
    cells: Sequence[TextWithLinks], names: Sequence[str]
) -> tuple[int | None, TitleSplit]:
    """Return the index of the cell with the title (or None), and the title.

    The title is in a column with a name for titles. Otherwise it is in a column of unknown meaning:
    in a cell that begins with a link to a paper, else in the longest cell.
    """
    titles = [find_title(cell, is_cell=True) for cell in cells]
    possible = [at for at, titled in enumerate(titles) if is_title(titled.title)]
    likely = [at for columns in _TITLES for at in possible if names[at] in columns]
    others = [
        at
        for at in possible
        if not _field_of_column(names[at]) and names[at] not in ("code", "link")
    ]
    linked = [at for at in others if _links_to_paper((), cells[at], titles[at])]
    longest = sorted(others, key=lambda at: -len(titles[at].title))
    if any(name in columns for columns in _TITLES for name in names):
        longest = []
    at = next(iter([*likely, *linked, *longest]), None)
    return (None, TitleSplit()) if at is None else (at, titles[at])


def _mentioned_papers(line: int, text: TextWithLinks, own_links: Sequence[Link]) -> list[Entry]:
    """Return the other papers that a text names in a link, such as “Crumb” but not “this work”."""
    known = {link.paper_key for link in own_links}
    found: list[Entry] = []
    for link in text.ordered_links:
        title = plain_entry_text(link.text).strip(" .,:;*")
        is_name = is_title(title) and not title[0].islower() and not re.search(r"\bet al\b", title)
        if is_name and link.is_paper and link.paper_key not in known:
            known.add(link.paper_key)
            found.append(Entry(line, (link,), _non_empty(title=title, **_paper_ids([link])), 0))
    return found


def _make_entry(
    block: Block,
    path: tuple[str, ...],
    title: str,
    papers: Sequence[Link],
    links: Sequence[Link],
    facts: _Facts,
) -> Entry:
    fields = _entry_fields(facts, [link.text for link in links if not link.has_name])
    pages = [link.url for link in links if not link.code_url][:1]
    address = _paper_ids(papers) if papers else {"url": "".join(pages)}
    filed = " / ".join(heading for heading in path if is_topic(heading))
    fields = _non_empty(**fields, **address, title=title)
    fields |= _non_empty(
        code_urls=list(dict.fromkeys(link.code_url for link in links if link.code_url)),
        collections=[*filter(None, [filed]), *_list_items(facts.details.get("collections", ""))],
    )
    return Entry(block.line, tuple(papers), fields, 2 if papers else 1, (block.section, block.kind))


def _non_empty(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value not in ("", [])}


def _paper_ids(papers: Sequence[Link]) -> dict[str, object]:
    arxiv_id = next((link.arxiv_id for link in papers if link.arxiv_id), "")
    doi = next((link.doi for link in papers if link.doi), "")
    others = [link.url for link in papers if not link.arxiv_id and link.doi != (doi or None)]
    return {"arxiv_id": arxiv_id, "doi": doi, "url": next(iter(others), "")}


def _read_line(line: TextWithLinks, facts: _Facts) -> None:
    """Read one line: a label with its value, a list of names, venue and year, or a remark."""
    labelled = _LABELLED.match(line.text)
    label = _FIELD_OF_LABEL.get(_fold_name(labelled[1])) if labelled else None
    if labelled and label:
        facts.details.setdefault(label, line.with_link_words(labelled[2]))
        if not labelled[2].strip() and label in ("abstract", "digest"):
            facts.remarks.append("")
        return
    facts.stamps += _venue_candidates(line.text)
    plain = _STAMPED.sub(" ", PLACE.sub("", line.text))
    words = plain_entry_text(plain).strip(" -–—,.;:|°")
    start, is_before_venue, _ = plain.partition("*")  # `Ada Cruz, Bo Li, *Loaves*, 2024`
    start = plain_entry_text(start).strip(" -–—,.;:|°") if is_before_venue else ""
    if "authors" not in facts.details and (names := _author_names(words) or _author_names(start)):
        if _JOURNAL.search(names[-1]) and len(names) > 1:
            facts.details.setdefault("venue", names.pop())
        facts.details["authors"] = "; ".join(names)
    elif re.search(r"[^\W\d_]", words):
        facts.remarks.append(plain_entry_text(line.with_link_words(line.text)).strip(" -–—|"))


def _read_cell(name: str, cell: TextWithLinks, facts: _Facts) -> None:
    text = cell.with_link_words(cell.text)
    if (label := _field_of_column(name)) and label != "title":
        if plain_entry_text(text).strip("-–— "):
            facts.details.setdefault(label, text)
    else:
        facts.stamps += _venue_candidates(cell.text)


def _entry_fields(facts: _Facts, badges: Sequence[str]) -> dict[str, object]:
    details = facts.details
    organisation = plain_entry_text(details.get("organisation", "")).strip(" .,;")
    stamps = [details.get("venue", ""), *facts.stamps, *badges]
    marks = [venue_and_year(plain_entry_text(stamp)) for stamp in stamps]
    days = [stamp.strip() for stamp in stamps if _DAY.fullmatch(stamp.strip())]
    dates = map(read_date, [plain_entry_text(details.get("published", "")), *days])
    abstract, kind = _abstract(facts)
    return {
        "authors": _split_names(details.get("authors", "")),
        "organisation": "" if _UNKNOWN.fullmatch(organisation) else organisation,
        "venue": next(filter(None, [_venue(details.get("venue", "")), *(m[0] for m in marks)]), ""),
        "published": next(filter(None, [*dates, *(mark[1] for mark in marks)]), ""),
        "keywords": _list_items(details.get("keywords", "")),
        "abstract": abstract,
        "abstract_kind": kind if abstract else "",
    }


def _abstract(facts: _Facts) -> tuple[str, AbstractKind]:
    """Return the text that is labelled as the abstract; without one, the remarks as a digest."""
    kinds: tuple[AbstractKind, ...] = ("abstract", "digest")
    for kind in kinds:
        if kind in facts.details:
            lines = map(plain_entry_text, with_line_breaks(facts.details[kind]).split("\n"))
            text = "\n".join(filter(None, lines)) or "\n".join(filter(None, facts.remarks))
            if len(text.split()) >= _MIN_WORDS or len(text) > 60:
                return text, kind
    long = (text for text in facts.remarks if len(text.split()) >= _MIN_WORDS)
    return "\n".join(text for text in long if len(set(_REMARK.findall(text))) >= 2), "digest"


def _venue(text: str) -> str:
    """Return a venue without its year; "" for a preprint server."""
    words = plain_entry_text(text).strip(" .,;-–—")
    words = re.sub(r"[\s,'’]*(?:\((?:19|20)\d\d\)|\b(?:19|20)\d\d\b)", "", words).strip(" .,;-")
    return "" if len(words) > 200 or _NO_VENUE.match(words) else words


def _venue_candidates(text: str) -> list[str]:
    """Return the parts of a line that are short enough to be a venue or a year."""
    pieces = re.split(r"[\n()\[\]（）|*_`]+|[.,;]\s+|\s[-–—]\s", PLACE.sub("\n", text))
    return [piece.strip() for piece in pieces if 3 < len(piece.strip()) <= 60]


def _author_names(text: str) -> list[str]:
    """Return the authors if a line consists of names only, else []."""
    if len(text) < 6 or text.count(",") > _MAX_AUTHORS:
        return []
    text = re.sub(r"[\s,;]*\bet al\.?$|[\s,]*(?:\.\.\.|…)$", "", text)
    pieces = [piece for piece in _AND.split(text) if piece]
    names = sum(map(_is_full_name, pieces))
    fits = names >= 2 and names >= _NAMES_IN_LIST * len(pieces)
    return pieces if fits and venue_and_year(pieces[-1]) == ("", "") else []


def _is_full_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text)) and not text[0].islower()


def _split_names(text: str) -> list[str]:
    text = re.sub(r"[\s,;]*\bet al\.?\s*$", "", plain_entry_text(text).strip(" .,;-"))
    pieces = text.split(";") if ";" in text else _AND.split(text)
    return [piece.strip(" *†‡") for piece in pieces if re.search(r"[^\W\d_]", piece)]


def _list_items(text: str) -> list[str]:
    items = _IN_BRACKETS.findall(text) or _PIECES.split(text)
    words = (plain_entry_text(item).strip(" .,;-–—") for item in items)
    return list(dict.fromkeys(word for word in words if word and len(word) <= 300))


def _fold_name(name: str) -> str:
    return re.sub(r"^[^\w]+|[^\w.]+$", "", plain_entry_text(name)).casefold()


def _field_of_column(name: str) -> str:
    """Return the field for the folded name of a table column, or ""."""
    role = role_of_name(name)
    return _FIELD_OF_LABEL.get(name) or (_FIELD_OF_ROLE.get(role[0], "") if role else "")

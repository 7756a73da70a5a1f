"""What one entry of a list says of its paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from classifier.papers.dates import read_date
from classifier.papers.formats.column_names import LIST_LABELS, LIST_TITLES, label_of_column
from classifier.papers.formats.markdown_links import (
    PLACE,
    Link,
    Linked,
    find_links,
    venue_and_year,
)
from classifier.papers.formats.markdown_outline import Block
from classifier.papers.formats.markdown_title import (
    Titled,
    clean_words,
    find_title,
    heading_text,
    is_title,
    is_topic,
    with_line_breaks,
)
from classifier.papers.paper import AbstractKind

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
# A venue and year, or a link that is taken out, in brackets.
_STAMPED = re.compile(r"\((?:[^()]{0,40}\b(?:19|20)\d\d|[^\w()]*)\)|\[[^\w\[\]]*\]")
_DAY = re.compile(r"(?:19|20)\d\d([./-])\d{1,2}(?:\1\d{1,2})?", re.ASCII)
# Words of a sentence, which stand in no list of names ("and" does).
_PROSE = re.compile(r"(?<!\S)(?:a|an|the|of|for|to|with|that|this|we|is|are|in|on|from)(?!\S)")
_NAMES_IN_LIST = 0.8
"""The share of a list that must look like names, whatever the rest looks like."""
_FEWEST_WORDS = 6
_MOST_VENUE = 150
_MOST_AUTHORS = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper as a list tells of it; `fields` are those of `readers.fields.FIELDS`."""

    line: int
    links: tuple[Link, ...]
    """Those that lead to the paper itself."""
    fields: Mapping[str, object]
    rank: int
    """2 of an entry with a link to a paper, 1 of one without, 0 of a mention."""
    group: tuple[int, str] = (0, "")
    """Section and kind: entries beside each other."""


@dataclass(slots=True)
class _Facts:
    """What the lines of an entry state, gathered one by one."""

    details: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    """Free text, line by line."""
    stamps: list[str] = field(default_factory=list)
    """Short texts that may be a venue or a year."""


def block_entries(block: Block, references: Mapping[str, str]) -> tuple[list[Entry], list[Entry]]:
    """Return the entries that a block holds, in order, and the papers that it only mentions."""
    if block.kind == "row":
        return _row_entries(block, references)
    return _text_entries(block, block.path, references)


def named_by_heading(block: Block, references: Mapping[str, str]) -> Entry | None:
    """Return the entry of a block without a title, whose title is the heading right above it."""
    texts = [block.texts[0], *block.texts[1:], *(child.texts[0] for child in block.children)]
    linked = [find_links(text, references) for text in texts]
    links = [link for part in linked for link in part.in_order]
    papers = [link for link in links if link.is_paper]
    if not block.heading or not papers or any(link.names_something for link in papers):
        return None
    titled = find_title(find_links(block.heading, references), cell=True)
    if not is_title(titled.title):
        return None
    facts = _Facts(stamps=list(titled.stated))
    for part in linked:
        _read_line(part, facts)
    return _entry(block, block.path[:-1], titled.title, papers, links, facts)


def _text_entries(
    block: Block, path: tuple[str, ...], references: Mapping[str, str]
) -> tuple[list[Entry], list[Entry]]:
    linked = find_links(_joined(block.texts), references)
    titled = find_title(linked)
    links = linked.in_order
    named = linked.links[titled.link] if titled.link is not None else None
    papers = [link for link in links if link.is_paper and not link.names_something]
    if named and named.is_paper:
        papers.insert(0, named)
    inner = path
    if not links and block.kind == "bullet" and block.children:
        words = heading_text(_joined(block.texts), references)
        inner = (*path, words) if is_topic(words) and len(words) <= 60 else path
    entries: list[Entry] = []
    mentions: list[Entry] = []
    details: list[Block] = []
    for child in block.children:
        if block.kind == "bullet":
            of_child, mentioned = _text_entries(child, inner, references)
            strong = [entry for entry in of_child if entry.rank == 2]
            if strong:
                entries += strong
                mentions += mentioned
                continue
        details.append(child)
    facts = _Facts(stamps=list(titled.stated))
    # What is nested below a text.
    body = [find_links(_joined(part.texts), references) for part in _flat(details)]
    if not papers and block.kind == "bullet":
        nested = [link for part in body for link in part.in_order]
        papers = [link for link in nested if link.is_paper and not link.names_something]
        if papers and not titled.title:
            titled = find_title(linked, cell=True)
        links = [*links, *(link for link in nested if not link.names_something)]
    own = _own(block, titled, papers, links, entries)
    mentions += _mentions(block.line, linked, papers)
    for child, part in zip(_flat(details), body, strict=True):
        mentions += _mentions(child.line, part, papers)
    if not own:
        return entries, mentions
    _read_rest(Linked(titled.after, linked.links), facts)
    for part in body:
        _read_line(part, facts)
    if block.kind == "bullet" and body and _is_full_name(body[0].text.strip()):
        facts.details.setdefault("authors", body[0].text.strip())
    return [_entry(block, path, titled.title, papers, links, facts), *entries], mentions


def _own(
    block: Block, titled: Titled, papers: Sequence[Link], links: Sequence[Link], inner: list[Entry]
) -> bool:
    """Say whether a text is an entry itself: it has a title, and a paper or at least a page."""
    if not is_title(titled.title) or (inner and not papers):
        return False
    if papers:
        return True
    pages = [link for link in links if not link.code_url]
    enough = len(titled.title.split()) >= 3
    return block.kind in ("bullet", "details") and enough and bool(pages or not links)


def _row_entries(block: Block, references: Mapping[str, str]) -> tuple[list[Entry], list[Entry]]:
    cells = [find_links(with_line_breaks(cell), references) for cell in block.texts]
    names = [_folded(name) for name in block.header]
    names = [names[at] if at < len(names) else "" for at in range(len(cells))]
    at, titled = _title_cell(cells, names)
    links = [link for cell in cells for link in cell.in_order]
    papers = [link for link in links if link.is_paper and not link.names_something]
    if at is not None and titled.link is not None:
        named = cells[at].links[titled.link]
        papers = [named, *papers] if named.is_paper else papers
    mentions = [entry for cell in cells for entry in _mentions(block.line, cell, papers)]
    page = at is not None and titled.link is not None and not cells[at].links[titled.link].code_url
    pages = [link for link in links if not link.code_url]
    if at is None or not (papers or page or (pages and titled.link is None)):
        return [], mentions
    facts = _Facts(stamps=list(titled.stated))
    _read_rest(Linked(titled.after, cells[at].links), facts)
    for number, cell in enumerate(cells):
        if number != at:
            _read_cell(names[number], cell, facts)
    return [_entry(block, block.path, titled.title, papers, links, facts)], mentions


def _title_cell(cells: Sequence[Linked], names: Sequence[str]) -> tuple[int | None, Titled]:
    """Return the number of the cell that holds the title, and what it says; None of none."""
    likely = [at for columns in LIST_TITLES for at, name in enumerate(names) if name in columns]
    known = [
        at for at, name in enumerate(names) if label_of_column(name) or name in ("code", "link")
    ]
    others = [at for at in range(len(cells)) if at not in likely and at not in known]
    for at in likely:
        titled = find_title(cells[at], cell=True)
        if is_title(titled.title):
            return at, titled
    found = [(at, find_title(cells[at], cell=True)) for at in others]
    found = [(at, titled) for at, titled in found if is_title(titled.title)]
    linked = [
        (at, titled)
        for at, titled in found
        if titled.link is not None and cells[at].links[titled.link].is_paper
    ]
    longest = sorted(found, key=lambda pair: (-len(pair[1].title), pair[0]))
    return next(iter([*linked, *([] if likely else longest)]), (None, Titled()))


def _mentions(line: int, linked: Linked, own: Sequence[Link]) -> list[Entry]:
    """Return the papers that a text names by a link and that are not its own."""
    known = {link.identity for link in own}
    found: list[Entry] = []
    for link in linked.in_order:
        title = clean_words(link.text).strip(" .,:;*")
        if not link.is_paper or link.identity in known or not _is_name(title):
            continue
        known.add(link.identity)
        found.append(Entry(line, (link,), {"title": title, **_addresses([link])}, 0))
    return found


def _is_name(text: str) -> bool:
    """Say whether a link in a sentence names a paper: “Crumb”, and not “this work”."""
    return is_title(text) and not text[:1].islower() and not re.search(r"\bet al\b", text)


def _entry(
    block: Block,
    path: tuple[str, ...],
    title: str,
    papers: Sequence[Link],
    links: Sequence[Link],
    facts: _Facts,
) -> Entry:
    fields: dict[str, object] = {"title": title, **_addresses(papers)}
    if not papers:
        pages = [link.url for link in links if not link.code_url]
        fields |= {"url": pages[0]} if pages else {}
    if codes := tuple(dict.fromkeys(link.code_url for link in links if link.code_url)):
        fields["code_urls"] = list(codes)
    topics = [heading for heading in path if is_topic(heading)]
    filed = [" / ".join(topics)] if topics else []
    fields |= _stated(facts, [link.text for link in links if not link.names_something])
    stated = fields.pop("collections", [])
    assert isinstance(stated, list)
    if filed or stated:
        fields["collections"] = [*filed, *stated]
    return Entry(block.line, tuple(papers), fields, 2 if papers else 1, (block.section, block.kind))


def _addresses(papers: Sequence[Link]) -> dict[str, object]:
    """Return arXiv id, DOI and address of a paper from the links that lead to it."""
    arxiv_id = next((link.arxiv_id for link in papers if link.arxiv_id), "")
    doi = next((link.doi for link in papers if link.doi), "")
    others = [link.url for link in papers if not link.arxiv_id and link.doi != (doi or None)]
    found = {"arxiv_id": arxiv_id, "doi": doi, "url": next(iter(others), "")}
    return {name: value for name, value in found.items() if value}


def _read_rest(rest: Linked, facts: _Facts) -> None:
    """Read what stands behind a title, line by line."""
    for line in rest.text.split("\n"):
        _read_line(Linked(line, rest.links), facts)


def _read_line(line: Linked, facts: _Facts) -> None:
    """Read one line: labelled, or a list of names, or venue and year, or a remark."""
    labelled = _LABELLED.match(line.text)
    label = LIST_LABELS.get(_folded(labelled[1])) if labelled else None
    if labelled and label:
        facts.details.setdefault(label, line.said(labelled[2]))
        if not labelled[2].strip() and label in ("abstract", "digest"):
            facts.remarks.append("")
        return
    facts.stamps += _short_pieces(line.text)
    plain = _STAMPED.sub(" ", PLACE.sub("", line.text))
    said = clean_words(plain).strip(" -–—,.;:|°")
    if "authors" not in facts.details and (names := _names(said) or _names_before_venue(plain)):
        facts.details["authors"] = "; ".join(names)
    elif re.search(r"[^\W\d_]", said):
        facts.remarks.append(clean_words(line.said(line.text)).strip(" -–—|"))


def _read_cell(name: str, cell: Linked, facts: _Facts) -> None:
    """Read one cell of a table under its column's name."""
    text = cell.said(cell.text)
    if (label := label_of_column(name)) and label != "title":
        if clean_words(text).strip("-–— "):
            facts.details.setdefault(label, text)
    else:
        facts.stamps += _short_pieces(cell.text)


def _stated(facts: _Facts, badges: Sequence[str]) -> dict[str, object]:
    """Return what the lines of an entry state, as fields."""
    found: dict[str, object] = {}
    details = facts.details
    if names := _listed_names(details.get("authors", "")):
        found["authors"] = names
    organisation = clean_words(details.get("organisation", "")).strip(" .,;")
    if organisation and organisation.casefold() not in ("unknown", "n/a", "-", "none"):
        found["organisation"] = organisation
    stamps = [details.get("venue", ""), *facts.stamps, *badges]
    marks = [venue_and_year(clean_words(stamp)) for stamp in stamps]
    venue = _venue(details.get("venue", "")) or next((mark[0] for mark in marks if mark[0]), "")
    dates = [read_date(stamp.strip()) for stamp in stamps if _DAY.fullmatch(stamp.strip())]
    date = read_date(clean_words(details.get("published", "")).strip()) or next(
        iter([*dates, *(mark[1] for mark in marks if mark[1])]), ""
    )
    found |= {"venue": venue} if venue else {}
    found |= {"published": date} if date else {}
    for name in ("keywords", "collections"):
        if words := _list(details.get(name, "")):
            found[name] = words
    text, kind = _abstract(facts)
    return found | ({"abstract": text, "abstract_kind": kind} if text else {})


def _abstract(facts: _Facts) -> tuple[str, AbstractKind]:
    """Return the abstract where the list says so, else what the list tells of the paper."""
    for name, kind in (("abstract", "abstract"), ("digest", "digest")):
        if name in facts.details:
            text = _paragraphs(facts.details[name]) or "\n".join(filter(None, facts.remarks))
            if len(text.split()) >= _FEWEST_WORDS or len(text) > 60:
                return text, "abstract" if kind == "abstract" else "digest"
    sentence = [line for line in facts.remarks if _is_remark(line)]
    return ("\n".join(sentence), "digest") if sentence else ("", "none")


def _is_remark(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS and len(set(_REMARK.findall(text))) >= 2


def _paragraphs(text: str) -> str:
    lines = (clean_words(line) for line in with_line_breaks(text).split("\n"))
    return "\n".join(line for line in lines if line)


def _venue(text: str) -> str:
    """Return a stated venue without its year; a preprint server is none."""
    words = clean_words(text).strip(" .,;-–—")
    words = re.sub(r"[\s,'’]*(?:\((?:19|20)\d\d\)|\b(?:19|20)\d\d\b)", "", words).strip(" .,;-")
    if re.match(r"(?i)arxiv|preprint|under review|n/?a$|unknown$", words) or len(words) > 200:
        return ""
    return words


def _short_pieces(text: str) -> list[str]:
    """Return the pieces of a line that are short enough for a venue or a year."""
    text = PLACE.sub("\n", text)
    pieces = re.split(r"[\n()\[\]（）|*_`]+|[.,;]\s+|\s[-–—]\s", text)
    return [piece.strip() for piece in pieces if 3 < len(piece.strip()) <= 60]


def _names(text: str) -> list[str]:
    """Return the authors where a line is nothing but their names, else nothing."""
    if len(text) < 6 or text.count(",") > _MOST_AUTHORS or _PROSE.search(text):
        return []
    text = re.sub(r"[\s,;]*\bet al\.?$|[\s,]*(?:\.\.\.|…)$", "", text)
    pieces = [piece for piece in _AND.split(text) if piece]
    fitting = [piece for piece in pieces if _is_full_name(piece)]
    fits = len(fitting) >= 2 and len(fitting) >= _NAMES_IN_LIST * len(pieces)
    return pieces if fits and venue_and_year(pieces[-1]) == ("", "") else []


def _names_before_venue(text: str) -> list[str]:
    """Return the authors of `Ada Cruz, Bo Li, *Loaves*, 2024`, where nothing but that stands."""
    before, venue, behind = text.partition("*")
    if not venue or len(behind) > _MOST_VENUE:
        return []
    return _names(clean_words(before).strip(" -–—,.;:|°"))


def _is_full_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text)) and text[0].upper() == text[0]


def _listed_names(text: str) -> list[str]:
    text = re.sub(r"[\s,;]*\bet al\.?\s*$", "", clean_words(text).strip(" .,;-"))
    pieces = text.split(";") if ";" in text else _AND.split(text)
    return [piece.strip(" *†‡") for piece in pieces if re.search(r"[^\W\d_]", piece)]


def _list(text: str) -> list[str]:
    """Return the items of a list: in brackets, or between commas."""
    items = _IN_BRACKETS.findall(text) or _PIECES.split(text)
    words = (clean_words(item).strip(" .,;-–—") for item in items)
    return list(dict.fromkeys(word for word in words if word and len(word) <= 300))


def _joined(texts: Sequence[str]) -> str:
    """Return lines as one text; a line that goes on in lower case is joined to the one before."""
    return re.sub(r"\n(?=[a-zà-ÿ])", " ", "\n".join(texts))


def _flat(blocks: Iterable[Block]) -> list[Block]:
    return [part for block in blocks for part in (block, *_flat(block.children))]


def _folded(name: str) -> str:
    return re.sub(r"^[^\w]+|[^\w.]+$", "", clean_words(name)).casefold()

"""Tables of references that JabRef exports as HTML, and lists that people made of them.

The searchable table has a row `tr.entry` for a reference, then hidden rows with its abstract, a
review and its BibTeX, which is read where it is there. Without, the columns are told by their
heads, and a row of one cell by its links: title, authors, and the hidden abstract below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.files.content import Content, text_content
from classifier.papers.fields import read_fields
from classifier.papers.formats import Reader, Record
from classifier.papers.formats.bibtex import BIBTEX
from classifier.papers.formats.html_page import html_page, is_html, line_text
from classifier.papers.formats.jsonl import paper_to_json
from classifier.papers.formats.values import arxiv_id_in, filled
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.paper import Paper, Source, clean_arxiv_id, clean_doi

_FACE = re.compile(r"""<tr\s[^<>]{0,300}\bclass\s{0,9}=\s{0,9}["']entry\b""", re.IGNORECASE)
_YEAR = re.compile(r"\s*\(((?:19|20)\d\d)\)\s*\Z", re.ASCII)
_BETWEEN = re.compile(r"\s*;\s*|\s*,?\s+and\s+|\s*,\s+(?=\S+\s)")
_COLUMNS = (
    ("title", "title"), ("author", "authors"), ("year", "year"), ("journal", "venue"),
    ("booktitle", "venue"), ("proceedings", "venue"), ("keyword", "keywords"),
)  # fmt: skip


def why_not(content: Content) -> str:
    """Say why a file is no such table."""
    if not is_html(content):
        return "no HTML page"
    return "" if _FACE.search(content.start) else "no table row '<tr class=\"entry\">'"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a table in its order."""
    page = html_page(content)
    if page is None:
        return
    heads = [line_text(head).lower() for head in page.iter("th")]
    for row in page.iter("tr"):
        if _is_entry(row):
            yield from _records(row, heads, Source(content.name, JABREF_HTML.name, line_of(row)))


def _is_entry(row: Element) -> bool:
    return "entry" in (row.get("class") or "").split()


def _records(row: Element, heads: list[str], source: Source) -> Iterator[Record]:
    hidden = _hidden_rows(row)
    fields = _of_bibtex(hidden.get("bibtex", "")) or _of_row(row, heads)
    if not fields.get("abstract"):
        text = hidden.get("abstract", "")
        fields["abstract"] = re.sub(r"\AAbstract\s*:\s*", "", " ".join(text.split()))
    yield from read_fields(fields, source)


def _hidden_rows(row: Element) -> dict[str, str]:
    """Return the texts of the rows that belong to an entry, by their class."""
    found: dict[str, str] = {}
    for below in row.itersiblings("tr"):
        if _is_entry(below):
            break
        for name in ("abstract", "review", "bibtex"):
            if name in (below.get("class") or "").split():
                found[name] = "".join(below.itertext())
    return found


def _of_bibtex(text: str) -> dict[str, object]:
    """Return the fields of the BibTeX in a hidden row, {} where there is none that can be read."""
    entry = text[text.find("@") :] if "@" in text else ""
    found = BIBTEX.read(text_content("", entry)) if entry else ()
    paper = next((record for record in found if isinstance(record, Paper)), None)
    return paper_to_json(paper) if paper else {}


def _of_row(row: Element, heads: list[str]) -> dict[str, object]:
    cells = list(row.iterchildren("td", "th"))
    if len(cells) == len(heads) > 1:
        return _of_columns(row, cells, heads)
    return _of_links(row)


def _of_columns(row: Element, cells: list[Element], heads: list[str]) -> dict[str, object]:
    """Return the fields of a row by the heads of the columns."""
    fields: dict[str, object] = {}
    for head, cell in zip(heads, cells, strict=True):
        name = next((name for word, name in _COLUMNS if word in head), "")
        if name and name not in fields:
            fields[name] = _visible(cell)
    for name in ("authors", "keywords"):
        if name in fields:
            text = str(fields[name])
            fields[name] = _names(text) if name == "authors" else re.split(r"\s*[,;]\s*", text)
    return {**fields, **_linked(row)}


def _visible(cell: Element) -> str:
    """Return the text of a cell without the links that unfold what is hidden."""
    kept = [cell.text or ""]
    for part in cell:
        if "infolinks" not in (part.get("class") or ""):
            kept.append("".join(part.itertext()))
        kept.append(part.tail or "")
    return " ".join("".join(kept).split())


def _of_links(row: Element) -> dict[str, object]:
    """Return the fields of a row of one cell: its first link is the title, its second the authors.

    Below stands the hidden abstract, in `u` what comes before it: the arXiv id, and keywords in
    braces.
    """
    hidden = next((part for part in row.iter("div") if "abstract" in (part.get("id") or "")), None)
    inside = set() if hidden is None else set(hidden.iter())
    links = [link for link in row.iter("a") if link.get("href") and link not in inside]
    title = line_text(links[0]) if links else _visible(row)
    year = _YEAR.search(title)
    fields: dict[str, object] = {
        "title": title[: year.start()] if year else title,
        "year": year[1] if year else None,
        "authors": _names(line_text(links[1])) if len(links) > 1 else [],
        **_linked(row),
    }
    if hidden is not None:
        head = line_text(next(hidden.iter("u"), None))
        fields["keywords"] = re.findall(r"\{([^{}]{1,80})\}", head)
        fields["abstract"] = line_text(hidden).removeprefix(head).strip()
        fields["arxiv_id"] = fields.get("arxiv_id") or clean_arxiv_id(head.partition(" ")[0])
    return fields


def _linked(row: Element) -> dict[str, object]:
    """Return what the addresses in a row state."""
    links = [link.get("href", "").strip() for link in row.iter("a")]
    links = [link for link in links if link.startswith("http")]
    doi = next((clean_doi(link) for link in links if "doi.org/10." in link), "")
    arxiv_id = arxiv_id_in(links)
    return {
        "url": links[0] if links else "",
        "doi": doi,
        "arxiv_id": arxiv_id,
        "reference": filled(type="article" if arxiv_id else ""),
    }


def _names(text: str) -> list[str]:
    """Return names joined by commas or `and`; a comma before one word is inside a name.

    >>> _names("One, A. and Two, B."), _names("Ada One, Bo Two")
    (['One, A.', 'Two, B.'], ['Ada One', 'Bo Two'])
    """
    if re.search(r"\w, \S+(?:\s+\S\.)*(?:;| and |\Z)", text):
        return [name for name in re.split(r"\s*;\s*|\s+and\s+", text) if name.strip()]
    return [name.strip(" ,") for name in _BETWEEN.split(text) if name.strip(" ,")]


JABREF_HTML = Reader(
    name="jabref-html",
    why_not=why_not,
    read=read,
    wants='a table that JabRef exports as HTML (rows <tr class="entry">)',
)

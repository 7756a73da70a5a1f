"""The references, one entry a paper and nothing else, in BibTeX, RIS and CSL-JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.files.table import write_table
from classifier.papers.fields import OWN_TAG
from classifier.papers.names import Name, split_name
from classifier.papers.paper import Paper
from classifier.review.sheet import data_columns, sheet_rows
from classifier.site.exports.bibtex import bibtex_entry, escape_latex
from classifier.site.exports.citation import (
    citation,
    cite_keys,
    kind_of,
    one_line,
    own_abstract,
    with_few_authors,
)
from classifier.site.exports.labelled import Selection
from classifier.survey.entry import Entry
from classifier.survey.paper_names import short_name
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category

File = tuple[str, str]
"""Path from the top of the site, text."""


@dataclass(frozen=True, slots=True)
class _Formatted:
    """One paper in every format, made once for all files that hold it."""

    bib: str
    ris: str
    csl: str


def paper_references(edition: Survey) -> Iterator[File]:
    """Yield the references of each paper, and of all, in the order of the reference list."""
    made = dict(_formatted(edition))
    for entry in edition.entries:
        yield from _references(f"p/{entry.slug}", [made[entry.paper.id]])
    yield from _references("references", list(made.values()))


def category_references(edition: Survey, categories: Sequence[Category]) -> Iterator[File]:
    """Yield the references of each of `categories`.

    There are two sets of files, where it has papers: `c/ID.*`, all to which it applies, and
    `c/ID-filed.*`, those filed under it. Besides BibTeX, RIS and CSL-JSON these
    hold CSV: the rows of labels.csv without the cells that people fill, since nobody would take
    up what is typed there. The order is that of the reference list.
    """
    made = dict(_formatted(edition))
    papers = [entry.paper for entry in edition.entries]
    rows = sheet_rows(edition.taxonomy, papers, [entry.labels for entry in edition.entries])
    row_of = {paper.id: row for paper, row in zip(papers, rows, strict=True)}
    shown = data_columns(edition.taxonomy)
    for base, entries in _groups(edition, categories):
        ids = [entry.paper.id for entry in entries]
        yield from _references(base, [made[paper_id] for paper_id in ids])
        yield f"{base}.csv", write_table(shown, (row_of[paper_id] for paper_id in ids)).decode()


def _formatted(edition: Survey) -> Iterator[tuple[str, _Formatted]]:
    keys = cite_keys([entry.paper for entry in edition.entries])
    for entry in edition.entries:
        paper, key, tags = entry.paper, keys[entry.paper.id], category_tags(entry)
        bib = bibtex_entry(paper, key, entry.aliases, tags)
        yield paper.id, _Formatted(bib, ris_record(paper, key, tags), csl_text(paper, key, tags))


def _references(base: str, papers: Sequence[_Formatted]) -> Iterator[File]:
    yield f"{base}.bib", "\n".join(one.bib for one in papers)
    yield f"{base}.ris", "\n".join(one.ris for one in papers)
    yield f"{base}.json", csl_list(one.csl for one in papers)


def _groups(
    edition: Survey, categories: Sequence[Category]
) -> Iterator[tuple[str, Sequence[Entry]]]:
    ids = {category.id for category in categories}
    for category in categories:
        if having := edition.with_category(category):
            yield f"c/{category.id}", having
        filed_id = f"{category.id}-filed"
        if filed_id not in ids and (filed := edition.filed_under(category)):
            yield f"c/{filed_id}", filed


def bibtex_list(selection: Selection) -> bytes:
    """Return a .bib of the selected papers, for any tool."""
    return "\n".join(
        bibtex_entry(
            entry.paper,
            _key(selection, entry),
            entry.aliases,
            category_tags(entry),
            abstract=True,
        )
        for entry in selection.entries
    ).encode()


def cited_bibtex(selection: Selection) -> bytes:
    """Return a .bib of the selected papers for a text of ours, which cites them with natbib.

    It holds what is printed: of hundreds of authors the first, and no abstract.
    """
    return "\n".join(
        bibtex_entry(
            citable(entry.paper),
            _key(selection, entry),
            entry.aliases,
            category_tags(entry),
            label=citable_title(short_name(one_line(entry.paper.title_display))),
        )
        for entry in selection.entries
    ).encode()


def ris_list(selection: Selection) -> bytes:
    """Return a .ris of the selected papers."""
    return "\n".join(
        ris_record(entry.paper, _key(selection, entry), category_tags(entry), abstract=True)
        for entry in selection.entries
    ).encode()


def csl_json_list(selection: Selection) -> bytes:
    """Return the selected papers as CSL-JSON."""
    return csl_list(
        csl_text(entry.paper, _key(selection, entry), category_tags(entry), abstract=True)
        for entry in selection.entries
    ).encode()


def _key(selection: Selection, entry: Entry) -> str:
    return selection.keys[entry.paper.id]


_MAX_OF_A_NAME = 70
_MAX_OF_A_TITLE = 200
_SIGNS = re.compile(r"[^\w\s.-]+|_")


def citable(paper: Paper) -> Paper:
    """Return a paper with as many names as a list prints, none of them too long for a label."""
    few = with_few_authors(paper)
    return replace(few, authors=tuple(_fitting_name(name) for name in few.authors))


def citable_title(title: str) -> str:
    """Return a title that a label can hold."""
    return _fitting(title, _MAX_OF_A_TITLE)


def _fitting_name(text: str) -> str:
    family, given = split_name(one_line(text))
    fitting = _fitting(family, _MAX_OF_A_NAME)
    if fitting == family:
        return text
    return f"{fitting}, {given}" if given else fitting


def _fitting(text: str, most: int) -> str:
    """Return text that is at most so many bytes of LaTeX; of longer ones the letters alone."""
    if len(escape_latex(text).encode()) <= most:
        return text
    letters = " ".join(_SIGNS.sub(" ", text).split())
    return letters.encode()[:most].decode(errors="ignore").strip() or "…"


def category_tags(entry: Entry) -> tuple[str, ...]:
    """Return `fieldguide:ID` for each category of the first facet, that of the filing first.

    What they begin with sets them apart from the keywords of authors and librarians: a person can
    take all of them away again, and our readers never take one for somebody's own keyword.
    """
    return tuple(f"{OWN_TAG}{category}" for category in entry.first.categories)


_FIRST = ("id", "type", "title", "author")
"""What an item begins with; the other variables follow."""


def csl_json(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the items of all papers, in their order."""
    return csl_list(csl_text(paper, keys[paper.id]) for paper in papers)


def csl_list(items: Iterable[str]) -> str:
    """Return items, each as JSON, as the list that reference managers read."""
    return "[\n" + ",\n".join(items) + "\n]\n"


def csl_text(paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False) -> str:
    """Return the item of one paper as JSON on one line."""
    return json.dumps(csl_item(paper, key, tags, abstract=abstract), ensure_ascii=False)


def csl_item(
    paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False
) -> dict[str, object]:
    """Return the item of one paper. A field that no source states is left out.

    tags: keywords beside its own; abstract: whether its abstract stands there, too. The type is
    `article`, CSL's word for a preprint, where no source says what was published.
    """
    cited = citation(paper)
    parts = [int(part) for part in cited.date.split("-") if part]
    item: dict[str, object] = {
        "number": f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else "",
        **cited.details,
        "id": key,
        "type": cited.type or "article",
        "title": cited.title,
        "author": [_author(name) for name in cited.authors],
        "editor": [_author(name) for name in cited.editors],
        "publisher": cited.publisher,
        "issued": {"date-parts": [parts]} if parts else {},
        "container-title": cited.venue,
        "DOI": cited.doi,
        "URL": cited.url,
        "keyword": ", ".join([*cited.keywords, *tags]),
        "note": cited.note,
        "abstract": own_abstract(paper) if abstract else "",
    }
    return {field: item[field] for field in (*_FIRST, *item) if item.get(field)}


def _author(name: Name) -> dict[str, str]:
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given}


def ris(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the records of all papers, in their order."""
    return "\n".join(ris_record(paper, keys[paper.id]) for paper in papers)


def ris_record(paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False) -> str:
    """Return the record of one paper. A field that no source states is left out.

    tags: keywords beside its own; abstract: whether its abstract stands there, too. The type is
    `GEN` where no source says what was published.
    """
    cited = citation(paper)
    details = cited.details
    first, _, last = details.get("page", "").replace("\u2013", "-").partition("-")
    fields = [
        ("TY", kind_of(cited.type).ris),
        ("ID", key),
        ("TI", cited.title),
        *(("AU", str(name)) for name in cited.authors),
        *(("A2", str(name)) for name in cited.editors),
        ("PB", cited.publisher),
        ("CY", details.get("publisher-place", "")),
        ("PY", cited.date[:4]),
        ("DA", _date(cited.date)),
        ("T2", cited.venue),
        ("T3", details.get("collection-title", "")),
        ("VL", details.get("volume", "")),
        ("IS", details.get("issue", "")),
        ("ET", details.get("edition", "")),
        ("SP", first.strip()),
        ("EP", last.strip("- ")),
        ("SN", details.get("ISSN", "") or details.get("ISBN", "")),
        ("LA", details.get("language", "")),
        ("DO", cited.doi),
        ("AN", f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else ""),
        ("UR", cited.url),
        *(("KW", keyword) for keyword in (*cited.keywords, *tags)),
        ("N1", cited.note),
        ("AB", own_abstract(paper) if abstract else ""),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in fields if value) + "ER  - \n"


def _date(date: str) -> str:
    """Return `YYYY/MM/DD/`, the parts that are not known left empty."""
    parts = [*date.split("-"), "", ""][:3]
    return "/".join(parts) + "/" if date else ""

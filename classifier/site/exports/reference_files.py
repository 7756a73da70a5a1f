"""The references, one entry a paper and nothing else, in BibTeX, RIS and CSL-JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

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


def reference_files(edition: Survey, categories: Sequence[Category]) -> Iterator[File]:
    """Yield the references of each paper, of all, and of each of `categories` that has papers.

    A category has two sets of files: `c/ID.*`, all to which it applies, and `c/ID-filed.*`, those
    filed under it. Besides BibTeX, RIS and CSL-JSON these hold CSV: the rows of labels.csv without
    the cells that people fill, since nobody would take up what is typed there. The order is that of
    the reference list. The browse page saves the BibTeX of its list out of references.js, since a
    page opened from the disk may load no other file than a script.
    """
    keys = cite_keys([entry.paper for entry in edition.entries])
    made = {each.paper.id: _formatted(each, keys[each.paper.id]) for each in edition.entries}
    for entry in edition.entries:
        yield from _files(f"p/{entry.slug}", [made[entry.paper.id]])
    yield from _files("references", list(made.values()))
    by_page = {entry.slug: made[entry.paper.id][".bib"] for entry in edition.entries}
    yield "references.js", f"var fieldguideBibtex={json.dumps(by_page, ensure_ascii=False)};\n"
    papers, labels = [e.paper for e in edition.entries], [e.labels for e in edition.entries]
    rows = dict(zip(made, sheet_rows(edition.taxonomy, papers, labels), strict=True))
    shown, ids = data_columns(edition.taxonomy), {category.id for category in categories}
    for category in categories:
        groups = {category.id: edition.with_category(category)}
        if f"{category.id}-filed" not in ids:
            groups[f"{category.id}-filed"] = edition.filed_under(category)
        for name, entries in groups.items():
            if entries:
                yield from _files(f"c/{name}", [made[entry.paper.id] for entry in entries])
                table = write_table(shown, (rows[entry.paper.id] for entry in entries))
                yield f"c/{name}.csv", table.decode()


def reference_list(selection: Selection, ending: str) -> bytes:
    """Return the selected papers, with abstracts, as `.bib`, `.ris` or `.json` (CSL-JSON)."""
    made = (
        _formatted(entry, selection.keys[entry.paper.id], abstract=True)[ending]
        for entry in selection.entries
    )
    return _listed(ending, made).encode()


def _formatted(entry: Entry, key: str, *, abstract: bool = False) -> dict[str, str]:
    """Return ending of a file -> a paper as it stands in it."""
    paper, tags = entry.paper, category_tags(entry)
    item = csl_item(paper, key, tags, abstract=abstract)
    return {
        ".bib": bibtex_entry(paper, key, entry.aliases, tags, abstract=abstract),
        ".ris": ris_record(paper, key, tags, abstract=abstract),
        ".json": json.dumps(item, ensure_ascii=False),
    }


def _files(base: str, papers: Sequence[Mapping[str, str]]) -> Iterator[File]:
    for ending in (".bib", ".ris", ".json"):
        yield base + ending, _listed(ending, (paper[ending] for paper in papers))


def _listed(ending: str, papers: Iterable[str]) -> str:
    return "[\n" + ",\n".join(papers) + "\n]\n" if ending == ".json" else "\n".join(papers)


_MAX_OF_A_NAME = 70
_MAX_OF_A_TITLE = 200
_SIGNS = re.compile(r"[^\w\s.-]+|_")


def cited_bibtex(selection: Selection) -> bytes:
    """Return a .bib of the selected papers for a text of ours, which cites them with natbib.

    It holds what is printed: of hundreds of authors the first, and no abstract.
    """
    return "\n".join(
        bibtex_entry(
            citable(entry.paper),
            selection.keys[entry.paper.id],
            entry.aliases,
            category_tags(entry),
            label=_fitting(short_name(one_line(entry.paper.title_display)), _MAX_OF_A_TITLE),
        )
        for entry in selection.entries
    ).encode()


def citable(paper: Paper) -> Paper:
    """Return a paper with as many names as a list prints, none of them too long for a label."""
    few = with_few_authors(paper)
    return replace(few, authors=tuple(_fitting_name(name) for name in few.authors))


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


def ris_record(paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False) -> str:
    """Return the record of one paper. A field that no source states is left out.

    tags: keywords beside its own; abstract: whether its abstract stands there, too. The type is
    `GEN` where no source says what was published.
    """
    cited = citation(paper)
    details = cited.details
    # YYYY/MM/DD/, the parts that are not known left empty
    date = (
        f"{cited.date.replace('-', '/')}{'/' * (3 - cited.date.count('-'))}" if cited.date else ""
    )
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
        ("DA", date),
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

"""The references in BibTeX, RIS and CSL-JSON, with one entry per paper."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from classifier.files.table import write_table
from classifier.papers.fields import OWN_TAG
from classifier.papers.names import Name
from classifier.papers.paper import Paper
from classifier.review.sheet import data_columns, sheet_rows
from classifier.site.exports.citation import (
    Citation,
    abstract_of_authors,
    cite_keys,
    make_citation,
)
from classifier.site.exports.labelled import Selection
from classifier.survey.entry import SurveyPaper, slug_of
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Category


def reference_files(survey: Survey, categories: Sequence[Category]) -> Iterator[tuple[str, str]]:
    """Yield the references of all papers, and of each category with papers, as (path, text).

    A category has two sets of files: `c/ID.*` for all its papers, and `c/ID-filed.*` for papers
    whose primary category it is. Each set contains BibTeX, RIS, CSL-JSON and CSV. The CSV has the
    rows of labels.csv without the columns for reviewers, because no command reads answers from it.
    Papers are in the order of the reference list. The browse page reads BibTeX from references.js,
    because a page opened from the disk can load only scripts.
    """
    keys = cite_keys([entry.paper for entry in survey.entries])
    made = {
        each.paper.id: _references_by_format(each, keys[each.paper.id]) for each in survey.entries
    }
    yield from _file_per_format("references", list(made.values()))
    by_page = {entry.slug: made[entry.paper.id][".bib"] for entry in survey.entries}
    yield "references.js", f"var fieldguideBibtex={json.dumps(by_page, ensure_ascii=False)};\n"
    papers, labels = [e.paper for e in survey.entries], [e.labels for e in survey.entries]
    rows = dict(zip(made, sheet_rows(survey.taxonomy, papers, labels), strict=True))
    columns = (*data_columns(survey.taxonomy), "retracted")
    ids = {category.id for category in categories}
    for category in categories:
        groups = {category.id: survey.papers_with(category)}
        if f"{category.id}-filed" not in ids:
            groups[f"{category.id}-filed"] = survey.papers_under(category)
        for name, entries in groups.items():
            if entries:
                yield from _file_per_format(
                    f"c/{name}", [made[entry.paper.id] for entry in entries]
                )
                table = write_table(columns, (rows[entry.paper.id] for entry in entries))
                yield f"c/{name}.csv", table.decode()


def reference_list(selection: Selection, ending: str) -> bytes:
    """Return the selected papers, with abstracts, as `.bib`, `.ris` or `.json` (CSL-JSON)."""
    made = (
        _references_by_format(entry, selection.keys[entry.paper.id], abstract=True)[ending]
        for entry in selection.entries
    )
    return _join_references(ending, made).encode()


def _references_by_format(
    entry: SurveyPaper, key: str, *, abstract: bool = False
) -> dict[str, str]:
    """Return the reference of a paper in each format, by file ending."""
    paper, tags = entry.paper, category_tags(entry)
    item = csl_item(paper, key, tags, abstract=abstract)
    return {
        ".bib": bibtex_entry(paper, key, entry.aliases, tags, abstract=abstract),
        ".ris": ris_record(paper, key, tags, abstract=abstract),
        ".json": json.dumps(item, ensure_ascii=False),
    }


def _file_per_format(base: str, papers: Sequence[Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield one file per format."""
    for ending in (".bib", ".ris", ".json"):
        yield base + ending, _join_references(ending, (paper[ending] for paper in papers))


def _join_references(ending: str, papers: Iterable[str]) -> str:
    """Join references to one file."""
    return "[\n" + ",\n".join(papers) + "\n]\n" if ending == ".json" else "\n".join(papers)


def category_tags(entry: SurveyPaper) -> tuple[str, ...]:
    """Return `fieldguide:ID` for each category of the first facet, with the primary first.

    The prefix distinguishes the tags from the keywords of authors and librarians, so that users can
    delete them all. Fieldguide's readers skip them.
    """
    return tuple(f"{OWN_TAG}{category}" for category in entry.first.categories)


# BibTeX counts braces even after a backslash, so `\{` alone would unbalance an entry; and the text
# font of plain LaTeX has other characters in place of < > |. All are written as mathematics.
_MATHEMATICS = {"{": r"\lbrace", "}": r"\rbrace", "<": "<", ">": ">", "|": "|"}
_ESCAPES = {
    "\\": r"\textbackslash{}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip
# The last: characters that LaTeX joins with the next (-- to a dash, '' to a quotation mark).
_SPECIAL = re.compile(r"[{}<>|]+|[\\$&#%_^~]|-(?=-)|'(?=')|`(?=`)|,(?=,)|[!?](?=`)")
# CSL variable -> BibTeX field. The fields of venue and publisher depend on the kind.
_DETAILS = (
    ("volume", "volume"), ("issue", "number"), ("edition", "edition"),
    ("chapter-number", "chapter"), ("collection-title", "series"), ("publisher-place", "address"),
    ("ISBN", "isbn"), ("ISSN", "issn"), ("PMID", "pmid"), ("PMCID", "pmcid"),
    ("language", "language"),
)  # fmt: skip
_DIVIDES = re.compile(r"^\\|[,\[\]()]|\band\b", re.IGNORECASE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def bibtex_entry(
    paper: Paper,
    key: str,
    aliases: Sequence[str] = (),
    tags: Sequence[str] = (),
    *,
    abstract: bool = False,
) -> str:
    """Return the BibTeX entry of a paper; fields that no source states are omitted.

    aliases: other ids of the paper, whose keys BibLaTeX reads in `ids`. tags: additional keywords.
    abstract: whether to include the abstract. The kind is `misc` if no source states it.
    """
    cited = make_citation(paper)
    ids = dict.fromkeys(map(slug_of, (paper.id, *aliases)))
    fields = _bibtex_fields(
        cited, [*cited.keywords, *tags], [other for other in ids if other != key]
    )
    fields += (
        [("abstract", put_in_braces(escape_latex(abstract_of_authors(paper))))] if abstract else []
    )
    lines = "".join(f"  {name} = {value},\n" for name, value in fields if value)
    return f"@{cited.kind.bibtex}{{{key},\n{lines}}}\n"


def escape_latex(text: str) -> str:
    r"""Escape LaTeX's special characters in a text.

    >>> escape_latex("50% of R&D_x <{}>")
    '50\\% of R\\&D\\_x $<\\lbrace\\rbrace>$'
    """
    return _SPECIAL.sub(_escape_character, text)


def author_field(names: Sequence[Name], *, has_more: bool = False) -> str:
    """Return names as a BibTeX field: `Family, Given`; groups are in braces."""
    authors = [_bibtex_author(name) for name in names]
    return " and ".join([*authors, "others"] if authors and has_more else authors)


def put_in_braces(text: str) -> str:
    """Return text in braces; "" if the text is ""."""
    return f"{{{text}}}" if text else ""


def _escape_character(match: re.Match[str]) -> str:
    """Escape a matched character."""
    found = match.group()
    if found[0] in _MATHEMATICS:
        return f"${''.join(map(_MATHEMATICS.__getitem__, found))}$"
    return _ESCAPES.get(found) or found + "{}"


def _bibtex_fields(
    reference: Citation, keywords: Sequence[str], further_keys: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the BibTeX fields of a reference."""
    kind, details = reference.kind, reference.details
    year, month, day = (*reference.date.split("-"), "", "")[:3]
    return [
        ("title", put_in_braces(put_in_braces(escape_latex(reference.title)))),
        (
            "author",
            put_in_braces(author_field(reference.authors, has_more=reference.has_more_authors)),
        ),
        ("editor", put_in_braces(author_field(reference.editors))),
        (kind.organisation, put_in_braces(escape_latex(reference.organisation))),
        ("year", put_in_braces(year)),
        ("month", _MONTHS[int(month) - 1] if month else ""),
        ("day", put_in_braces(day.removeprefix("0"))),
        (kind.venue, put_in_braces(escape_latex(reference.venue))),
        (kind.issuer, put_in_braces(escape_latex(details.get("publisher", "")))),
        *(
            (field, put_in_braces(escape_latex(details[name])))
            for name, field in _DETAILS
            if name in details
        ),
        ("pages", put_in_braces(_bibtex_pages(details["page"])) if "page" in details else ""),
        ("eprint", put_in_braces(reference.arxiv_id)),
        ("archiveprefix", "{arXiv}" if reference.arxiv_id else ""),
        ("doi", put_in_braces(_clean_address(reference.doi))),
        ("url", put_in_braces(_clean_address(reference.url))),
        ("keywords", put_in_braces(escape_latex(", ".join(keywords)))),
        ("groups", put_in_braces(escape_latex(", ".join(reference.collections)))),
        ("note", put_in_braces(reference.note)),
        ("ids", put_in_braces(", ".join(further_keys))),
    ]


def _bibtex_pages(text: str) -> str:
    """Return pages with BibTeX's dash between the first and the last page.

    >>> _bibtex_pages("12-34"), _bibtex_pages("e7"), _bibtex_pages("1–3, 9")
    ('12--34', 'e7', '1--3, 9')
    """
    return "--".join(map(escape_latex, re.split(r"\s*[-\u2013\u2014]+\s*", text)))


def _bibtex_author(name: Name) -> str:
    """Return a name for BibTeX."""
    if not name.given:
        return put_in_braces(escape_latex(name.family))
    return f"{_protect_name_part(name.family)}, {_protect_name_part(name.given)}"


def _protect_name_part(part: str) -> str:
    """Return part of a name, in braces if BibTeX would split it.

    natbib would split it at a bracket, because its labels contain names in brackets.
    """
    escaped = escape_latex(part)
    return put_in_braces(escaped) if _DIVIDES.search(escaped) else escaped


def _clean_address(address: str) -> str:
    """Return an address without braces and backslashes, which would make the entry invalid.

    Nothing else is escaped, because LaTeX packages and reference managers read addresses verbatim.
    """
    return address.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")


_FIRST = ("id", "type", "title", "author")
"""The first variables of an item."""


def csl_item(
    paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False
) -> dict[str, object]:
    """Return the CSL item of a paper; fields that no source states are omitted.

    tags: additional keywords. abstract: whether to include the abstract. The type is `article`,
    CSL's term for a preprint, if no source states it.
    """
    cited = make_citation(paper)
    parts = [int(part) for part in cited.date.split("-") if part]
    item: dict[str, object] = {
        "number": f"arXiv:{cited.arxiv_id}" if cited.arxiv_id else "",
        **cited.details,
        "id": key,
        "type": cited.details.get("type") or "article",
        "title": cited.title,
        "author": [_csl_author(name) for name in cited.authors],
        "editor": [_csl_author(name) for name in cited.editors],
        "publisher": cited.publisher,
        "issued": {"date-parts": [parts]} if parts else {},
        "container-title": cited.venue,
        "DOI": cited.doi,
        "URL": cited.url,
        "keyword": ", ".join([*cited.keywords, *tags]),
        "note": cited.note,
        "abstract": abstract_of_authors(paper) if abstract else "",
    }
    return {field: item[field] for field in (*_FIRST, *item) if item.get(field)}


def _csl_author(name: Name) -> dict[str, str]:
    """Return a name for CSL."""
    if not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given}


def ris_record(paper: Paper, key: str, tags: Sequence[str] = (), *, abstract: bool = False) -> str:
    """Return the RIS record of a paper; fields that no source states are omitted.

    tags: additional keywords. abstract: whether to include the abstract. The type is `GEN` if no
    source states it.
    """
    cited = make_citation(paper)
    details = cited.details
    # YYYY/MM/DD/ with unknown parts empty.
    date = (
        f"{cited.date.replace('-', '/')}{'/' * (3 - cited.date.count('-'))}" if cited.date else ""
    )
    first, _, last = details.get("page", "").replace("\u2013", "-").partition("-")
    fields = [
        ("TY", cited.kind.ris),
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
        ("AB", abstract_of_authors(paper) if abstract else ""),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in fields if value) + "ER  - \n"

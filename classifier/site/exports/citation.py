"""The fields of a reference, which all formats use, and the reference of the survey itself.

A field is empty if no source states it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from unicodedata import category

from classifier.papers.names import Name, split_name
from classifier.papers.paper import Paper
from classifier.site.paths import web_address
from classifier.survey.entry import slug_of
from classifier.survey.references import newest_signature, survey_bibtex
from classifier.survey.survey import Survey

_MAX_CITED_AUTHORS = 30


@dataclass(frozen=True, slots=True)
class Citation:
    """The fields of a reference."""

    title: str
    authors: tuple[Name, ...]
    has_more_authors: bool
    """Whether the source lists only some authors: it counts more, or ends with “and others”."""
    organisation: str
    date: str
    """`2025-10-15`, `2025-10` or `2025`."""
    venue: str
    arxiv_id: str
    doi: str
    url: str
    """An http or https address."""
    note: str
    """A retraction and missing fields, such as `incomplete: no authors; no date`, or ""."""
    keywords: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    """The further data of `Paper.reference`: texts by CSL variable."""

    @property
    def kind(self) -> Kind:
        """The kind of publication; `misc` and `GEN` for preprints and unknown kinds."""
        return _KINDS.get(self.details.get("type", ""), _OTHER)

    @property
    def publisher(self) -> str:
        """The publisher; if no source states it, the organisation."""
        return self.details.get("publisher", "") or self.organisation

    @property
    def editors(self) -> tuple[Name, ...]:
        """The editors of the volume."""
        stated = self.details.get("editor", "")
        return parse_names(stated.split(";")) if stated else ()


@lru_cache(maxsize=2**14)  # Every format and the page of the paper need it.
def make_citation(paper: Paper) -> Citation:
    """Return the citation of a paper."""
    authors = parse_names(paper.authors)
    return Citation(
        title=one_line(paper.title_marked),
        authors=authors,
        has_more_authors=paper.has_more_authors,
        organisation=one_line(paper.organisation),
        date=paper.published.date,
        venue=one_line(paper.venue),
        arxiv_id=paper.arxiv_id,
        doi=paper.doi,
        url=web_address(paper.link),
        note=_reference_note(paper, len(authors)),
        keywords=_lines(paper.keywords),
        collections=_lines(paper.collections),
        details={name: one_line(text) for name, text in paper.reference},
    )


def _reference_note(paper: Paper, n_authors: int) -> str:
    """Return the note in a reference: a retraction, and missing fields."""
    retracted = f"Retracted (source: {paper.retracted})." if paper.retracted else ""
    return " ".join(filter(None, (retracted, _missing_fields_note(paper, n_authors))))


def highwire_tags(paper: Paper) -> list[tuple[str, str]]:
    """Return the `citation_*` tags (name, content) for Google Scholar and Zotero."""
    cited = make_citation(paper)
    is_pdf = cited.url.lower().endswith(".pdf")
    pdf = f"https://arxiv.org/pdf/{cited.arxiv_id}" if cited.arxiv_id else cited.url * is_pdf
    tags = [
        ("title", cited.title),
        *(("author", str(name)) for name in cited.authors[:_MAX_CITED_AUTHORS]),
        ("publication_date", cited.date.replace("-", "/")),
        ("arxiv_id", cited.arxiv_id),
        ("doi", cited.doi),
        ("abstract_html_url", cited.url),
        ("pdf_url", pdf),
    ]
    return [(f"citation_{name}", content) for name, content in tags if content]


def with_limited_authors(paper: Paper) -> Paper:
    """Return the paper with at most 30 authors, as it is cited in texts."""
    if len(paper.authors) <= _MAX_CITED_AUTHORS:
        return paper
    count = max(len(paper.authors), paper.author_count or 0)
    return replace(paper, authors=paper.authors[:_MAX_CITED_AUTHORS], author_count=count)


def abstract_of_authors(paper: Paper) -> str:
    """Return the authors' abstract on one line; "" for a digest, which other people wrote."""
    return one_line(paper.abstract_display) if paper.abstract_kind == "abstract" else ""


def parse_names(texts: Iterable[str]) -> tuple[Name, ...]:
    """Parse names; texts that contain no name are omitted."""
    parsed = (split_name(one_line(text)) for text in texts)
    return tuple(name for name in parsed if name.family)


def one_line(text: str) -> str:
    r"""Return text with single blanks and without unprintable characters.

    >>> one_line("Crows\n  of \x07May")
    'Crows of May'
    """
    if not text.isprintable():
        text = "".join(c for c in text if c.isspace() or not category(c).startswith("C"))
    return " ".join(text.split())


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that are not empty, each on one line."""
    return tuple(line for line in map(one_line, texts) if line)


def _missing_fields_note(paper: Paper, n_authors: int) -> str:
    """Return which fields are missing in a reference, or ""."""
    missing = []
    if (paper.author_count or 0) > n_authors:
        missing.append(f"{n_authors} of {paper.author_count} authors")
    elif not n_authors:
        missing.append("no authors")
    elif paper.has_more_authors:
        missing.append("not all authors")
    if not paper.published.date:
        missing.append("no date")
    if not web_address(paper.link):
        missing.append("no address")
    return f"incomplete: {'; '.join(missing)}" if missing else ""


# Keys that BibTeX, BibLaTeX, \cite and all reference managers accept.
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._/+-]{0,79}")


def cite_keys(papers: Sequence[Paper]) -> dict[str, str]:
    """Return the cite keys of papers by paper id.

    papers: all papers of the survey, not a selection. A paper keeps the key from the user's file,
    which existing texts may cite, if the key is valid and unique; BibTeX ignores case. All other
    papers get their id, as in the address of their page, as key. A key of author, year and title
    would be easier to read, but would change with metadata.
    """
    keys = {paper.id: slug_of(paper.id) for paper in papers}
    own = {paper.id: paper.detail("citation-key") for paper in papers}
    uses = Counter(key.lower() for key in (*own.values(), *keys.values()))

    def is_free(user_key: str, id_key: str) -> bool:
        """Return whether a key is valid and no other paper uses it."""
        own_uses = 1 + (user_key.lower() == id_key.lower())
        return bool(_KEY.fullmatch(user_key)) and uses[user_key.lower()] == own_uses

    return {
        paper_id: own[paper_id] if is_free(own[paper_id], key) else key
        for paper_id, key in keys.items()
    }


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of publication."""

    bibtex: str = "misc"
    ris: str = "GEN"
    venue: str = "howpublished"
    """BibTeX field of the venue."""
    issuer: str = "publisher"
    """BibTeX field of the publisher."""
    organisation: str = "institution"
    """BibTeX field of the organisation."""


_OTHER = Kind(organisation="organization")
_KINDS: Mapping[str, Kind] = {
    "article-journal": Kind("article", "JOUR", "journal"),
    "article-magazine": Kind("article", "MGZN", "journal"),
    "article-newspaper": Kind("article", "NEWS", "journal"),
    "book": Kind("book", "BOOK"),
    "chapter": Kind("incollection", "CHAP", "booktitle"),
    "dataset": Kind(ris="DATA", organisation="organization"),
    "paper-conference": Kind("inproceedings", "CONF", "booktitle"),
    "report": Kind("techreport", "RPRT", issuer="institution", organisation="organization"),
    "software": Kind(ris="COMP", organisation="organization"),
    "thesis": Kind("phdthesis", "THES", issuer="school", organisation="organization"),
    "webpage": Kind(ris="ELEC", organisation="organization"),
}


def how_to_cite(survey: Survey) -> Iterator[tuple[str, str]]:
    """Yield cite.bib and, if the survey has editors, CITATION.cff, as (path, text).

    Neither contains a date of publication, because no input states one.
    """
    yield "cite.bib", f"{survey_bibtex(survey)}\n"
    if survey.document.editors:
        yield "CITATION.cff", citation_cff(survey)


def citation_cff(survey: Survey) -> str:
    """Return the survey's Citation File (1.2.0, YAML)."""
    document, settings = survey.document, survey.taxonomy.survey
    signed = newest_signature(survey)
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this survey or its labels, please cite it as below.",
        "type: dataset",
        f"title: {_json_string(one_line(document.title))}",
        "authors:",
        *(line for name in document.editors for line in _cff_author(split_name(one_line(name)))),
        f"version: {_json_string(document.version)}",
        *([f"# Its newest decision or claim is of {signed}."] if signed else []),
        *([f"license: {_json_string(settings.licence_id)}"] if settings.licence_id else []),
        *([f"url: {_json_string(settings.base_url)}"] if settings.base_url else []),
        *([f"repository-code: {_json_string(settings.repository)}"] if settings.repository else []),
    ]
    return "\n".join(lines) + "\n"


def _cff_author(name: Name) -> list[str]:
    """Return the YAML lines of an author."""
    if not name.given:
        return [f"  - name: {_json_string(name.family)}"]
    return [
        f"  - family-names: {_json_string(name.family)}",
        f"    given-names: {_json_string(name.given)}",
    ]


def _json_string(text: str) -> str:
    """Return text as a JSON string, which is also valid as a quoted YAML scalar."""
    return json.dumps(text, ensure_ascii=False)

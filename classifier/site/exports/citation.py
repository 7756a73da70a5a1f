"""The fields of a reference in any format; only what a source states.

And how the survey itself is cited.
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
    """The fields of a reference; one that no source states is "" or empty."""

    title: str
    authors: tuple[Name, ...]
    has_more_authors: bool
    """Whether the source has more authors than it names: it counts them, or says “and others”."""
    organisation: str
    date: str
    """`2025-10-15`, `2025-10` or `2025`."""
    venue: str
    arxiv_id: str
    doi: str
    url: str
    """An http or https address."""
    note: str
    """What is missing, such as `incomplete: no authors; no date`, or ""."""
    keywords: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    """What `Paper.reference` states: CSL variable -> text."""

    @property
    def kind(self) -> Kind:
        """Its kind; what no source tells, a preprint too, is `misc` and `GEN`."""
        return _KINDS.get(self.details.get("type", ""), _OTHER)

    @property
    def publisher(self) -> str:
        """Who published it; where no source says, the organisation."""
        return self.details.get("publisher", "") or self.organisation

    @property
    def editors(self) -> tuple[Name, ...]:
        """The editors of its volume."""
        stated = self.details.get("editor", "")
        return names(stated.split(";")) if stated else ()


@lru_cache(maxsize=2**14)  # every format and the head of the page ask for the same
def citation(paper: Paper) -> Citation:
    """Return the reference of a paper."""
    authors = names(paper.authors)
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
        note=_note(paper, len(authors)),
        keywords=_lines(paper.keywords),
        collections=_lines(paper.collections),
        details={name: one_line(text) for name, text in paper.reference},
    )


def _note(paper: Paper, n_authors: int) -> str:
    """Return what a reference notes: a retraction, authors that are missing."""
    retracted = f"Retracted (source: {paper.retracted})." if paper.retracted else ""
    return " ".join(filter(None, (retracted, _incomplete(paper, n_authors))))


def highwire(paper: Paper) -> list[tuple[str, str]]:
    """Return the tags that Google Scholar and Zotero read; an author each, dates with slashes."""
    cited = citation(paper)
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
    """Return the paper as a text cites it: of hundreds of authors the first, "and others"."""
    if len(paper.authors) <= _MAX_CITED_AUTHORS:
        return paper
    count = max(len(paper.authors), paper.author_count or 0)
    return replace(paper, authors=paper.authors[:_MAX_CITED_AUTHORS], author_count=count)


def own_abstract(paper: Paper) -> str:
    """Return the authors' abstract on one line; a digest is the editors', and no reference's."""
    return one_line(paper.abstract_display) if paper.abstract_kind == "abstract" else ""


def names(texts: Iterable[str]) -> tuple[Name, ...]:
    """Return parsed names; text without a name is left out."""
    parsed = (split_name(one_line(text)) for text in texts)
    return tuple(name for name in parsed if name.family)


def one_line(text: str) -> str:
    r"""Return text with single blanks and without characters that cannot be printed.

    >>> one_line("Crows\n  of \x07May")
    'Crows of May'
    """
    if not text.isprintable():
        text = "".join(c for c in text if c.isspace() or not category(c).startswith("C"))
    return " ".join(text.split())


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for line in map(one_line, texts) if line)


def _incomplete(paper: Paper, named: int) -> str:
    missing = []
    if (paper.author_count or 0) > named:
        missing.append(f"{named} of {paper.author_count} authors")
    elif not named:
        missing.append("no authors")
    elif paper.has_more_authors:
        missing.append("not all authors")
    if not paper.published.date:
        missing.append("no date")
    if not web_address(paper.link):
        missing.append("no address")
    return f"incomplete: {'; '.join(missing)}" if missing else ""


# What BibTeX, BibLaTeX and \cite take, in every reference manager.
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._/+-]{0,79}")


def cite_keys(papers: Sequence[Paper]) -> dict[str, str]:
    """Return paper id -> cite key; `papers` are all of the survey, not a selection.

    The key under which a person's own file holds the paper is kept where it is one, and no other
    paper has it, in whatever case (BibTeX knows none): their texts cite it already. Any other paper
    goes by its id, as in the address of its page. A key of author, year and title reads better, but
    a date or an author that a source adds, or another paper that would have the same one, changes
    it in texts that cite it.
    """
    keys = {paper.id: slug_of(paper.id) for paper in papers}
    own = {paper.id: paper.detail("citation-key") for paper in papers}
    taken = Counter(key.lower() for key in (*own.values(), *keys.values()))

    def is_free(given: str, by_id: str) -> bool:
        uses = 1 + (given.lower() == by_id.lower())
        return bool(_KEY.fullmatch(given)) and taken[given.lower()] == uses

    return {
        paper_id: own[paper_id] if is_free(own[paper_id], key) else key
        for paper_id, key in keys.items()
    }


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of publication."""

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
    """Yield cite.bib, and CITATION.cff where the survey names its editors, whom that format wants.

    Each as path and text. Neither states when the survey was published: no input says so.
    """
    yield "cite.bib", f"{survey_bibtex(survey)}\n"
    if survey.document.editors:
        yield "CITATION.cff", citation_cff(survey)


def citation_cff(survey: Survey) -> str:
    """Return the survey as a Citation File (1.2.0, YAML)."""
    document, settings = survey.document, survey.taxonomy.survey
    signed = newest_signature(survey)
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this survey or its labels, please cite it as below.",
        "type: dataset",
        f"title: {_quoted(one_line(document.title))}",
        "authors:",
        *(line for name in document.editors for line in _cff_author(split_name(one_line(name)))),
        f"version: {_quoted(document.version)}",
        *([f"# Its newest decision or claim is of {signed}."] if signed else []),
        *([f"license: {_quoted(settings.licence_id)}"] if settings.licence_id else []),
        *([f"url: {_quoted(settings.base_url)}"] if settings.base_url else []),
        *([f"repository-code: {_quoted(settings.repository)}"] if settings.repository else []),
    ]
    return "\n".join(lines) + "\n"


def _cff_author(name: Name) -> list[str]:
    if not name.given:
        return [f"  - name: {_quoted(name.family)}"]
    return [
        f"  - family-names: {_quoted(name.family)}",
        f"    given-names: {_quoted(name.given)}",
    ]


def _quoted(text: str) -> str:
    """Return text as a YAML scalar in double quotes, of which JSON's are a part."""
    return json.dumps(text, ensure_ascii=False)

"""The record of a paper: its fields and their sources."""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import unquote

from classifier.text.clean import clean_abstract, clean_title
from classifier.text.normalise import title_id

Precision = Literal["day", "month", "year", "unknown"]
AbstractKind = Literal["abstract", "digest", "none"]


@dataclass(frozen=True, slots=True, order=True)
class Published:
    """A date, as precise as its source states it."""

    date: str = ""
    """ISO 8601 to the day, month or year: `2025-10-15`, `2025-10`, `2025`; "" if unknown."""

    @property
    def precision(self) -> Precision:
        """The smallest unit that is known."""
        return {10: "day", 7: "month", 4: "year"}.get(len(self.date), "unknown")  # type: ignore[return-value]

    @property
    def year(self) -> str:
        """The year as four digits, or ""."""
        return self.date[:4]

    @property
    def month(self) -> str:
        """Year and month, `2025-10`, or "" if the month is unknown."""
        return self.date[:7] if len(self.date) >= 7 else ""


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """The place of a record in the input."""

    file: str
    """The file, relative to the project (or as the user named it)."""
    format: str
    """The name of the reader, such as `daily-papers`."""
    line: int
    """1-based line on which the record starts."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper, or one record of a paper before merging.

    Texts are stored as read; `title_display` and similar properties return them cleaned.
    """

    title: str
    """As read; outputs have it unchanged."""
    id: str = ""
    """`arxiv:2401.10230`, `doi:10.…` or `p-` + ten hex digits; "" before `mint_id`."""
    abstract: str = ""
    abstract_kind: AbstractKind = "none"
    authors: tuple[str, ...] = ()
    author_count: int | None = None
    """Number of authors, or None if unknown; `len(authors)` if all are named."""
    organisation: str = ""
    published: Published = field(default_factory=Published)
    venue: str = ""
    arxiv_id: str = ""
    """Without prefix or version: `2401.10230`, `cs/0112017`."""
    doi: str = ""
    """Lower case, without resolver: `10.1000/182`."""
    url: str = ""
    code_urls: tuple[str, ...] = ()
    comment_count: int | None = None
    """Comments on the page that lists the paper."""
    keywords: tuple[str, ...] = ()
    """Keywords of authors and libraries: text for the classifier, never labels."""
    collections: tuple[str, ...] = ()
    """Earlier filing by people: headings of a list or folders of a library, the outer before the
    inner, such as `Benchmarks / GUI`."""
    reference: tuple[tuple[str, str], ...] = ()
    """Further bibliographic data as (CSL variable, value), sorted (`type`, `volume`, `issue`,
    `page`, `publisher`, `ISBN`, `ISSN`, `language`, `citation-key` …)."""
    retracted: str = ""
    """Source that reports a retraction: `Crossref, 10.1000/notice`, `title`; "" for none."""
    sources: tuple[Source, ...] = ()

    @property
    def title_display(self) -> str:
        """The title, cleaned for display."""
        return clean_title(self.title)

    @property
    def title_marked(self) -> str:
        """The cleaned title, with "RETRACTED: " in front if the paper was retracted."""
        return self.mark_if_retracted(self.title_display)

    def mark_if_retracted(self, name: str) -> str:
        """Return a name of the paper, with "RETRACTED: " in front if the paper was retracted."""
        is_unmarked = self.retracted and not is_retracted_title(name)
        return f"RETRACTED: {name}" if is_unmarked else name

    @property
    def has_more_authors(self) -> bool:
        """Whether there are more authors than the source names.

        This is the case if the count is larger than the list, or if the list ends with "and others"
        and there is no count.
        """
        n_listed = len(self.authors)
        return bool(n_listed) and (self.author_count is None or self.author_count > n_listed)

    @property
    def abstract_display(self) -> str:
        """The abstract or digest, cleaned for display."""
        return clean_abstract(self.abstract)

    @property
    def keywords_display(self) -> str:
        """The keywords, one per line."""
        return "\n".join(self.keywords)

    @property
    def full_text(self) -> str:
        """Title, abstract and keywords as one text."""
        text = f"{self.title_display}. {self.abstract_display}"
        return f"{text}\n{self.keywords_display}" if self.keywords else text

    def with_id(self, paper_id: str) -> Paper:
        """Return the paper with another id."""
        return replace(self, id=paper_id)

    def detail(self, variable: str) -> str:
        """Return the value of a CSL variable in `reference`, or ""."""
        return dict(self.reference).get(variable, "")

    @property
    def text_digest(self) -> str:
        """Hash of title, abstract and keywords as read (the input of labels): twelve hex digits."""
        text = "\n".join([self.title, self.abstract, *self.keywords])
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    @property
    def link(self) -> str:
        """URL of the paper, or "" if unknown.

        It is the URL of the source; if that is a record in a database for subscribers, it is the
        page of the arXiv id or DOI instead.
        """
        if self.url and not _DATABASE.match(self.url):
            return self.url
        if self.arxiv_id:
            return f"https://arxiv.org/abs/{self.arxiv_id}"
        return f"https://doi.org/{self.doi}" if self.doi else self.url


_DATABASE = re.compile(
    r"https?://(?:[^/]*[.-])?(?:proquest\.com|ebscohost\.com|embase\.com|scopus\.com|dimensions\.ai"
    r"|webof(?:science|knowledge)\.com|isiknowledge\.com|galegroup\.com|ovid\.com|consensus\.app"
    r"|[^/]*proxy[^/]*|ezp\.[^/]*|idm\.oclc\.org)(?:[:/?]|$)",
    re.IGNORECASE,
)
_ARXIV = re.compile(
    r"(?:arxiv\s*[:.]\s*|arxiv\.org/(?:abs|pdf|html)/|alphaxiv\.org/abs/|huggingface\.co/papers/|^)"
    r"(\d{4}\.\d{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?\b",
    re.IGNORECASE,
)
# A part of every arXiv id, for a fast first check.
_ARXIV_NUMBER = re.compile(r"\d{4}\.\d{4}|/\d{7}")
_ARXIV_DOI = re.compile(r"^10\.48550/arxiv\.(.+)$", re.IGNORECASE)
# The angle brackets of a SICI belong to a DOI: 10.1002/(SICI)1097(1998)17:15<16::AID-A1>3.0.CO;2-P.
_DOI = re.compile(
    r"\b(10\.\d{4,9}/[^\s\"<>]+(?:<[^\s\"<>]{1,60}>\d\.\d\.CO;2(?:-[\w#])?)?)", re.IGNORECASE
)
# The rest of a URL after a DOI, a second DOI after a comma, and the version of a preprint.
_QUERY = re.compile(r"[?&#]\w.*")
_VIEW = re.compile(
    r"/(?:full|fulltext|abstract|abs|e?pdf|html|meta)?$|\.(?:full|abstract|(?:full\.)?pdf)$"
)
_NEXT_DOI = re.compile(r"[,;|]+(?:https?://|doi:|10\.\d{4,9}/).*")
_VERSION = re.compile(r"^(10\.1101/.*\d)v\d+$")
_PUNCTUATION = ".,;:…。，；、'’”"
_OPENING = {")": "(", "]": "[", "}": "{"}


def clean_arxiv_id(text: str) -> str:
    """Return the arXiv id (without version) in an id, a URL or an arXiv DOI; "" if there is none.

    >>> clean_arxiv_id("https://arxiv.org/pdf/2401.10230v2")
    '2401.10230'
    """
    if not _ARXIV_NUMBER.search(text):
        return ""
    text = text.strip()
    from_doi = _ARXIV_DOI.match(text)
    match = _ARXIV.search(from_doi.group(1) if from_doi else text)
    return _restore_case(match.group(1)) if match else ""


def _restore_case(old_id: str) -> str:
    """Return an id from before 2007 with the capital letters of arXiv: `hep-th/…`, `math.GT/…`."""
    archive, slash, number = old_id.partition("/")
    name, dot, subject = archive.partition(".")
    return f"{name.lower()}{dot}{subject.upper()}/{number}" if slash else old_id


def clean_doi(text: str) -> str:
    """Return the DOI in `text`, in lower case and without resolver, or "".

    >>> clean_doi("https://doi.org/10.1000/ABC.")
    '10.1000/abc'
    >>> clean_doi("https://onlinelibrary.wiley.com/doi/10.1002/abc/full?casa_token=1")
    '10.1002/abc'
    """
    if "%" in text:  # as part of an URL: 10.1016%2Fj.oven
        text = unquote(text)
    match = _DOI.search(html.unescape(text) if "&" in text else text)
    if not match:
        return ""
    # Invisible characters were copied by mistake: a soft hyphen or an escape code.
    doi = _NEXT_DOI.sub("", "".join(filter(str.isprintable, match[1])).lower())
    if "/" in match.string[: match.start()]:  # a URL
        doi = _VERSION.sub(r"\1", _VIEW.sub("", _QUERY.sub("", doi)))
    doi = doi.rstrip(_PUNCTUATION)
    while doi.count(doi[-1]) > doi.count(_OPENING.get(doi[-1], doi[-1])):
        doi = doi[:-1].rstrip(_PUNCTUATION)
    return doi if _DOI.fullmatch(doi) else ""


def ids_in(text: str) -> list[str]:
    """Return Fieldguide's ids for an arXiv id, a DOI or a URL."""
    arxiv_id, doi = clean_arxiv_id(text), clean_doi(text)
    return [f"arxiv:{arxiv_id}"] * bool(arxiv_id) + [f"doi:{doi}"] * bool(doi)


_RETRACTED = re.compile(
    r"^\W*retracted(?:\s+(?:article|paper|chapter))?\s*[:\])]|\(retracted(?:\s+article)?\s*[.:)]",
    re.IGNORECASE,
)


def is_retracted_title(title: str) -> bool:
    """Return whether a title marks its paper as retracted; titles of retraction notices do not.

    >>> is_retracted_title("RETRACTED: Bread in space"), is_retracted_title("Retraction: Bread")
    (True, False)
    """
    return bool(_RETRACTED.search(title))


def mint_id(paper: Paper) -> str:
    """Return a new id for a paper: its arXiv id, else its DOI, else a hash of its title."""
    if paper.arxiv_id:
        return f"arxiv:{paper.arxiv_id}"
    return f"doi:{paper.doi}" if paper.doi else title_id(paper.title)


_ID = re.compile(
    r"arxiv:(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})|doi:10\.\d{4,9}/\S+|p-[0-9a-f]{10}"
)


def is_well_formed_id(text: str) -> bool:
    r"""Return whether `text` has one of the three forms of Fieldguide's ids.

    >>> is_well_formed_id("doi:10.1000/182"), is_well_formed_id("doi:10.1000/18\u200b2")
    (True, False)
    """
    return bool(_ID.fullmatch(text)) and text.isprintable()

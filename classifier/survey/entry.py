"""The record of one paper in the survey, its order and its file name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b

from classifier.labelling.labels import FacetLabels, PaperLabels, Status
from classifier.papers.paper import Paper
from classifier.review.acts import Act
from classifier.review.lock import NO_HISTORY, History
from classifier.survey.code_release import Artifact, code_statement, released_artifacts
from classifier.taxonomy.columns import Values
from classifier.text.normalise import tokens
from classifier.text.result import Result, headline
from classifier.text.result_words import stated_text
from classifier.text.roles import RoledSentence, contribution_sentence

_NOT_CODE = re.compile(r"^https?://huggingface\.co/(?!spaces/)|/awesome-", re.IGNORECASE)


def is_code(url: str) -> bool:
    """Return whether a URL leads to code, and not to models, data or a list of papers."""
    return not _NOT_CODE.search(url)


@dataclass(frozen=True)
class SurveyPaper:
    """A paper in the survey: its data, its labels, and what was found in its text."""

    paper: Paper
    labels: PaperLabels
    number: int
    """Number in the reference list, from 1."""
    first: FacetLabels
    """Labels in the first facet."""
    sentences: tuple[RoledSentence, ...]
    """Sentences of the abstract or digest (display form) with their roles."""
    names: Mapping[str, tuple[str, ...]]
    """Names in the text by lexicon, in the order of the lexicon."""
    remark: Act | None = None
    """The remark of the editors that is printed with the paper."""
    key: Act | None = None
    """The editors' decision that makes it a key paper; None for other papers."""
    aliases: tuple[str, ...] = ()
    """Other ids of the paper, sorted; decisions and links with these ids are about it."""
    results: tuple[Result, ...] = ()
    """Numbers in the text that state an outcome, in text order."""
    unsolved: Mapping[str, RoledSentence] = field(default_factory=dict)
    """Sentence that states an open problem, by problem."""
    values: Values = field(default_factory=dict)
    """Values by typed column: those that a person typed, else those of the text."""
    has_namesake: bool = False
    """Whether another paper of the survey has the same short name."""
    history: History = NO_HISTORY
    """Its dated changes, as far as the lock records them."""

    @property
    def slug(self) -> str:
        """File name of the paper's page, without ending: `arxiv-2401.10230`."""
        return slug_of(self.paper.id)

    @cached_property
    def contribution(self) -> str:
        """The sentence that states what the paper does; "" if it has no text."""
        return contribution_sentence(self.sentences)

    @property
    def code_url(self) -> str:
        """The first URL of the paper's code, or ""."""
        return next(filter(is_code, self.paper.code_urls), "")

    @cached_property
    def code(self) -> str:
        """The links in `linked`; if there is no link to code, the sentence of `code_statement`."""
        return "linked" if self.code_url else code_statement(self.sentences)

    @cached_property
    def released(self) -> tuple[Artifact, ...]:
        """The models and data that the text releases or announces."""
        return released_artifacts(self.sentences)

    @cached_property
    def result(self) -> str:
        """The first sentence with a numeric result of the paper itself, or ""."""
        return next((result.sentence.text for result in headline(self.results)), "")

    @cached_property
    def headline(self) -> str:
        """Headline results as the text of a table cell (`+12.3 % on OSWorld`), or "".

        Consecutive results on one benchmark name it only once: `51 %; 34.4 % on OSWorld`.
        """
        results = headline(self.results)
        texts = [stated_text(result) for result in results]
        for position in range(len(results) - 1):
            benchmark = results[position].benchmark
            if benchmark == results[position + 1].benchmark:
                texts[position] = texts[position].removesuffix(f" on {benchmark}")
        return "; ".join(texts)


@dataclass(frozen=True, slots=True)
class LeftOutPaper:
    """A paper that the editors left out of the survey; the classifier still labels it."""

    paper: Paper
    status: Status
    """Status of its labels in the first facet."""
    act: Act
    """The decision to leave it out, with reason and reviewer."""


# Ids with a slug of their own. The slug of any other id ends with a hash; otherwise `10.1/a_b` and
# `10.1/a-b` would have the same page.
_UNAMBIGUOUS = re.compile(
    r"p-[0-9a-z]+|arxiv:(?:[0-9.]+|[A-Za-z.-]+/[0-9]+)"
    r"|doi:10\.[0-9]+/[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*"
)
# File names are limited to 255 bytes, and paths on some systems to little more.
_MAX_SLUG = 120


def slug_of(paper_id: str) -> str:
    """Return a unique file name for an id, made of letters, digits, dots and hyphens."""
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", paper_id).strip("-.").replace("..", ".")
    if _UNAMBIGUOUS.fullmatch(paper_id) and len(slug) <= _MAX_SLUG:
        return slug
    slug = slug[:_MAX_SLUG].rstrip("-.")
    return f"{slug}-{blake2b(paper_id.encode(), digest_size=4).hexdigest()}".lstrip("-")


_COMPARED_CHARACTERS = 120
"""Number of first characters that are compared, because a preprint may end differently."""


def drop_repeated_contributions(entries: Sequence[SurveyPaper]) -> tuple[SurveyPaper, ...]:
    """Ensure that no two papers have the same contribution.

    Two records with one abstract are an article and its preprint, or one of them has the wrong
    abstract. The paper whose title shares most words with the contribution keeps it; in the other
    papers, no sentence is marked as the contribution.
    """
    groups: dict[str, list[SurveyPaper]] = {}
    for entry in entries:
        groups.setdefault(entry.contribution[:_COMPARED_CHARACTERS], []).append(entry)
    dropped: set[int] = set()
    for contribution, group in groups.items():
        if contribution:
            best = max(group, key=lambda each: (_n_shared_words(each, contribution), -each.number))
            dropped |= {entry.number for entry in group if entry is not best}
    return tuple(
        _without_contribution(entry) if entry.number in dropped else entry for entry in entries
    )


def _n_shared_words(entry: SurveyPaper, text: str) -> int:
    """Return the number of distinct words that are in both a text and the paper's title."""
    return len({*tokens(entry.paper.title_display)} & {*tokens(text)})


def _without_contribution(entry: SurveyPaper) -> SurveyPaper:
    """Return the paper without a sentence that is marked as its contribution."""
    sentences = tuple(replace(sentence, main=False) for sentence in entry.sentences)
    return replace(entry, sentences=sentences)


def date_keys(entries: Iterable[SurveyPaper]) -> dict[str, tuple[str, str]]:
    """Return a sort key for the date of each paper, by paper id: date, and arXiv number or "".

    If a date is known to the month only, the paper gets the day of the paper with the next smaller
    arXiv number in that month, because arXiv numbers are sequential.
    """
    order: dict[str, tuple[str, str]] = {}
    days: dict[str, str] = {}
    for paper in sorted((entry.paper for entry in entries), key=lambda paper: paper.arxiv_id):
        date, number = paper.published.date, paper.arxiv_id
        month = f"{date[2:4]}{date[5:7]}."
        if not number.startswith(month):
            number = ""
        elif len(date) == len("2024-01"):
            date = days.get(month, date)
        else:
            days[month] = date
        order[paper.id] = date, number
    return order

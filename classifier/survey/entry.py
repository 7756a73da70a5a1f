"""A paper of the survey, with everything that is said of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Literal

from classifier.labelling.labels import FacetLabels, PaperLabels, Status
from classifier.papers.paper import Paper
from classifier.review.acts import Act
from classifier.taxonomy.columns import Values
from classifier.text.normalise import tokens
from classifier.text.result import Result, headline
from classifier.text.roles import RoledSentence, contribution_sentence

_NO_CODE = re.compile(r"^https?://huggingface\.co/(?!spaces/)|/awesome-", re.IGNORECASE)


def is_code(url: str) -> bool:
    """Say whether an address is that of code: models, data and lists of papers are none."""
    return not _NO_CODE.search(url)


@dataclass(frozen=True)
class SurveyPaper:
    """One paper of the survey with everything that is said of it."""

    paper: Paper
    labels: PaperLabels
    number: int
    """Its number in the reference list, from 1."""
    first: FacetLabels
    """Its labels in the first facet."""
    sentences: tuple[RoledSentence, ...]
    """The sentences of its abstract or digest (display form) with their roles."""
    names: Mapping[str, tuple[str, ...]]
    """Lexicon -> names of it that the text holds, in order of the lexicon."""
    remark: Act | None = None
    """What the editors publish beside it."""
    key: Act | None = None
    """By whom it is marked as a key paper, if it is one."""
    aliases: tuple[str, ...] = ()
    """Its other ids, sorted: decisions and links under them mean this paper."""
    results: tuple[Result, ...] = ()
    """The numbers in its text that state an outcome, in the order of the text."""
    unsolved: Mapping[str, RoledSentence] = field(default_factory=dict)
    """What it says is unsolved: problem -> the sentence that states it."""
    values: Values = field(default_factory=dict)
    """Typed column -> its values; those that a person typed go before those of the text."""
    has_namesake: bool = False
    """Whether another paper of the survey has the same short name."""

    @property
    def slug(self) -> str:
        """File name of its page, without ending: `arxiv-2401.10230`."""
        return slug_of(self.paper.id)

    @cached_property
    def contribution(self) -> str:
        """The sentence that states what the paper does, or "" where no text is known."""
        return contribution_sentence(self.sentences)

    @property
    def code_url(self) -> str:
        """The first address of its code, or ""."""
        return next(filter(is_code, self.paper.code_urls), "")

    @cached_property
    def code(self) -> str:
        """`linked`, what its text says of code without a link (see `code_statement`), or ""."""
        return "linked" if self.code_url else code_statement(self.sentences)

    @cached_property
    def released(self) -> tuple[Artifact, ...]:
        """What beside code its text says is released, or will be."""
        return released(self.sentences)

    @cached_property
    def result(self) -> str:
        """The first sentence that states an outcome of its own as a number, or ""."""
        return next((item.sentence.text for item in headline(self.results)), "")

    @cached_property
    def headline(self) -> str:
        """Its headline results as a cell shows them, `+12.3 % on OSWorld`, or "".

        What is said of one benchmark names it once: `51 %; 34.4 % on OSWorld`.
        """
        shown = headline(self.results)
        named = [
            item.short.removesuffix(f" on {item.benchmark}")
            if item.benchmark == behind.benchmark
            else item.short
            for item, behind in itertools.pairwise(shown)
        ]
        return "; ".join([*named, *(item.short for item in shown[-1:])])


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A paper that the editors left out of the survey; it stays known, and keeps its labels."""

    paper: Paper
    status: Status
    """Of its labels in the first facet."""
    act: Act
    """The reason, and who gave it."""


# Ids that their slug tells apart. Any other gets a hash of the id behind it, or `10.1/a_b` and
# `10.1/a-b` would share one page.
_DISTINCT = re.compile(
    r"p-[0-9a-z]+|arxiv:(?:[0-9.]+|[A-Za-z.-]+/[0-9]+)"
    r"|doi:10\.[0-9]+/[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*"
)
# Names of files hold 255 bytes, and some systems' paths little more; a DOI may be of any length.
_MAX_SLUG = 120


def slug_of(paper_id: str) -> str:
    """Return a file name for an id: letters, digits, dots and hyphens, nothing that is a path.

    Two ids never have the same.
    """
    slug = re.sub(r"[^A-Za-z0-9.]+", "-", paper_id).strip("-.").replace("..", ".")
    if _DISTINCT.fullmatch(paper_id) and len(slug) <= _MAX_SLUG:
        return slug
    slug = slug[:_MAX_SLUG].rstrip("-.")
    return f"{slug}-{blake2b(paper_id.encode(), digest_size=4).hexdigest()}".lstrip("-")


_ALIKE = 120
"""Signs: a preprint says what it does in the words of the article, and ends them otherwise."""


def drop_repeated_contributions(entries: Sequence[SurveyPaper]) -> tuple[SurveyPaper, ...]:
    """Return the papers, no two of which say the same of what they do, or begin it alike.

    Two records with one abstract are a paper and its preprint, or one of them has the wrong
    abstract: it says what the paper does whose title has most of its words.
    """
    saying: dict[str, list[SurveyPaper]] = {}
    for entry in entries:
        saying.setdefault(entry.contribution[:_ALIKE], []).append(entry)
    silent = {
        entry.number
        for words, same in saying.items()
        if words and len(same) > 1
        for entry in same
        if entry is not max(same, key=lambda each: (_shared(each, words), -each.number))
    }
    return tuple(
        replace(entry, sentences=tuple(replace(each, main=False) for each in entry.sentences))
        if entry.number in silent
        else entry
        for entry in entries
    )


def _shared(entry: SurveyPaper, words: str) -> int:
    return len({*tokens(entry.paper.title_display)} & {*tokens(words)})


def date_order(entries: Iterable[SurveyPaper]) -> dict[str, tuple[str, str]]:
    """Return paper id -> (date, arXiv number of that month or ""), by which papers are ordered.

    arXiv numbers are sequential: a paper dated to the month stands at the day that the next smaller
    number of the month states.
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


CodeStatement = Literal["said to be released", "said to follow", ""]
Artifact = Literal["models", "data"]

# "Code generation", "tool use" and "a repository of papers" are other things.
_CODE = re.compile(
    r"\b(?:code(?:base)?|implementation|software|frameworks?|toolkits?|tools?|library|libraries"
    r"|platform|repository|scripts?|pipelines?|packages?|harness|environments|interfaces"
    r"|ecosystem)\b"
    r"(?=[^\w\s]|$|\s*https?:|\s(?:and|or|for|is|are|was|were|will|has|have|can|to|at|on|in|with"
    r"|as|from|available|publicly|openly|that|which)\b)",
    re.IGNORECASE,
)
# "Open-source models fail" hands nothing out.
_RELEASED = re.compile(
    r"\b(?:is|are|be|been|being|was|were|made) (?:\w+ ){0,2}?"
    r"(?:released|open[- ]?sourced?|available|public|provided|linked|published|shared)\b"
    r"|\b(?:we|authors) (?:\w+ ){0,2}?(?:releas|open[- ]?sourc|provid|publish|shar|mak)"
    r"|\bcode (?:\w+ )?available\b|https?://",
    re.IGNORECASE,
)
# "Presents Oven, a lightweight and open-source framework"; not "Grounds Oven in Stove, an …".
_PRESENTED = (
    r"\b(?:presents?|introduces?|proposes?|describes?|releases?|develops?)\s"
    r"(?:[^;]{0,200}?(?:,|\band|\bwith)\s)?(?:an?|the)\s"
    r"(?:(?:family|series) of )?(?:(?!from|of|on|in|to)[\w-]+\s){0,3}?open[- ]?sourced?\s"
    r"(?:[\w-]+\s){0,3}?"
)
_PRESENTED_CODE = re.compile(
    _PRESENTED + r"(?:code(?:base)?|implementation|software|framework|toolkit|tool|library|platform"
    r"|pipeline|package|system|infrastructure|ecosystem|simulator)\b",
    re.IGNORECASE,
)
_PRESENTED_MODEL = re.compile(_PRESENTED + r"(?:models?|agent)\b(?! system)", re.IGNORECASE)
_TO_COME = re.compile(r"\b(?:will|plan\w*|soon|upon|to be)\b", re.IGNORECASE)


def code_statement(sentences: Iterable[RoledSentence]) -> CodeStatement:
    """Return what a text says of its code; models and data alone are no code.

    In its sentences on releases, or where it presents what it made as open source.
    """
    for item in sentences:
        words = item.words
        if item.role == "release" and _CODE.search(words) and _RELEASED.search(words):
            return "said to follow" if _TO_COME.search(words) else "said to be released"
        if item.role == "contribution" and _PRESENTED_CODE.search(words):
            return "said to be released"
    return ""


# "The code of the model is available" hands out no model.
_HANDED: dict[Artifact, re.Pattern[str]] = {
    "models": re.compile(
        r"(?<!for the )(?<!of the )\b(?:models?|weights|checkpoints?)\b"
        r"(?! (?:code|zoo|training))",
        re.IGNORECASE,
    ),
    "data": re.compile(
        r"(?<!for the )(?<!of the )\b(?:data(?:sets?)?|benchmarks?|corpus|corpora|trajectories)\b"
        r"(?! (?:code|collection|generation|pipelines?))",
        re.IGNORECASE,
    ),
}
_LIST_OF_PAPERS = re.compile(r"\b(?:collection|list) of\b.*\bpapers\b")


def released(sentences: Sequence[RoledSentence]) -> tuple[Artifact, ...]:
    """Return which of models and data a text says are released.

    In its sentences on releases; and models where it presents an open-source one.
    """
    said = [
        each.words
        for each in sentences
        if each.role == "release"
        and _RELEASED.search(each.words)
        and not _LIST_OF_PAPERS.search(each.words)
    ]
    handed = {name for name, words in _HANDED.items() if any(map(words.search, said))}
    if any(s.role == "contribution" and _PRESENTED_MODEL.search(s.words) for s in sentences):
        handed.add("models")
    return tuple(name for name in _HANDED if name in handed)

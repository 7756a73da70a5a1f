"""The record of one build, which sections, pages, exports and checks read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from classifier.evaluation.label_metrics import LabelMetrics
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.papers.load import Corpus
from classifier.survey.changes.compare import Changes, Move
from classifier.survey.document import Document
from classifier.survey.entry import LeftOut, SurveyPaper
from classifier.survey.facts import Facts, new_facts
from classifier.taxonomy.claims import Claims
from classifier.taxonomy.model import Category, Facet, Roles, Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

_SHARE_WITH_CODE = 0.05
"""Minimum share of papers with code; with fewer, the column would be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """One build: taxonomy, papers, labels, facts, and the document that is made of them.

    Sections are functions of it that are called before the document exists; pages, exports and
    checks read all of it.
    """

    taxonomy: Taxonomy
    """The taxonomy without its hidden facets."""
    whole_taxonomy: Taxonomy = field(default=None)  # type: ignore[assignment]  # as `taxonomy`
    """The taxonomy with its hidden facets, which are in the table and in exports."""
    entries: Sequence[SurveyPaper]
    """The papers of the survey, by reference number."""
    document: Document = field(default_factory=lambda: Document("", "", (), "", "", (), ()))
    """Empty while the sections are written."""
    facts: Facts = field(default=None)  # type: ignore[assignment]  # made of taxonomy and entries
    """Counts over the table of papers; facts are added while the document is written."""
    fact_values: Mapping[str, object] = field(default_factory=dict)
    """Fact id -> value when the document was complete: all printed numbers."""
    left_out: Sequence[LeftOut] = ()
    """Papers that the editors left out, by title; the survey has them nowhere else."""
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Paper id -> ids of related papers, the most similar first."""
    corpus: Corpus = field(default_factory=lambda: Corpus((), 0, (), (), (), {}))
    """The papers as read and merged, including those that the editors left out."""
    labels: Sequence[PaperLabels] = ()
    """The published labels, in the order of the corpus's papers."""
    version: str = ""
    """Hash of the data."""
    decisions: Decisions = field(default_factory=dict)
    """The current decisions."""
    quality: Sequence[tuple[str, str]] = ()
    """(sentence, metric) on the quality of the labels."""
    metrics: LabelMetrics = field(default_factory=LabelMetrics)
    """The quality of the labels, without hidden facets: the content of metrics.json."""
    editions: tuple[str, ...] = ()
    """Names of earlier editions, the last first."""
    changes: Changes | None = None
    """Changes since the baseline, else since the lock; None without both."""
    held: Sequence[Move] = ()
    """The labels that would change without the lock."""
    claims: Claims = field(default_factory=Claims)
    """Theses and claims of the editors, with the papers that they cite."""
    mentioned_by: Mapping[str, Sequence[SurveyPaper]] = field(default_factory=dict)
    """Paper id -> the other papers that mention it by name; see `papers_naming`."""
    _by_id: Mapping[str, SurveyPaper] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id = {
            known: entry for entry in self.entries for known in (*entry.aliases, entry.paper.id)
        }
        object.__setattr__(self, "_by_id", by_id)
        if self.whole_taxonomy is None:
            object.__setattr__(self, "whole_taxonomy", self.taxonomy)
        if self.facts is None:
            object.__setattr__(self, "facts", new_facts(self.whole_taxonomy, self.entries))

    @property
    def table(self) -> DataFrame:
        """The labelled papers, one row per paper in the order of the reference list."""
        return self.facts.table

    def filed_under(self, category: Category) -> Sequence[SurveyPaper]:
        """Return the papers whose primary is `category`."""
        return self.facts.select(filed=category.id).entries

    def with_category(self, category: Category) -> Sequence[SurveyPaper]:
        """Return the papers to which `category` applies, also those filed elsewhere."""
        return self.facts.select((self.first.id, category.id)).entries

    @property
    def roles(self) -> Roles:
        """The ids of the facet, categories and lexicons with a role of their own."""
        return self.taxonomy.roles

    @property
    def first(self) -> Facet:
        """The facet by which the survey is grouped."""
        return self.taxonomy.first

    @property
    def categories(self) -> list[Category]:
        """The top categories in the order of the survey: core, the others, out of scope."""
        return ordered_categories(self.taxonomy)

    @property
    def in_scope(self) -> list[Category]:
        """The top categories that are about the field, in the order of the taxonomy."""
        return [
            category for category in current(self.first.categories) if not category.out_of_scope
        ]

    @property
    def has_enough_code(self) -> bool:
        """Whether enough papers link code or state its release; in many fields few do."""
        return self.facts.number("papers.with_code") > _SHARE_WITH_CODE * len(self.entries)

    @property
    def has_results(self) -> bool:
        """Whether any paper states a numeric result."""
        return self.facts.number("papers.with_figure") > 0

    def paper(self, identifier: str) -> SurveyPaper | None:
        """Return the paper of an id or former id; None if the survey does not have it."""
        return self._by_id.get(identifier)


def ordered_categories(taxonomy: Taxonomy) -> list[Category]:
    """Return the top categories in the order of the survey: core, the others, out of scope."""
    used = current(taxonomy.first.categories)
    return sorted(used, key=lambda category: (category.out_of_scope, not category.core))


def current(categories: Sequence[Category]) -> list[Category]:
    """Return the categories that no other has replaced."""
    return [category for category in categories if not category.replaced_by]

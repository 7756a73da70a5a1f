"""The record of one build; sections, pages, exports and checks read from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from classifier.evaluation.label_metrics import LabelMetrics
from classifier.labelling.labels import Decisions, PaperLabels
from classifier.papers.load import Corpus
from classifier.survey.changes.compare import Changes, Move
from classifier.survey.document import Document
from classifier.survey.entry import LeftOutPaper, SurveyPaper
from classifier.survey.facts import Facts, new_facts
from classifier.taxonomy.claims import Claims
from classifier.taxonomy.model import Category, Facet, Roles, Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

_MIN_SHARE_WITH_CODE = 0.05
"""Minimum share of papers with code for a table to have a column on code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """One build: taxonomy, papers, labels, facts and the document.

    The functions that write sections get a survey whose document is still empty; pages, exports and
    checks get the complete survey.
    """

    taxonomy: Taxonomy
    """The taxonomy without its hidden facets."""
    whole_taxonomy: Taxonomy = field(default=None)  # type: ignore[assignment]  # as `taxonomy`
    """The taxonomy with its hidden facets, which the table and the exports contain."""
    entries: Sequence[SurveyPaper]
    """The papers of the survey, in the order of their reference numbers."""
    document: Document = field(default_factory=lambda: Document("", "", (), "", "", (), ()))
    """Empty while the sections are written."""
    facts: Facts = field(default=None)  # type: ignore[assignment]  # made of taxonomy and entries
    """The counts that the survey prints; the sections add to them."""
    fact_values: Mapping[str, object] = field(default_factory=dict)
    """Value of every number in the complete document, by fact id."""
    left_out: Sequence[LeftOutPaper] = ()
    """Papers that the editors left out, by title; they are not in `entries`."""
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids of related papers by paper id, most similar first."""
    corpus: Corpus = field(default_factory=lambda: Corpus((), 0, (), (), (), {}))
    """The papers as read and merged, including those that the editors left out."""
    labels: Sequence[PaperLabels] = ()
    """The published labels, in the order of `corpus.papers`."""
    version: str = ""
    """Hash of all inputs of the build."""
    decisions: Decisions = field(default_factory=dict)
    """Current decisions of the reviewers, by paper id and facet id."""
    quality: Sequence[tuple[str, str]] = ()
    """(sentence, ids of its metrics) on the quality of the labels."""
    metrics: LabelMetrics = field(default_factory=LabelMetrics)
    """The quality of the labels, without hidden facets: the content of metrics.json."""
    editions: tuple[str, ...] = ()
    """Names of earlier editions, latest first."""
    changes: Changes | None = None
    """Changes since the baseline, else since the lock; None without either."""
    moves_without_lock: Sequence[Move] = ()
    """Labels that would change without the lock."""
    claims: Claims = field(default_factory=Claims)
    """Theses and claims of the editors, with the papers that they cite."""
    mentioned_by: Mapping[str, Sequence[SurveyPaper]] = field(default_factory=dict)
    """Other papers that mention a paper by name, by paper id; see `papers_naming`."""
    _by_id: Mapping[str, SurveyPaper] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id: dict[str, SurveyPaper] = {}
        for entry in self.entries:
            by_id |= dict.fromkeys((*entry.aliases, entry.paper.id), entry)
        object.__setattr__(self, "_by_id", by_id)
        if self.whole_taxonomy is None:
            object.__setattr__(self, "whole_taxonomy", self.taxonomy)
        if self.facts is None:
            object.__setattr__(self, "facts", new_facts(self.whole_taxonomy, self.entries))

    @property
    def table(self) -> DataFrame:
        """The labelled papers, one row per paper, in the order of `entries`."""
        return self.facts.table

    def papers_under(self, category: Category) -> Sequence[SurveyPaper]:
        """Return the papers whose primary category is `category`."""
        return self.facts.select(filed=category.id).entries

    def papers_with(self, category: Category) -> Sequence[SurveyPaper]:
        """Return all papers that have `category`, as primary or as further category."""
        return self.facts.select((self.first.id, category.id)).entries

    @property
    def roles(self) -> Roles:
        """Ids of the facets, categories and lexicons that have special roles."""
        return self.taxonomy.roles

    @property
    def first(self) -> Facet:
        """The facet by which the survey is grouped."""
        return self.taxonomy.first

    @property
    def categories(self) -> list[Category]:
        """The top categories in the order of the survey: core, others, out of scope."""
        return ordered_categories(self.taxonomy)

    @property
    def in_scope(self) -> list[Category]:
        """The top categories in scope, in the order of the taxonomy."""
        return [
            category
            for category in current_categories(self.first.categories)
            if not category.out_of_scope
        ]

    @property
    def has_enough_code(self) -> bool:
        """Whether enough papers link code or state its release to print a column for code."""
        return self.facts.number("papers.with_code") > _MIN_SHARE_WITH_CODE * len(self.entries)

    @property
    def has_results(self) -> bool:
        """Whether any paper states a numeric result."""
        return self.facts.number("papers.with_figure") > 0

    def paper(self, identifier: str) -> SurveyPaper | None:
        """Return the paper with this id or alias, or None."""
        return self._by_id.get(identifier)


def ordered_categories(taxonomy: Taxonomy) -> list[Category]:
    """Return the top categories in the order of the survey: core, others, out of scope."""
    used = current_categories(taxonomy.first.categories)
    return sorted(used, key=lambda category: (category.out_of_scope, not category.core))


def current_categories(categories: Sequence[Category]) -> list[Category]:
    """Return the categories that no other category has replaced."""
    return [category for category in categories if not category.replaced_by]

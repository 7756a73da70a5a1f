"""What is said of a paper: by people (Decision) and by the classifier (FacetLabels)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["reviewed", "confident", "provisional"]

IMPORTED = "imported"
"""The reviewer of a decision that was taken over from where somebody had filed the paper before."""
TAKEN_OVER = "taken over from where it was filed before"


@dataclass(frozen=True, slots=True)
class Decision:
    """The full list that a person gave for one facet of one paper."""

    values: tuple[str, ...]
    """Category ids, sorted; child ids stand beside their parent's. () says: not stated."""
    primary: str
    """The one that the paper is filed under; "" where the facet has no such notion."""
    reviewer: str = ""
    reviewed_on: str = ""
    """ISO date."""
    drawn_by: str = ""
    """How the paper came to be reviewed: queue, audit, volunteer, imported."""
    taxonomy_digest: str = ""
    note: str = ""
    unknown: tuple[str, ...] = ()
    """Categories of today that did not exist when it was made: it says nothing about them."""


Decisions = Mapping[str, Mapping[str, Decision]]
"""Paper id -> facet id -> the decision in force."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved a label."""

    category: str
    text: str
    """The cue as written in the taxonomy, or a term in quotes."""
    kind: Literal["cue", "term", "vote", "human", "lock"]
    weight: float
    """Contribution to the logit, or of a cue's votes to their sum; positive speaks for it."""
    place: str = ""
    """The end of `text` that says where a cue fired: `in the title`."""

    @property
    def is_ruling(self) -> bool:
        """Whether it settles the label by itself, with no weight: a decision, or the lock."""
        return self.kind in ("human", "lock")

    def __str__(self) -> str:
        unit = " votes" if self.kind == "vote" else ""
        return self.text if self.is_ruling else f"{self.text} {self.weight:+.1f}{unit}"


@dataclass(frozen=True, slots=True)
class FacetLabels:
    """The labels of one paper in one facet."""

    categories: tuple[str, ...]
    """The labels shown: the primary first, then by probability; a child after its parent. None
    where the facet was asked and nothing is stated."""
    primary: str
    """The category that the paper is filed under; "" where nothing is stated."""
    confidence: float
    """Probability that `primary` is right, 0 to 1; 1 where a person gave it."""
    status: Status
    probabilities: Mapping[str, float]
    """Every top category id -> probability that it applies."""
    children: Mapping[str, str] = field(default_factory=dict)
    """Top category -> the child that its cues point to, for every category where one does."""
    why: tuple[Reason, ...] = ()
    candidates: tuple[str, ...] = ()
    """The top categories of which one is the right primary in nine of ten papers, likeliest first;
    () where a person gave it, and where too few decisions tell."""

    @property
    def is_taken_over(self) -> bool:
        """Whether the decision is where the paper was filed before, and nobody gave it here."""
        return any(reason.kind == "human" and reason.text == TAKEN_OVER for reason in self.why)

    @property
    def held(self) -> str:
        """What the lock overrules, in words; "" where it does not."""
        return next((reason.text for reason in self.why if reason.kind == "lock"), "")

    @property
    def top_categories(self) -> tuple[str, ...]:
        """The labels without children."""
        return tuple(category for category in self.categories if "/" not in category)


@dataclass(frozen=True, slots=True)
class PaperLabels:
    """The labels of one paper in all facets."""

    paper_id: str
    facets: Mapping[str, FacetLabels]
    """Facet id -> labels; a facet that does not apply to the paper is absent."""
    cue_digest: str = ""
    """Digest of the cues that fired in the paper (`evidence.cue_digest`); "" where unknown."""

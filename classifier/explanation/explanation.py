"""What is told of one paper: where its fields come from, and what made its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classifier.labelling.cue_index import Hit
from classifier.labelling.explain import Account
from classifier.labelling.labels import Decision, FacetLabels
from classifier.papers.paper import Paper
from classifier.papers.provenance import FieldOrigin, Join
from classifier.review.editorial import Act
from classifier.taxonomy.model import Facet


@dataclass(frozen=True, slots=True)
class SilentCues:
    """A list of a category's cues of which none fired."""

    view: str
    """`title`, `contribution` or `anywhere`."""
    cues: tuple[str, ...]
    """As written in the taxonomy."""


@dataclass(frozen=True, slots=True)
class CategoryAccount:
    """Why the classifier gives a category to a paper, or does not."""

    category: str
    is_given: bool
    """Whether it is among the labels shown."""
    account: Account
    """The sum that makes its logit."""
    probability: float
    """Sigmoid of the logit; in a single facet scaled, so that all sum to 1."""
    threshold: float | None
    """The probability from which it is given; None in a single facet."""
    needed: float
    """The logit from which it is given; in a single facet that of a tie with the likeliest other,
    to two decimals."""
    silent: tuple[SilentCues, ...]
    """The lists that lack a hit."""
    held_back: str = ""
    """Why it is not given although its logit reaches what is needed."""

    @property
    def shortfall(self) -> float:
        """By how much the logit falls short; negative where it reaches what is needed."""
        return round(self.needed - self.account.logit, 2)


@dataclass(frozen=True, slots=True)
class ChildAccount:
    """Why a category's child stands beside it, or does not: children are told by votes."""

    category: str
    vote: float
    """What its cues say, in votes; it takes `CHILD_VOTE`."""
    hits: tuple[Hit, ...]
    is_given: bool = True
    lacks: str = ""
    """Why it is not given."""
    silent: tuple[SilentCues, ...] = ()
    """Of a child that was asked for: its lists that lack a hit."""


@dataclass(frozen=True, slots=True)
class Filing:
    """Under which category the classifier files a paper, and how near the next one is."""

    first: str
    first_probability: float
    """That the paper is filed there: of all categories they sum to 1."""
    second: str
    """"" where the facet has one category."""
    second_probability: float


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a model said of a reviewed paper that had not learned from its decision."""

    categories: tuple[str, ...]
    """The top categories that it gave, the primary first."""
    primary: str
    confidence: float
    """Probability that its primary is right."""
    candidates: tuple[str, ...]
    """Its set of primaries, likeliest first."""


@dataclass(frozen=True, slots=True)
class FacetExplanation:
    """What made the labels of one facet."""

    facet: Facet
    labels: FacetLabels
    """The labels as the site shows them."""
    decision: Decision | None
    unseen: Unseen | None
    """Of a reviewed paper only; None where too few decisions were cross-fitted."""
    exemplar_of: str
    """The category that the taxonomy names this paper for, of a paper that nobody reviewed."""
    confident_from: float
    """The confidence from which a label is confident."""
    filing: Filing
    candidates: tuple[str, ...]
    """The classifier's set of primaries, likeliest first: one is right in nine of ten papers. ()
    where too few decisions tell, and of a reviewed paper, which has taught the model (`unseen`)."""
    accounts: tuple[CategoryAccount, ...]
    """Of the labels shown; or of the one category that was asked for, and none of a child."""
    children: tuple[ChildAccount, ...]
    near_misses: tuple[CategoryAccount, ...]
    """Categories that came nearest to being given, nearest first."""
    by_votes: bool = False
    """Whether votes alone decide: too few papers and decisions to learn from."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One paper, explained."""

    paper: Paper
    aliases: tuple[str, ...]
    """Other ids by which it is known."""
    origins: tuple[FieldOrigin, ...]
    missing: tuple[str, ...]
    """Fields that no record states."""
    facets: tuple[FacetExplanation, ...]
    not_asked: tuple[str, ...]
    """Ids of facets that do not apply to papers of its categories."""
    acts: Mapping[str, Act] = field(default_factory=dict)
    """What the editors did: `exclude`, `remark`, `key` -> the act in force."""
    joins: tuple[Join, ...] = ()
    """Why its records are taken for one paper; () of a paper of one record."""

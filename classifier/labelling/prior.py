"""The prior: term weights of each category, learned beforehand from labelled abstracts.

A prior is a linear model of its own, small enough to read: for each category of a facet the weights
of some terms and cue counts, with which it says how likely it is that the category applies, and
that a paper is filed there. `learn_prior.py` makes one, `prior_file.py` keeps it as text,
`prior_scores.py` asks it.

A paper that a prior was learned from would be judged by its own label. So its papers are dealt into
groups, every weight stands once for all papers and once without each group, and a paper of a group
is only ever met by the weights that were learned without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Category, Taxonomy
from classifier.text.normalise import title_key

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Logits of k categories as weighted sums of m named features, in g + 1 versions."""

    names: tuple[str, ...]
    """The m features: `view:term`, or a column of `CueColumns`."""
    weights: Array
    """(g + 1, k, m): version 0 learned from all papers, version i + 1 without group i."""
    intercepts: Array
    """(g + 1, k)."""


@dataclass(frozen=True, slots=True)
class FacetPrior:
    """What a prior knows of one facet."""

    category_ids: tuple[str, ...]
    """The k categories that it was learned for."""
    meanings: tuple[str, ...]
    """Digest of what each category meant then; where it means something else now, it is unknown."""
    applies: LinearModel | None
    """None for a facet of kind `single`, where the filed category is the only one."""
    filed: LinearModel


@dataclass(frozen=True, slots=True)
class Prior:
    """Weights per category, and from whom they were learned."""

    provenance: Mapping[str, object]
    """What it was learned from, and the command that makes it again."""
    groups: Mapping[str, int]
    """Paper key -> the group that the paper was dealt into."""
    facets: Mapping[str, FacetPrior]

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of all features that have a weight, each once."""
        models = (model for facet in self.facets.values() for model in (facet.applies, facet.filed))
        return tuple(dict.fromkeys(name for model in models if model for name in model.names))

    def knows(self, paper: Paper) -> bool:
        """Return whether the prior was learned from this paper."""
        return paper_key(paper) in self.groups

    def versions(self, papers: Sequence[Paper]) -> NDArray[np.int64]:
        """Return (n,): the version of the weights that has not seen each paper."""
        found = [self.groups.get(paper_key(paper), -1) + 1 for paper in papers]
        return np.array(found, dtype=np.int64)


def paper_key(paper: Paper) -> str:
    """Return what a prior calls a paper: a digest of its title, from which no title is read."""
    return hashlib.sha256(title_key(paper.title).encode()).hexdigest()[:12]


def meaning(category: Category) -> str:
    """Return a digest of what a category means: its id, definition, and what is in and out.

    Name, cues and exemplars may change without its papers becoming others.
    """
    words = " ".join([category.id, category.definition, *category.includes, *category.excludes])
    return hashlib.sha256(" ".join(words.casefold().split()).encode()).hexdigest()[:12]


def prior_faults(taxonomy: Taxonomy, prior: Prior | None, shown: str) -> list[Fault]:
    """Return a fault for each facet of which a prior knew categories with another meaning."""
    faults = []
    for name, known in (prior.facets if prior else {}).items():
        facet = taxonomy.facets.get(name)
        if facet is None:
            found = f"weights of a facet '{name}', which the taxonomy has not"
            faults.append(Fault("notice", shown, None, found, "its facets", "Nothing is lost."))
            continue
        meanings = {category.id: meaning(category) for category in facet.categories}
        learned = zip(known.category_ids, known.meanings, strict=True)
        changed = [each for each, digest in learned if meanings.get(each, digest) != digest]
        if changed:
            found = (
                f"weights of {', '.join(changed)} (facet {name}), learned under another "
                "definition; not used"
            )
            cure = "Make the prior again with `fieldguide prior`, or go on without them."
            faults.append(Fault("warning", shown, None, found, "the same definition", cure))
    return faults

"""The prior: what terms and cues are worth, learned beforehand from labelled abstracts.

A linear model of its own for each facet. It learns what cues are worth on papers that no cue was
mined from, which a project's own papers cannot teach. Its papers are none of the project's; it
keeps digests of their titles, so that nothing is ever measured on a paper that it knows.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault, InputError
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Category, Facet, Taxonomy
from classifier.text.normalise import title_key

if TYPE_CHECKING:  # scikit-learn takes seconds, and a faulty project is told without it
    from scipy import sparse

    from classifier.labelling.scores import FacetView

Array = NDArray[np.float64]

FORMAT = "fieldguide-prior-2"
SCALES = {
    "title": 0.5,
    "text": 1.0,
    "cue": 0.5,
    "vote": 0.25,
    "share": 1.0,
    # What another facet sees of the votes of the first one: what a paper is about says something
    # about its kind.
    "first-vote": 0.125,
    "first-share": 0.5,
}
"""Kind of column of the design matrix -> how far it is trusted.

A kind is the start of a column's name, such as `title` in `title:agent`. TF-IDF rows have length
one before they are scaled: under an L2 penalty, twice the scale is twice the trust. A change here
makes every prior wrong: change `FORMAT` with it.
"""
_BROKEN = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile)
_CURE = "Make it again with `python -m tools.prior` in a checkout of Fieldguide, or go without:"


@dataclass(frozen=True, slots=True)
class Block:
    """One TF-IDF block of the design matrix."""

    prefix: str
    """Before the term in the name of a column: `title:agent`."""
    terms: tuple[str, ...]
    """Sorted; the columns."""
    idf: Array
    """(terms,)."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Logits of k categories as weighted sums of m features, and of votes beside them."""

    weights: Array
    """(k, m)."""
    intercepts: Array
    """(k,)."""

    def logits(self, rows: sparse.csr_matrix) -> Array:
        """Return (n, k) logits of (n, m) rows."""
        return np.asarray(rows @ self.weights.T + self.intercepts)


@dataclass(frozen=True, slots=True)
class FacetPrior:
    """What a prior knows of one facet."""

    category_ids: tuple[str, ...]
    """The k categories that it was learned for."""
    meanings: tuple[str, ...]
    """Digest of what each meant then; where it means something else now, it is unknown."""
    cues: tuple[str, ...]
    """Names of the cue features behind the TF-IDF columns."""
    models: Mapping[str, LinearModel]
    """`filed` and, of a facet of several categories a paper, `applies`; calibrated."""
    thresholds: tuple[float, ...]
    """(k,) probabilities from which a category applies."""
    cut: float
    """The confidence from which nine in ten of its own papers were filed right."""

    def known(self, facet: Facet) -> NDArray[np.bool_]:
        """Return (k of the facet,) whether each category means what it meant then."""
        meant = dict(zip(self.category_ids, self.meanings, strict=True))
        tops = {top.id: meaning(top) for top in facet.tops}
        return np.array([meant.get(name) == tops[name] for name in facet.ids], dtype=bool)

    def changed(self, facet: Facet) -> list[str]:
        """Return the categories of the facet that meant something else then, retired ones too."""
        meant = {category.id: meaning(category) for category in facet.categories}
        learned = zip(self.category_ids, self.meanings, strict=True)
        return [name for name, digest in learned if meant.get(name, digest) != digest]

    def thresholds_of(self, facet: Facet) -> Array:
        """Return (k of the facet,) thresholds; nan of a category that is not known."""
        kept = dict(zip(self.category_ids, self.thresholds, strict=True))
        return np.array([kept.get(name, np.nan) for name in facet.ids])

    def linear(self, which: str, seen: FacetView, facet: Facet) -> LinearModel:
        """Return its model with the columns and categories of what a facet's model sees."""
        model = self.models.get(which) or self.models["filed"]
        weights = np.zeros((len(facet.ids), len(seen.names)))
        intercepts = np.zeros(len(facet.ids))
        column = {name: at for at, name in enumerate(seen.names)}
        kept = [(at, column[name]) for at, name in enumerate(self.cues) if name in column]
        here, there = [a for a, _ in kept], [b for _, b in kept]
        row = {name: at for at, name in enumerate(self.category_ids)}
        for place, name in enumerate(facet.ids):
            if name in row:
                own = model.weights[row[name]]
                weights[place, : seen.terms] = own[: seen.terms]
                weights[place, there] = own[seen.terms :][here]
                intercepts[place] = model.intercepts[row[name]]
        return LinearModel(weights, intercepts)


@dataclass(frozen=True, slots=True)
class Prior:
    """Terms, and what they and the cues are worth."""

    provenance: Mapping[str, Any]
    """What it was learned from, and the command that makes it again."""
    papers: frozenset[str]
    """`paper_key` of the papers that it was learned from."""
    stop_words: tuple[str, ...]
    blocks: tuple[Block, Block]
    """The terms of titles and of texts."""
    facets: Mapping[str, FacetPrior]

    def knows(self, paper: Paper) -> bool:
        """Return whether the prior was learned from this paper."""
        return paper_key(paper) in self.papers

    def following(self, taxonomy: Taxonomy) -> Prior:
        """Return the prior with the ids that renamed categories have in `taxonomy`."""
        renamed = {name: _renamed(facet) for name, facet in taxonomy.facets.items()}
        first = renamed[taxonomy.first.id]
        facets = {
            name: _followed(facet, taxonomy.facets[name], renamed[name], first)
            if name in renamed
            else facet
            for name, facet in self.facets.items()
        }
        return replace(self, facets=facets)


def _renamed(facet: Facet) -> dict[str, str]:
    """Return former id -> id of the categories of a facet that were renamed."""
    ids = {category.id for category in facet.walk(retired=True)}
    return {
        alias: category.id
        for category in facet.categories
        for alias in category.aliases
        if alias not in ids
    }


def _followed(
    prior: FacetPrior, facet: Facet, renamed: Mapping[str, str], first: Mapping[str, str]
) -> FacetPrior:
    """Return what a prior knows of a facet under the ids of today.

    renamed, first: former id -> id, of the facet and of the first facet.
    """
    meanings = []
    for name, digest in zip(prior.category_ids, prior.meanings, strict=True):
        category = facet.get(renamed.get(name, name))
        if category is not None and digest == meaning(category, name):
            meanings.append(meaning(category))
        else:
            meanings.append(digest)
    return replace(
        prior,
        category_ids=tuple(renamed.get(name, name) for name in prior.category_ids),
        meanings=tuple(meanings),
        cues=tuple(_cue_column(name, renamed, first) for name in prior.cues),
    )


def _cue_column(column: str, renamed: Mapping[str, str], first: Mapping[str, str]) -> str:
    """Return the name of a cue feature, such as `cue:safety:title`, under the ids of today."""
    kind, category, *view = column.split(":")
    ids = first if kind.startswith("first-") else renamed
    return ":".join([kind, ids.get(category, category), *view])


def paper_key(paper: Paper) -> str:
    """Return what a prior calls a paper: a digest of its title, from which no title is read."""
    return hashlib.sha256(title_key(paper.title).encode()).hexdigest()[:12]


def meaning(category: Category, identifier: str = "") -> str:
    """Return a digest of the meaning of a category: its id, definition, includes and excludes.

    Name, cues and exemplars may change without its papers becoming others. identifier: a former id
    of the category, used instead of its id.
    """
    name = identifier or category.id
    words = " ".join([name, category.definition, *category.includes, *category.excludes])
    return hashlib.sha256(" ".join(words.casefold().split()).encode()).hexdigest()[:12]


def read_prior(path: Path, shown: str, *, named: bool = False) -> Prior:
    """Read a prior; raises InputError where the file is not one.

    named: whether the user named it with --prior, which decides how to go without.
    """
    try:
        content = path.read_bytes()
        if not content.startswith(b"PK"):
            raise ValueError("no .npz archive")
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        head = json.loads(arrays["head"].tobytes())
        if head["format"] != FORMAT:
            raise ValueError(f"the format {head['format']!r}")
        return _prior(head, arrays)
    except _BROKEN as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error)
        what = f"a file that is no prior ({reason or type(error).__name__})"
        hint = f"{_CURE} {'--prior none' if named else f'move {shown} away'}."
        fault = Fault("error", shown, None, what, f"a file of the format {FORMAT}", hint)
        raise InputError([fault]) from error


def _prior(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Prior:
    title, text = (
        Block(prefix, tuple(terms), arrays[f"idf.{prefix}"].astype(np.float64))
        for prefix, terms in zip(("title", "text"), head["terms"], strict=True)
    )
    facets = {}
    for name, kept in head["facets"].items():
        width = len(title.terms) + len(text.terms) + len(kept["cues"])
        shape = len(kept["category_ids"]), width
        models = {
            which: LinearModel(
                _weights(arrays[f"{name}.{which}.weights"], shape),
                arrays[f"{name}.{which}.intercepts"].astype(np.float64),
            )
            for which in kept["models"]
        }
        facets[name] = FacetPrior(
            tuple(kept["category_ids"]),
            tuple(kept["meanings"]),
            tuple(kept["cues"]),
            models,
            tuple(kept["thresholds"]),
            float(kept["cut"]),
        )
    return Prior(
        head["provenance"],
        frozenset(head["papers"]),
        tuple(head["stop_words"]),
        (title, text),
        facets,
    )


def _weights(array: NDArray[Any], expected: tuple[int, int]) -> Array:
    """Return weights as they are used; ValueError where a file holds others."""
    if array.shape != expected or not np.isfinite(array).all():
        raise ValueError(f"weights of shape {array.shape}, not {expected}")
    return array.astype(np.float64)


def prior_faults(taxonomy: Taxonomy, prior: Prior | None, shown: str) -> list[Fault]:
    """Return a fault for each facet of which a prior knew categories with another meaning."""
    faults = []
    for name, known in (prior.facets if prior else {}).items():
        facet = taxonomy.facets.get(name)
        if facet is None:
            found = f"weights of a facet '{name}', which the taxonomy has not"
            faults.append(Fault("notice", shown, None, found, "its facets", "Nothing is lost."))
            continue
        if changed := known.changed(facet):
            found = (
                f"weights of {', '.join(changed)} (facet {name}), learned under another "
                "definition; not used"
            )
            hint = "Make the prior again with `python -m tools.prior`, or go on without them."
            faults.append(Fault("warning", shown, None, found, "the same definition", hint))
    return faults

"""The prior: a linear model per facet, learned in advance from labelled abstracts.

It has weights of terms and of cue features. It was learned from papers that were not used to write
the cues and that are not in the project. It stores digests of their titles, so that no metric is
measured on a paper from which the prior was learned.
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

if TYPE_CHECKING:  # importing scikit-learn is slow, and errors in a project are reported without it
    from scipy import sparse

    from classifier.labelling.scores import FacetInput

Array = NDArray[np.float64]

FORMAT = "fieldguide-prior-2"
SCALES = {
    "title": 0.5,
    "text": 1.0,
    "cue": 0.5,
    "vote": 0.25,
    "share": 1.0,
    # Votes of the first facet as features of another facet: the subject of a paper is evidence for
    # the kind of its contribution.
    "first-vote": 0.125,
    "first-share": 0.5,
}
"""Kind of column of the design matrix -> scale.

A kind is the start of a column's name, such as `title` in `title:agent`. TF-IDF rows are normalised
to length 1 before. Under an L2 penalty, columns with a larger scale are penalised less. A change
makes every existing prior wrong: change `FORMAT`, too.
"""
_BROKEN = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile)
_HINT = "Recreate it with `python -m tools.prior` in a checkout of Fieldguide, or go without:"


@dataclass(frozen=True, slots=True)
class Block:
    """One TF-IDF block of the design matrix."""

    prefix: str
    """Start of the column names: `title` in `title:agent`."""
    terms: tuple[str, ...]
    """The terms of the columns, sorted."""
    idf: Array
    """(terms,) inverse document frequencies."""


@dataclass(frozen=True, slots=True)
class LinearModel:
    """The logits of k categories as weighted sums of m features."""

    weights: Array
    """(k, m) weights."""
    intercepts: Array
    """(k,) intercepts."""

    def logits(self, rows: sparse.csr_matrix) -> Array:
        """Return (n, k) logits for (n, m) rows."""
        return np.asarray(rows @ self.weights.T + self.intercepts)


@dataclass(frozen=True, slots=True)
class FacetPrior:
    """The prior of one facet."""

    category_ids: tuple[str, ...]
    """Ids of its k categories."""
    meanings: tuple[str, ...]
    """Digest of the meaning of each category. A category with another meaning now is not used."""
    cues: tuple[str, ...]
    """Names of the cue features, whose columns follow the TF-IDF columns."""
    models: Mapping[str, LinearModel]
    """Question (`filed`, and for facets with several categories per paper `applies`) -> model with
    calibrated logits."""
    thresholds: tuple[float, ...]
    """(k,) probabilities from which a category is assigned."""
    cut: float
    """Confidence from which nine in ten of its own papers had the right primary."""

    def known_categories(self, facet: Facet) -> NDArray[np.bool_]:
        """Return for each category of the facet whether the prior has it with equal meaning."""
        learned = dict(zip(self.category_ids, self.meanings, strict=True))
        tops = {top.id: meaning_digest(top) for top in facet.tops}
        return np.array([learned.get(name) == tops[name] for name in facet.ids], dtype=bool)

    def changed_categories(self, facet: Facet) -> list[str]:
        """Return the categories of the facet, including retired ones, whose meaning has changed."""
        current = {category.id: meaning_digest(category) for category in facet.categories}
        learned = zip(self.category_ids, self.meanings, strict=True)
        return [name for name, digest in learned if current.get(name, digest) != digest]

    def thresholds_of(self, facet: Facet) -> Array:
        """Return the thresholds of the facet's categories; nan for a category without threshold."""
        by_id = dict(zip(self.category_ids, self.thresholds, strict=True))
        return np.array([by_id.get(name, np.nan) for name in facet.ids])

    def linear_model(self, question: str, inputs: FacetInput, facet: Facet) -> LinearModel:
        """Return the model of a question for the columns of `inputs` and categories of `facet`.

        Columns and categories that are not in the prior get the weight 0.
        """
        model = self.models.get(question) or self.models["filed"]
        weights = np.zeros((len(facet.ids), len(inputs.names)))
        intercepts = np.zeros(len(facet.ids))
        column_of = {name: column for column, name in enumerate(inputs.names)}
        cues = [(i, column_of[name]) for i, name in enumerate(self.cues) if name in column_of]
        own_columns, columns = [i for i, _ in cues], [column for _, column in cues]
        own_row_of = {name: row for row, name in enumerate(self.category_ids)}
        for row, name in enumerate(facet.ids):
            if name in own_row_of:
                own = model.weights[own_row_of[name]]
                weights[row, : inputs.terms] = own[: inputs.terms]
                weights[row, columns] = own[inputs.terms :][own_columns]
                intercepts[row] = model.intercepts[own_row_of[name]]
        return LinearModel(weights, intercepts)


@dataclass(frozen=True, slots=True)
class Prior:
    """A model learned from decisions of another project: its terms, and weights per facet."""

    provenance: Mapping[str, Any]
    """The sources of its papers, and the command that recreates it."""
    papers: frozenset[str]
    """`paper_key` of each paper that it was learned from."""
    stop_words: tuple[str, ...]
    """Words that are not terms."""
    blocks: tuple[Block, Block]
    """The terms of titles and of texts."""
    facets: Mapping[str, FacetPrior]
    """Prior of each facet, by facet id."""

    def was_learned_from(self, paper: Paper) -> bool:
        """Return whether the prior was learned from this paper."""
        return paper_key(paper) in self.papers

    def with_renamed_categories(self, taxonomy: Taxonomy) -> Prior:
        """Return the prior with the new ids of categories that `taxonomy` has renamed."""
        renamed = {name: _new_ids(facet) for name, facet in taxonomy.facets.items()}
        first = renamed[taxonomy.first.id]
        facets = {
            name: _with_new_ids(facet, taxonomy.facets[name], renamed[name], first)
            if name in renamed
            else facet
            for name, facet in self.facets.items()
        }
        return replace(self, facets=facets)


def _new_ids(facet: Facet) -> dict[str, str]:
    """Return the current ids of the renamed categories of a facet, by former id."""
    ids = {category.id for category in facet.walk(include_retired=True)}
    return {
        alias: category.id
        for category in facet.categories
        for alias in category.aliases
        if alias not in ids
    }


def _with_new_ids(
    prior: FacetPrior, facet: Facet, new_ids: Mapping[str, str], first_new_ids: Mapping[str, str]
) -> FacetPrior:
    """Return the prior of a facet with the current ids.

    new_ids, first_new_ids: current ids by former id, for this facet and for the first facet.
    """
    meanings = []
    for name, digest in zip(prior.category_ids, prior.meanings, strict=True):
        category = facet.get(new_ids.get(name, name))
        if category is not None and digest == meaning_digest(category, name):
            meanings.append(meaning_digest(category))
        else:
            meanings.append(digest)
    return replace(
        prior,
        category_ids=tuple(new_ids.get(name, name) for name in prior.category_ids),
        meanings=tuple(meanings),
        cues=tuple(_cue_column(name, new_ids, first_new_ids) for name in prior.cues),
    )


def _cue_column(column: str, new_ids: Mapping[str, str], first_new_ids: Mapping[str, str]) -> str:
    """Return the name of a cue feature, such as `cue:safety:title`, with the current id."""
    kind, category, *view = column.split(":")
    ids = first_new_ids if kind.startswith("first-") else new_ids
    return ":".join([kind, ids.get(category, category), *view])


def paper_key(paper: Paper) -> str:
    """Return the key of a paper in a prior: a digest of the title, so that titles stay private."""
    return hashlib.sha256(title_key(paper.title).encode()).hexdigest()[:12]


def meaning_digest(category: Category, identifier: str = "") -> str:
    """Return a digest of a category's meaning: its id, definition, includes and excludes.

    Name, cues and exemplars are not included, because they do not change which papers belong to the
    category. identifier: a former id to use instead of the category's id.
    """
    name = identifier or category.id
    words = " ".join([name, category.definition, *category.includes, *category.excludes])
    return hashlib.sha256(" ".join(words.casefold().split()).encode()).hexdigest()[:12]


def read_prior(path: Path, file: str, *, is_from_option: bool = False) -> Prior:
    """Read a prior; raise InputError if the file is not a prior.

    file: name of the file for messages. is_from_option: whether the path is from option --prior.
    """
    try:
        content = path.read_bytes()
        if not content.startswith(b"PK"):
            raise ValueError("not an .npz archive")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        head = json.loads(arrays["head"].tobytes())
        if head["format"] != FORMAT:
            raise ValueError(f"the format {head['format']!r}")
        return _make_prior(head, arrays)
    except _BROKEN as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error)
        actual = f"a file that is not a prior ({reason or type(error).__name__})"
        way_out = "--prior none" if is_from_option else f"move {file} away"
        expected = f"a file of the format {FORMAT}"
        fault = Fault("error", file, None, actual, expected, f"{_HINT} {way_out}.")
        raise InputError([fault]) from error


def _make_prior(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Prior:
    """Create the prior from the arrays of its file."""
    title, text = (
        Block(prefix, tuple(terms), arrays[f"idf.{prefix}"].astype(np.float64))
        for prefix, terms in zip(("title", "text"), head["terms"], strict=True)
    )
    facets = {}
    for name, record in head["facets"].items():
        width = len(title.terms) + len(text.terms) + len(record["cues"])
        shape = len(record["category_ids"]), width
        models = {
            which: LinearModel(
                _check_weights(arrays[f"{name}.{which}.weights"], shape),
                arrays[f"{name}.{which}.intercepts"].astype(np.float64),
            )
            for which in record["models"]
        }
        facets[name] = FacetPrior(
            tuple(record["category_ids"]),
            tuple(record["meanings"]),
            tuple(record["cues"]),
            models,
            tuple(record["thresholds"]),
            float(record["cut"]),
        )
    return Prior(
        head["provenance"],
        frozenset(head["papers"]),
        tuple(head["stop_words"]),
        (title, text),
        facets,
    )


def _check_weights(array: NDArray[Any], expected: tuple[int, int]) -> Array:
    """Return weights as float64; raise ValueError for a wrong shape or infinite weights."""
    if array.shape != expected or not np.isfinite(array).all():
        raise ValueError(f"weights of shape {array.shape}, not {expected}")
    return array.astype(np.float64)


def prior_faults(taxonomy: Taxonomy, prior: Prior | None, file: str) -> list[Fault]:
    """Return a fault for each facet that is missing, or has categories with another meaning.

    file: name of the prior for messages.
    """
    faults = []
    for name, known in (prior.facets if prior else {}).items():
        facet = taxonomy.facets.get(name)
        if facet is None:
            actual = f"weights of a facet '{name}', which is not in the taxonomy"
            hint = "These weights are not used."
            faults.append(Fault("notice", file, None, actual, "facets of the taxonomy", hint))
            continue
        if changed := known.changed_categories(facet):
            actual = (
                f"weights of {', '.join(changed)} (facet {name}), learned under another "
                "definition; not used"
            )
            hint = (
                "Recreate the prior with `python -m tools.prior`, or go on without these weights."
            )
            faults.append(Fault("warning", file, None, actual, "the same definition", hint))
    return faults

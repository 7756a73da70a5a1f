"""The trained classifier that a build saves, so that commands explain labels without retraining.

The file contains only arrays, so reading it needs no scikit-learn, and runs no code from the file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, cast
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import CueIndex
from classifier.labelling.explain import Contributions
from classifier.labelling.faded_cues import CueKey, without_cues
from classifier.labelling.keywords import keep_readable_keywords
from classifier.labelling.last_step import LastStep, Question, last_step
from classifier.labelling.logit_parts import LogitParts
from classifier.labelling.scores import FacetInput, Scores
from classifier.labelling.stated_facet import StatedFacetModel
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

if TYPE_CHECKING:  # slow to import
    from classifier.labelling.classifier import TaxonomyClassifier

Array = NDArray[np.float64]

_BROKEN = (BadZipFile, EOFError, IndexError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class TrainedFacet:
    """The model of a facet for n papers, with those methods that explain labels."""

    facet: Facet
    cut_: float
    thresholds_: Array
    probabilities: Array
    """(n, k)."""
    primary: Array
    """(n, k)."""
    logit_parts: LogitParts

    @property
    def ids(self) -> tuple[str, ...]:
        """The top categories."""
        return self.facet.ids

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return the contributions that add up to one paper's calibrated logit of one category."""
        return self.logit_parts.contributions(row, column)

    def of(self, row: int) -> TrainedFacet:
        """Return the model for the paper at `row`."""
        only = slice(row, row + 1)
        return TrainedFacet(
            self.facet,
            self.cut_,
            self.thresholds_,
            self.probabilities[only],
            self.primary[only],
            self.logit_parts.of([row]),
        )


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained classifier, with the features of n papers."""

    taxonomy: Taxonomy
    paper_ids: tuple[str, ...]
    stems: Mapping[str, frozenset[str]]
    """Stems of cues of which no form occurs, and the words that they match."""
    faded: Mapping[str, frozenset[CueKey]]
    """Cues that decisions contradict, by facet id."""
    facets: Mapping[str, TrainedFacet]
    """The facets that are learned."""
    step: LastStep | None
    """The last step of the first facet; None if that is not learned or was not read."""

    def cue_index(self) -> CueIndex:
        """Index of the taxonomy's cues."""
        return CueIndex(self.taxonomy, self.stems)

    def models_of(self, paper: Paper) -> dict[str, tuple[TrainedFacet | StatedFacetModel, Scores]]:
        """Return the model and the scores of each facet for `paper`, by facet id."""
        row = self.paper_ids.index(paper.id)
        evidence = self.cue_index().count(keep_readable_keywords([paper], self.taxonomy))
        found: dict[str, tuple[TrainedFacet | StatedFacetModel, Scores]] = {}
        for facet_id, facet in self.taxonomy.facets.items():
            inputs = FacetInput(
                None,
                (),
                0,
                without_cues(evidence[facet_id], self.faded.get(facet_id, frozenset())),
                np.zeros((1, len(facet.ids))),
                np.array([bool(paper.abstract)]),
            )
            if facet_id in self.facets:
                model = self.facets[facet_id].of(row)
                found[facet_id] = model, Scores(inputs, model.probabilities, model.primary)
            else:
                stated = StatedFacetModel(facet)
                found[facet_id] = stated, stated.score(inputs)
        return found


def select_trained(
    classifier: TaxonomyClassifier, papers: Sequence[Paper] | None = None
) -> Trained:
    """Return the parts of a classifier that are saved.

    papers: papers whose features are saved; None for the papers that the classifier learned from
    and labelled.
    """
    if papers is None:
        ids, inputs = classifier.views_
    else:
        ids, inputs = tuple(paper.id for paper in papers), classifier.facet_inputs(papers)
    facets = {}
    for facet_id, model in classifier.models_.items():
        if isinstance(model, StatedFacetModel):
            continue
        scores = model.score(inputs[facet_id])
        facets[facet_id] = TrainedFacet(
            model.facet,
            model.cut_,
            np.asarray(model.thresholds_),
            scores.probabilities,
            scores.primary,
            model.logit_parts(inputs[facet_id]).of(range(len(ids))),
        )
    first = classifier.taxonomy.first.id
    model = classifier.models_[first]
    step = None if isinstance(model, StatedFacetModel) else last_step(model, inputs[first], ids)
    if step is not None:
        step = step.of(range(len(ids)))
    return Trained(classifier.taxonomy, ids, classifier.stems_, classifier.faded_, facets, step)


def trained_bytes(classifier: Trained) -> bytes:
    """Return a trained classifier as the bytes of a file."""
    arrays: dict[str, NDArray[Any]] = {}
    head: dict[str, Any] = {
        "paper_ids": classifier.paper_ids,
        "stems": {stem: sorted(words) for stem, words in classifier.stems.items()},
        "faded": {name: sorted(cues) for name, cues in classifier.faded.items()},
        "facets": {},
    }
    for name, facet in classifier.facets.items():
        head["facets"][name] = {
            "facet": _pack(f"facet {name}", facet, arrays),
            "parts": _pack(f"parts {name}", facet.logit_parts, arrays),
        }
    if (step := classifier.step) is not None:
        head["step"] = _pack("step", step, arrays)
        head["questions"] = {
            name: _pack(f"question {name}", question, arrays)
            for name, question in step.questions.items()
        }
        arrays |= {
            "rows/data": step.rows.data,
            "rows/indices": step.rows.indices,
            "rows/indptr": step.rows.indptr,
        }
        head["shape"] = step.rows.shape
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    file = io.BytesIO()
    np.savez(file, **cast("Any", arrays))
    return file.getvalue()


def read_trained(content: bytes, taxonomy: Taxonomy, *, with_step: bool = False) -> Trained | None:
    """Read a trained classifier; return None if the file is damaged.

    with_step: also read the last step.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        head = json.loads(arrays["head"].tobytes())
        facets = {
            name: _read_facet(taxonomy.facets[name], packed, arrays)
            for name, packed in head["facets"].items()
        }
        return Trained(
            taxonomy,
            tuple(head["paper_ids"]),
            {stem: frozenset(words) for stem, words in head["stems"].items()},
            {name: frozenset(map(tuple, cues)) for name, cues in head["faded"].items()},
            facets,
            _read_last_step(head, arrays) if with_step and "step" in head else None,
        )
    except _BROKEN:
        return None


def _read_facet(
    facet: Facet, packed_facet: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> TrainedFacet:
    """Read the model of one facet."""
    parts = _unpack(f"parts {facet.id}", packed_facet["parts"], arrays)
    values = _unpack(f"facet {facet.id}", packed_facet["facet"], arrays)
    parts["names"] = tuple(parts["names"])
    return TrainedFacet(facet=facet, logit_parts=LogitParts(facet=facet, **parts), **values)


def _read_last_step(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> LastStep:
    """Read the last step."""
    from scipy import sparse  # late: only the review page needs it

    rows = arrays["rows/data"], arrays["rows/indices"], arrays["rows/indptr"]
    values = _unpack("step", head["step"], arrays)
    return LastStep(
        rows=sparse.csr_matrix(rows, shape=head["shape"]),
        questions={
            name: Question(**_unpack(f"question {name}", packed, arrays))
            for name, packed in head["questions"].items()
        },
        **values | {"confidence": tuple(values["confidence"])},
    )


_PACKED_APART = {"facet", "logit_parts", "rows", "questions"}


def _pack(prefix: str, record: Any, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the values of a dataclass that JSON can represent; add its arrays to `arrays`."""
    values = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray):
            arrays[f"{prefix}/{field.name}"] = value
        elif field.name not in _PACKED_APART:
            values[field.name] = value
    return values


def _unpack(
    prefix: str, values: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> dict[str, Any]:
    """Return the fields of a dataclass; the inverse of `_pack`."""
    own = f"{prefix}/"
    found = {name.removeprefix(own): each for name, each in arrays.items() if name.startswith(own)}
    return {**values, **found}

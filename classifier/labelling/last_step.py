"""The last step of a facet's model as data, so that a review page can repeat it.

The step is one logistic regression per question and category on the decided papers, on top of an
offset (`regression.Correction`), then calibration. `extras/review_page/fit.js` repeats it after
each answer; offset and calibration stay as they were until the next build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.decide import are_clear
from classifier.labelling.scores import INTERCEPT_SCALE, MAX_UNCHECKED, VOTE_MIDDLE, FacetView

if TYPE_CHECKING:  # slow to import
    from scipy import sparse

    from classifier.labelling.facet_model import FacetModel

Array = NDArray[np.float64]

UNKNOWN = 255
"""The truth of a category that no decision knows."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one of the two questions of a facet is learned from, and how it is calibrated."""

    offset: Array
    """(n, k) log-odds before any decision, where a paper is labelled."""
    taught_offset: Array
    """(n, k) the same where a paper is learned from."""
    truth: NDArray[np.uint8]
    """(n, k) 0 or 1 where people decided, else UNKNOWN."""
    slope: float
    shifts: Array
    """(k,) calibrated log-odds are slope * log-odds + shift."""


@dataclass(frozen=True, slots=True)
class LastStep:
    """The last step of a facet's model for n papers and k categories."""

    rows: sparse.csr_matrix
    """(n, terms) TF-IDF."""
    questions: Mapping[str, Question]
    """`filed`, and `applies` where a paper may have several categories."""
    inverse_penalties: Array
    """(k,) C of each category."""
    intercept_scale: float
    thresholds: Array
    """(k,) probabilities from which a category applies."""
    confidence: tuple[float, float]
    """Slope and offset of the calibration of how sure the filed category is."""
    max_confidence: float
    cut: float
    """The confidence from which a label is confident."""
    has_vote: NDArray[np.bool_]
    """(n, k) whether the cues vote for a category."""
    is_clear: NDArray[np.bool_]
    """(n, k) whether the cues are clear, so that a label by the title alone may be confident."""

    def of(self, places: Sequence[int]) -> LastStep:
        """Return the step for some of the papers, without the terms that none of them has."""
        at = np.array(places, dtype=np.int64)
        rows = self.rows[at]
        present = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]))
        questions = {
            which: replace(
                question,
                offset=question.offset[at],
                taught_offset=question.taught_offset[at],
                truth=question.truth[at],
            )
            for which, question in self.questions.items()
        }
        return replace(
            self,
            rows=rows[:, present],
            questions=questions,
            has_vote=self.has_vote[at],
            is_clear=self.is_clear[at],
        )


def last_step(model: FacetModel, seen: FacetView, paper_ids: Sequence[str]) -> LastStep:
    """Return the last step of a model; seen: the features of the papers of `paper_ids`."""
    lesson, n_categories = model.lesson_, len(model.ids)
    taught = {paper_id: row for row, paper_id in enumerate(lesson.paper_ids)}
    places = [(at, taught[each]) for at, each in enumerate(paper_ids) if each in taught]
    here = np.array([at for at, _ in places], dtype=np.int64)
    there = np.array([row for _, row in places], dtype=np.int64)
    questions: dict[str, Question] = {}
    for which, truth in lesson.truths.items():
        offset = model.offset(which, seen)
        taught_offset = offset.copy()
        taught_offset[here] = lesson.offsets[which][there]
        known = np.full(offset.shape, UNKNOWN, dtype=np.uint8)
        certain = lesson.certain[there]
        known[here] = np.where(certain, np.round(truth[there]), UNKNOWN)
        platt = model.file_platt_ if which == "filed" else model.apply_platt_
        shifts = platt.offset_ + np.asarray(platt.shifts_)
        questions[which] = Question(offset, taught_offset, known, platt.slope_, shifts)
    sure, votes = model.confidence_, seen.evidence.votes(model.ids)
    return LastStep(
        seen.text,
        questions,
        model.inverse_penalties(),
        INTERCEPT_SCALE,
        np.asarray(model.thresholds_).reshape(n_categories),
        (sure.slope_, sure.offset_ + float(sure.shifts_[0])),
        1.0 if model.is_checked_ else MAX_UNCHECKED,
        model.cut_,
        votes >= VOTE_MIDDLE,
        are_clear(votes),
    )

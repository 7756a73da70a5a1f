"""The last step of a facet's model as data, so that the review page can repeat it in the browser.

The step consists of one logistic regression per question and category on the decided papers, on top
of an offset (`regression.Correction`), and of calibration. `extras/review_page/fit.js` repeats the
step after each answer; offset and calibration do not change until the next build.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.decide import has_clear_cues
from classifier.labelling.scores import INTERCEPT_SCALE, MAX_UNCHECKED, VOTE_MIDDLE, FacetInput

if TYPE_CHECKING:  # slow to import
    from scipy import sparse

    from classifier.labelling.facet_model import FacetModel

Array = NDArray[np.float64]

UNKNOWN = 255
"""Truth of a category without a decision."""


@dataclass(frozen=True, slots=True)
class Question:
    """The training data and calibration of one question of a facet (`filed` or `applies`)."""

    offset: Array
    """(n, k) log-odds before any decision, for labelling a paper."""
    taught_offset: Array
    """(n, k) the same for learning from a paper: predicted from the other papers."""
    truth: NDArray[np.uint8]
    """(n, k) 0 or 1 for a decided category, else UNKNOWN."""
    slope: float
    """Slope of the calibration: calibrated log-odds are slope * log-odds + shift."""
    shifts: Array
    """(k,) shifts of the calibration."""


@dataclass(frozen=True, slots=True)
class LastStep:
    """The last step of a facet's model for n papers and k categories."""

    rows: sparse.csr_matrix
    """(n, terms) TF-IDF."""
    questions: Mapping[str, Question]
    """`filed`, and for a facet with several categories per paper also `applies`."""
    inverse_penalties: Array
    """(k,) C of each category."""
    intercept_scale: float
    thresholds: Array
    """(k,) probabilities from which a category is assigned."""
    confidence: tuple[float, float]
    """Slope and offset of the calibration of the confidence."""
    max_confidence: float
    cut: float
    """Confidence from which a label is `confident`."""
    has_vote: NDArray[np.bool_]
    """(n, k) whether the vote for a category is at least `VOTE_MIDDLE`."""
    is_clear: NDArray[np.bool_]
    """(n, k) whether the cues are clear, so that a paper without an abstract may be confident."""

    def of(self, places: Sequence[int]) -> LastStep:
        """Return the step for the papers at `places`, without terms that none of them has."""
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


def last_step(model: FacetModel, inputs: FacetInput, paper_ids: Sequence[str]) -> LastStep:
    """Return the last step of a model for papers with these ids and features."""
    lesson, n_categories = model.lesson_, len(model.ids)
    training_row = {paper_id: row for row, paper_id in enumerate(lesson.paper_ids)}
    places = [
        (row, training_row[each]) for row, each in enumerate(paper_ids) if each in training_row
    ]
    here = np.array([row for row, _ in places], dtype=np.int64)
    there = np.array([row for _, row in places], dtype=np.int64)
    questions: dict[str, Question] = {}
    for which, truth in lesson.truths.items():
        offset = model.offset(which, inputs)
        taught_offset = offset.copy()
        taught_offset[here] = lesson.offsets[which][there]
        known = np.full(offset.shape, UNKNOWN, dtype=np.uint8)
        certain = lesson.certain[there]
        known[here] = np.where(certain, np.round(truth[there]), UNKNOWN)
        platt = model.file_platt_ if which == "filed" else model.apply_platt_
        shifts = platt.offset_ + np.asarray(platt.shifts_)
        questions[which] = Question(offset, taught_offset, known, platt.slope_, shifts)
    sure, votes = model.confidence_, inputs.evidence.votes(model.ids)
    return LastStep(
        inputs.text,
        questions,
        model.inverse_penalties(),
        INTERCEPT_SCALE,
        np.asarray(model.thresholds_).reshape(n_categories),
        (sure.slope_, sure.offset_ + float(sure.shifts_[0])),
        1.0 if model.is_checked_ else MAX_UNCHECKED,
        model.cut_,
        votes >= VOTE_MIDDLE,
        has_clear_cues(votes),
    )

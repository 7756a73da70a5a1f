"""When the survey may speak of time."""

from __future__ import annotations

from classifier.survey.facts.facts import Facts

LEAST_DATED = 0.8
"""Share of the papers that must be dated before anything is said of time."""


def is_dated(facts: Facts) -> bool:
    """Say whether enough papers are dated for a word on time."""
    return facts.number("papers.dated") >= LEAST_DATED * facts.number("papers.total") > 0

"""Which of several decisions on one facet of one paper is in force.

What reviewer `adjudicated` said, else the newest. Two people who differ on one day settle nothing:
what stood before stays in force until somebody adjudicates. No name ever goes before another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from classifier.labelling.labels import IMPORTED, Decision
from classifier.taxonomy.columns import JOINER
from classifier.taxonomy.model import NOT_STATED, Facet

ADJUDICATED = "adjudicated"
"""The reviewer whose decisions settle what others disagree on, whatever their dates."""
Group = tuple[str, str]
"""(ISO date, reviewer): what one person said of one facet of one paper on one day."""
T = TypeVar("T")


def by_time(group: Group) -> tuple[str, bool, str]:
    """Order decisions by date: what was imported stood there before a person decided."""
    date, reviewer = group
    return date, reviewer != IMPORTED, reviewer


def in_force(answers: Mapping[Group, T], agree: Callable[[Sequence[T]], bool]) -> Group | None:
    """Return the group in force; None where people have differed from the first day on.

    agree: whether the answers of one day say the same.
    """
    adjudicated = [group for group in answers if group[1] == ADJUDICATED]
    if adjudicated:
        return max(adjudicated)
    newest_first = sorted(answers, key=by_time, reverse=True)
    for _, day in groupby(newest_first, key=lambda group: by_time(group)[:2]):
        groups = list(day)
        if agree([answers[group] for group in groups]):
            return groups[0]
    return None


def agree(facet: Facet, decisions: Sequence[Decision]) -> bool:
    """Say whether decisions say the same, categories aside that one of them could not know."""
    if len(decisions) < 2:
        return True
    unknown = {category for decision in decisions for category in decision.unknown}
    filed = not any(decision.primary in unknown for decision in decisions)
    return len({answer_text(facet, _known(facet, d, unknown, filed)) for d in decisions}) == 1


def _known(facet: Facet, decision: Decision, unknown: Collection[str], filed: bool) -> Decision:
    values = (v for v in decision.values if v not in unknown and facet.top_of(v) not in unknown)
    return replace(decision, values=tuple(values), primary=decision.primary if filed else "")


def answer_text(facet: Facet, decision: Decision) -> str:
    """Return a decision as text: the primary first, the rest in the taxonomy's order.

    A category of which a child is given goes without saying.
    """
    order = [category.id for category in facet.walk()]
    shown = (
        value
        for value in decision.values
        if not any(other.startswith(f"{value}/") for other in decision.values)
    )
    listed = sorted(shown, key=lambda v: (facet.top_of(v) != decision.primary, order.index(v)))
    return JOINER.join(listed) or (NOT_STATED if facet.may_be_unstated else "")

"""Where cues fire, how often they are right there, and what the rest of a paper says of them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.advice.cue_statistics import CueStatistics, cue_statistics, wilson_interval
from classifier.labelling.cue_index import Evidence, EvidenceCounter
from classifier.labelling.labels import Decision, FacetLabels
from classifier.labelling.views import Passage, TextViews
from classifier.taxonomy.model import Facet

GARDEN = Facet.model_validate(
    {
        "id": "topic",
        "kind": "multi",
        "categories": [
            {
                "id": "soil",
                "cues": {"title": ["soil"], "anywhere": ["compost", "water"], "against": ["pot"]},
                "children": [
                    {"id": "soil/worms", "cues": {"anywhere": ["worm~"]}},
                    {"id": "soil/mulch", "cues": {"anywhere": ["mulch", "straw"]}},
                ],
            },
            {"id": "ponds", "cues": {"title": ["pond~"], "anywhere": ["frog~", "water"]}},
            {"id": "gone", "cues": {"title": ["lawn"]}, "replaced_by": "soil"},
        ],
    }
)

# title / what the paper says / the topics that a gardener gave it; behind "?", what a machine did
PAPERS = """\
Soil for beans          / we add compost and worms and water / soil
Soil in a pot           / we add compost and mulch           / soil soil/mulch
Ponds for frogs         / we add water                       / ponds
Ponds in winter         / we add water and straw             / ponds
A rain barrel           / we add water                       / soil
Beans on a wall         / we add nothing                     / ponds
Ponds and soil          / we add worms and straw             / ? soil
Seeds by post           / we add stamps                      / ? ponds
Seeds by rail           / we add stamps                      / ? ponds
Seeds by ship           / we add stamps                      / ? ponds
Seeds by hand           / we add stamps                      / ? ponds
Seeds by mule           / we add stamps                      / ? ponds
Seeds by kite           / we add stamps                      / ? ponds"""


def views(line: str) -> TextViews:
    title, text = (
        Passage(tuple(part.lower().split()), frozenset(), None) for part in line.split("/")[:2]
    )
    return TextViews(title, (text,), (text,))


def decision(line: str) -> Decision | None:
    values = line.split("/", 2)[2].split()
    return None if "?" in values else Decision(tuple(values), values[0])


def labels(line: str) -> FacetLabels:
    values = line.split("/", 2)[2].replace("?", "").split()
    return FacetLabels(tuple(values), values[0], 1.0, "reviewed", {})


LINES = PAPERS.splitlines()
EVIDENCE = EvidenceCounter(GARDEN).count([views(line) for line in LINES])
LABELS = [labels(line) for line in LINES]
DECISIONS = [decision(line) for line in LINES]


def statistics_of(
    category: str, view: str, cue: str, evidence: Evidence = EVIDENCE
) -> CueStatistics:
    return next(
        each
        for each in cue_statistics(GARDEN, evidence, LABELS, DECISIONS)
        if (each.category, each.view, each.cue) == (category, view, cue)
    )


def judged_by_cues(evidence: Evidence) -> list[CueStatistics]:
    """What is known before anybody decided."""
    return cue_statistics(GARDEN, evidence, LABELS, [None] * len(LINES))


def test_every_cue_in_use_is_there_in_the_order_of_the_taxonomy() -> None:
    found = [
        (each.category, each.cue) for each in cue_statistics(GARDEN, EVIDENCE, LABELS, DECISIONS)
    ]
    assert found == [
        ("soil", "soil"), ("soil", "compost"), ("soil", "water"), ("soil", "pot"),
        ("soil/worms", "worm~"), ("soil/mulch", "mulch"), ("soil/mulch", "straw"),
        ("ponds", "pond~"), ("ponds", "frog~"), ("ponds", "water"),
    ]  # fmt: skip


def test_a_cue_is_right_where_people_gave_its_category() -> None:
    water = statistics_of("soil", "anywhere", "water")
    assert (water.reached, water.fired) == (13, (0, 2, 3, 4))
    assert (water.decided, water.right, water.precision) == (4, 2, 0.5)
    assert water.base == 0.5
    assert water.lift == 1.0
    assert water.instead == (("ponds", 2),)


def test_an_undecided_paper_counts_as_fired_only() -> None:
    pond = statistics_of("ponds", "title", "pond~")
    assert (len(pond.fired), pond.decided, pond.right) == (3, 2, 2)
    assert pond.share == pytest.approx(3 / 13)


def test_a_cue_against_is_right_where_its_category_is_not() -> None:
    pot = statistics_of("soil", "against", "pot")
    assert (pot.fired, pot.decided, pot.right, pot.base) == ((1,), 1, 0, 0.5)


def test_a_cue_that_never_fires_has_no_precision() -> None:
    evidence = EvidenceCounter(GARDEN).count([views("Beans / we add nothing / ?")] * 13)
    silent = statistics_of("soil", "title", "soil", evidence)
    assert (silent.fired, silent.decided, silent.told) == ((), 0, 0)
    assert math.isnan(silent.precision)
    assert math.isnan(silent.standing)


def test_a_childs_cue_is_held_against_its_siblings_on_papers_of_the_parent() -> None:
    straw = statistics_of("soil/mulch", "anywhere", "straw")
    assert (straw.reached, straw.fired) == (4, (6,))
    worms = statistics_of("soil/worms", "anywhere", "worm~")
    assert (worms.fired, worms.decided) == ((0, 6), 0), "who named the parent named no child"
    mulch = statistics_of("soil/mulch", "anywhere", "mulch")
    assert (mulch.decided, mulch.right) == (1, 1)


def test_standing_is_what_the_other_cues_of_an_undecided_paper_say() -> None:
    pond = statistics_of("ponds", "title", "pond~")
    assert (pond.told, pond.standing) == (1, 0.0), "beside it, 'Ponds and soil' says soil alone"
    assert pond.instead == (("soil", 1),)
    worms = statistics_of("soil/worms", "anywhere", "worm~")
    assert (worms.told, worms.standing) == (1, 0.0), "beside worms there is only straw"
    assert worms.instead == (("soil/mulch", 1),)


def test_credit_joins_decisions_and_standing() -> None:
    pond = statistics_of("ponds", "title", "pond~")
    assert (pond.precision, pond.judged, pond.credit) == (1.0, 3, pytest.approx(2 / 3))
    unread = next(each for each in judged_by_cues(EVIDENCE) if each.cue == "frog~")
    assert (unread.fired, unread.told, unread.credit) == ((2,), 1, 1.0), "the title says pond, too"


def test_a_cue_that_fires_everywhere_says_nothing_of_others() -> None:
    lines = [line.replace("we add", "we water") for line in LINES]
    found = judged_by_cues(EvidenceCounter(GARDEN).count([views(line) for line in lines]))
    [frog] = [each for each in found if each.cue == "frog~"]
    assert frog.standing == 1.0, "water speaks for soil, too, but it is not heard"
    water = next(each for each in found if each.cue == "water")
    assert (len(water.fired), water.told) == (13, 5), "papers with soil, compost or a pond"


def test_papers_that_a_facet_does_not_apply_to_are_not_reached() -> None:
    found = cue_statistics(GARDEN, EVIDENCE, [*LABELS[:3], *[None] * 10], DECISIONS)
    water = next(each for each in found if each.cue == "water")
    assert (water.reached, water.fired, water.decided) == (3, (0, 2), 2)


def test_a_share_of_few_says_little() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    low, high = wilson_interval(1, 3)
    assert low < 0.1
    assert high > 0.7
    low, high = wilson_interval(100, 300)
    assert 0.28 < low < 1 / 3 < high < 0.39


@given(st.integers(0, 200), st.integers(1, 200))
def test_an_interval_holds_its_share(right: int, more: int) -> None:
    of = right + more
    low, high = wilson_interval(right, of)
    assert -1e-9 <= low <= right / of <= high <= 1 + 1e-9


def test_a_decision_that_does_not_know_a_category_says_nothing_of_its_cues() -> None:
    late = [replace(each, unknown=("ponds",)) if each else None for each in DECISIONS[:1]]
    pond = next(
        each
        for each in cue_statistics(GARDEN, EVIDENCE, LABELS, [*late, *DECISIONS[1:]])
        if (each.category, each.cue) == ("ponds", "water")
    )
    assert (pond.decided, pond.right) == (3, 2)

"""Which papers answer a question alike, by the shape of the data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.survey.sections.category.groups import (
    answers_otherwise,
    group_draft,
    unanswered_draft,
)
from classifier.survey.sections.category.subject import Subject, part_subject

# papers of soil -> what is said of the question "Dug with", whose name goes on into its answers
GROUPS = {
    "no paper": ([], ""),
    "none says": ([""] * 3, ""),
    "one of one": (["dug_with=fork"], "*Dug with* a fork in one paper [1]."),
    "each": (["dug_with=fork"] * 3, "*Dug with* a fork in each of the three."),
    "one silent": (
        ["dug_with=fork", "dug_with=spade", "dug_with=spade", ""],
        "*Dug with* a spade in two papers [2], [3] and a fork in one [1]; one does not say [4].",
    ),
    "several silent": (
        ["dug_with=spade", "", ""],
        "*Dug with* a spade in one paper [1]; the other two do not say.",
    ),
    "two answers of one paper": (
        ["dug_with=spade+fork"],
        "*Dug with* a spade in one paper [1] and a fork in one [1].",
    ),
    "a long list leads on": (
        ["dug_with=spade"] * 12 + [""] * 2,
        "*Dug with* a spade in 12 papers [1], [2], [3], [4], [5], [6], [7], [8], … [all 12]; "
        "the other two do not say.",
    ),
}


@pytest.mark.parametrize(("lines", "wanted"), GROUPS.values(), ids=GROUPS)
def test_papers_that_answer_alike_are_a_group(
    lines: list[str], wanted: str, subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    subject = subject_of(lines)
    facet = subject.material.taxonomy.facet("dug_with")
    assert read([group_draft(subject, facet)]) == wanted


def test_after_a_name_that_is_no_preposition_stands_a_colon(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    subject = subject_of(["moisture=wet", "moisture=wet"])
    facet = subject.material.taxonomy.facet("moisture")
    assert read([group_draft(subject, facet)]) == "*Moisture*: wet in each of the two."


def test_of_papers_on_which_nobody_decided_it_is_not_said_that_they_do_not_say(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    facet = subject_of([]).material.taxonomy.facet("eligible")
    subject = subject_of(["eligible=in", "", ""])
    wanted = "*Eligible*: included in one paper [1]; the other two have no answer."
    assert read([group_draft(subject, facet)]) == wanted
    subject = subject_of(["eligible=in", ""])
    wanted = "*Eligible*: included in one paper [1]; one has no answer [2]."
    assert read([group_draft(subject, facet)]) == wanted


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ([], ""),
        (["dug_with=fork moisture=dry"], ""),
        (["dug_with=fork", ""], "No text says anything under *Moisture*."),
        (["", ""], "No text says anything under *Dug with* or *Moisture*."),
    ],
)
def test_a_question_that_nobody_answers_is_named(
    lines: list[str], wanted: str, subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    subject = subject_of(lines)
    assert read([unanswered_draft(subject, subject.own_facets)]) == wanted


def test_the_sources_of_a_group_are_the_queries_that_count_it(
    subject_of: Callable[..., Subject],
) -> None:
    subject = subject_of(["dug_with=spade", ""])
    draft = group_draft(subject, subject.material.taxonomy.facet("dug_with"))
    assert draft is not None
    assert (draft.name, draft.kind) == ("by-dug_with", "T")
    assert draft.source == "facts: dug_with=spade&filed=soil, dug_with=none&filed=soil"


def test_a_part_answers_otherwise_where_another_answer_is_commoner_there(
    subject_of: Callable[..., Subject],
) -> None:
    lines = ["topic=soil+soil/compost dug_with=fork"] * 2 + ["dug_with=spade"] * 3
    whole = subject_of(lines)
    facet = whole.material.taxonomy.facet("dug_with")
    part = part_subject(whole.material, whole.category, whole.category.children[0])
    assert part.number == 2
    assert answers_otherwise(part, whole, facet)
    assert not answers_otherwise(whole, whole, facet)

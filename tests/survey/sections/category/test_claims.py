"""What the editors claim, and under it what the data says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.survey.sections.category.claims import claim_runs, claimed
from classifier.survey.sections.category.subject import Subject

PAPERS = [
    "dug_with=spade code=https://a.example | Introduces dirt. The Spade test gives 3%.",
    "dug_with=spade topic=soil+seeds contribution=study",
    "",
]

# a piece of evidence -> what stands under the claim
EVIDENCE = {
    "dug_with": "*Dug with* a spade in two papers [1], [2]; one does not say [3].",
    "dug_with: fork": (
        "*Dug with* a spade in two papers [1], [2] and a fork in none; one does not say [3]."
    ),
    "moisture": "No text says anything under *Moisture*.",
    "benchmarks: Spade test": "Of the three, one names Spade test [1].",
    "benchmarks: Worm count": "Of the three, none names Worm count.",
    "benchmarks": "",
    "topic: seeds": "Of the three, [one] also belongs to [Seeds].",
    "topic: rain": "Of the three, none also belongs to [Rain].",
    "topic: soil/compost": "No paper falls under Compost.",
    "contribution: benchmark": (
        "Of the three, two contribute a method, one a study and none a benchmark."
    ),
    "contribution": "Of the three, two contribute a method and one a study.",
    "code": "Of the three, [one] links code or announces a release.",
    "result": "Of the three, [one] states a result with a figure.",
}


@pytest.mark.parametrize(("evidence", "wanted"), EVIDENCE.items())
def test_under_a_claim_stands_what_the_data_says_to_it(
    evidence: str, wanted: str, subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    claim = {"text": "Spades win.", "by": "Ada", "on": "2025-03", "evidence": [evidence]}
    first, second = claim_runs(subject_of(PAPERS, [claim]))
    assert read(first) == "Spades win. — Ada, 2025-03"
    assert read(second) == wanted


def test_the_same_evidence_stands_once_and_its_parts_are_not_told_again(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    claims = [
        {"text": "Spades win.", "by": "Ada", "evidence": ["dug_with: spade", "dug_with"]},
        {"text": "So they do.", "by": "Ada", "evidence": ["dug_with", "dug_with: fork", "code"]},
    ]
    subject = subject_of(PAPERS, claims)
    _, under_first, _, under_second = claim_runs(subject)
    assert read(under_first) == EVIDENCE["dug_with: fork"]
    assert read(under_second) == EVIDENCE["code"]
    assert claimed(subject) == {"dug_with", "code"}


def test_evidence_of_one_kind_is_one_sentence_that_tells_of_the_other_answers_too(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    evidence = ["topic: soil/compost", "topic: seeds", "topic: rain", "contribution: method",
                "contribution: study"]  # fmt: skip
    _, said = claim_runs(subject_of(PAPERS, [{"text": "So.", "by": "Ada", "evidence": evidence}]))
    assert read(said) == (
        "No paper falls under Compost. "
        "Of the three, [one] also belongs to [Seeds] and none to [Rain]. "
        "Of the three, two contribute a method and one a study."
    )


def test_claims_that_point_to_the_same_stand_above_it_together(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    claims = [
        {"text": "Spades win.", "by": "Ada", "evidence": ["dug_with"]},
        {"text": "Forks lose.", "by": "Ada", "evidence": ["dug_with: fork"]},
    ]
    first, second, evidence = claim_runs(subject_of(PAPERS, claims))
    assert (read(first), read(second)) == ("Spades win. — Ada", "Forks lose. — Ada")
    assert read(evidence) == EVIDENCE["dug_with: fork"]


def test_a_claim_on_a_topic_without_papers_stands_alone(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    claim = {"text": "Spades win.", "by": "Ada", "evidence": ["dug_with", "code", "topic: rain"]}
    first, second = claim_runs(subject_of([], [claim]))
    assert (read(first), read(second)) == ("Spades win. — Ada", "")

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
    "dug_with: spade": "*Dug with* a spade in two of the three papers [1], [2].",
    "dug_with: fork": "*Dug with* a fork in none of the three papers.",
    "moisture": "No text says anything under *Moisture*.",
    "benchmarks: Spade test": "Of the three, one names Spade test [1].",
    "benchmarks: Worm count": "Of the three, none names Worm count.",
    "benchmarks": "",
    "topic: seeds": "Of the three, [one] also belongs to [Seeds].",
    "topic: rain": "Of the three, none also belongs to [Rain].",
    "topic: soil/compost": "Of the three, none falls under Compost.",
    "contribution: study": "Of the three, one contributes a study [2].",
    "contribution: benchmark": "Of the three, none contributes a benchmark.",
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
    assert read(under_first) == EVIDENCE["dug_with"]
    assert read(under_second) == EVIDENCE["code"]
    assert claimed(subject) == {"dug_with", "code"}


def test_evidence_of_one_kind_is_one_sentence(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    evidence = ["topic: soil/compost", "topic: seeds", "topic: rain", "contribution: method",
                "contribution: study"]  # fmt: skip
    _, said = claim_runs(subject_of(PAPERS, [{"text": "So.", "by": "Ada", "evidence": evidence}]))
    assert read(said) == (
        "Of the three, none falls under Compost, [one] also belongs to [Seeds] and none to [Rain]. "
        "Of the three, two contribute a method [1], [3] and one contributes a study [2]."
    )


def test_no_claim_stands_without_evidence_since_another_told_it(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    claims = [
        {"text": "Spades win.", "by": "Ada", "evidence": ["dug_with"]},
        {"text": "Forks lose.", "by": "Ada", "evidence": ["dug_with: fork"]},
    ]
    *_, last = claim_runs(subject_of(PAPERS, claims))
    assert read(last) == EVIDENCE["dug_with: fork"]


def test_a_claim_on_a_topic_without_papers_stands_alone(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    claim = {"text": "Spades win.", "by": "Ada", "evidence": ["dug_with", "code", "topic: rain"]}
    first, second = claim_runs(subject_of([], [claim]))
    assert (read(first), read(second)) == ("Spades win. — Ada", "")

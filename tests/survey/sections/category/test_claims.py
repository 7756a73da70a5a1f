"""What the editors argue, as it is printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inline_snapshot import snapshot

from classifier.survey.sections.category.claims import claim_runs, thesis_runs
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.frame import conclusion_sections
from classifier.taxonomy.claims import Claim, Claims, Placement, Thesis

PAPERS = [
    " | Introduces Digger. Digger beats the spade by 3%.",
    " | Introduces Rake. It loses to the spade in wet soil.",
    " | Introduces Hoe.",
]


def said(subject: Subject, claims: Claims, read: Callable[..., str]) -> list[str]:
    survey = replace(subject.survey, claims=claims)
    runs = [*thesis_runs(survey, "soil"), *claim_runs(survey, "soil")]
    return [text for run in runs if (text := read(run))]


def test_a_claim_is_followed_by_the_sentences_that_bear_on_it(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    subject = subject_of(PAPERS)
    ids = [entry.paper.id for entry in subject.survey.entries]
    claim = Claim(
        "Machines win.",
        "soil",
        "Ada, 2026-11",
        False,
        (
            Placement("for", ids[0], "beats the spade", "", 1),
            Placement("against", ids[1], "loses to the spade", "", 2),
            Placement("against", "arxiv:9999.00001", "is gone", "", 3),
            Placement("beside", ids[2], "", "", 4),
        ),
        1,
    )
    told = said(subject, Claims((), (claim,)), read)
    assert told[0] == snapshot("Machines win. — Ada, 2026-11")
    assert told[1].startswith("**For:** Digger beats the spade by 3% (")
    assert told[2].startswith("**Against:** It loses to the spade in wet soil (")
    assert told[3] == snapshot("Read as well, and placed on no side: *Paper 3* [3].")
    assert told[4].startswith("Evidence changed: struck until the editors have read again")


def test_the_survey_ends_with_all_claims_and_how_they_stand(
    subject_of: Callable[..., Subject],
) -> None:
    survey = subject_of(PAPERS).survey
    spade = survey.entries[0].paper.id
    claims = [
        Claim(f"It is {word}.", "soil", "Ada", word == "wet", placements, 1)
        for word, placements in (
            ("wet", ()),
            ("dry", (Placement("for", spade, "digs dry", "", 1),)),
            (
                "deep",
                (
                    Placement("for", spade, "digs deep", "", 1),
                    Placement("against", spade, "too deep to dig", "", 1),
                ),
            ),
            ("hard", (Placement("against", spade, "soft as butter", "", 1),)),
            ("soft", (Placement("mixed", spade, "soft after rain", "", 1),)),
        )
    ]
    (end,) = conclusion_sections(replace(survey, claims=Claims((), tuple(claims))))
    (block,) = end.blocks
    assert [sentence.text for sentence in block.sentences] == [  # type: ignore[union-attr]
        f"**[Soil](#soil).** Disputed: [It is deep](#soil-{claims[2].name}) (1 for, 1 against).",
        f"Spoken against: [It is hard](#soil-{claims[3].name}) (1 against).",
        f"Depends on conditions: [It is soft](#soil-{claims[4].name}) (1 mixed).",
        f"Supported: [It is dry](#soil-{claims[1].name}) (1 for).",
        f"Untested: [It is wet](#soil-{claims[0].name}).",
    ]
    assert conclusion_sections(survey) == []


def test_a_sentence_that_two_claims_point_at_stands_under_both(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    subject = subject_of(PAPERS)
    beats = (Placement("for", subject.survey.entries[0].paper.id, "beats the spade", "", 1),)
    claims = [Claim(text, "soil", "Ada", False, beats, 1) for text in ("One.", "Two.")]
    told = said(subject, Claims((), tuple(claims)), read)
    assert told[1] == told[3]
    assert told[1].startswith("**For:** Digger beats the spade by 3% (")


def test_an_open_claim_and_a_thesis_name_papers_by_number(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    subject = subject_of(PAPERS)
    ids = [entry.paper.id for entry in subject.survey.entries]
    beside = (Placement("beside", ids[1], "", "", 1),)
    claim = Claim("Rain helps.", "soil", "Ada", True, beside, 1)
    thesis = Thesis(f"Two ways [{ids[0]};\n{ids[2]}].\n\nOne is open.", "soil", "Ada", 1)
    told = said(subject, Claims((thesis,), (claim,)), read)
    assert told[0] == "Two ways [1], [3]."
    assert told[1] == snapshot("One is open. — Ada")
    assert "here reports a test of it.)" in told[2]
    assert told[3] == snapshot("The question arises with *Paper 2* [2].")

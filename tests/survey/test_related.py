from __future__ import annotations

import pytest

from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.survey.entry import SurveyPaper
from classifier.survey.related import (
    informative_words,
    papers_mentioning,
    related_papers,
    shared_words,
    word_counts,
)

LABELS = FacetLabels(("a",), "a", 1.0, "reviewed", {"a": 1.0}, ())


def entries(*texts: str) -> list[SurveyPaper]:
    """Return papers whose title is the part of their text before the slash."""
    return [
        SurveyPaper(
            Paper(text.partition(" / ")[0], id=f"p{n}", abstract=text.partition(" / ")[2]),
            PaperLabels(f"p{n}", {"topic": LABELS}),
            n + 1,
            LABELS,
            (),
            {},
        )
        for n, text in enumerate(texts)
    ]


BIRDS = entries(
    "Crows bend wire / A hook from wire lifts the food.",
    "Song of the lark / Larks sing at dawn.",
    "Wire hooks in the wild / Crows make a hook and lift food.",
    "Dawn song / Many birds sing, the lark first.",
    "Taxes / Nothing to do with birds whatsoever.",
)


def test_the_most_similar_papers_come_first() -> None:
    related = related_papers(BIRDS)
    assert related["p0"][0] == "p2"
    assert related["p1"][0] == "p3"
    assert "p4" not in related["p0"]


def test_a_paper_is_not_related_to_itself_and_the_list_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("classifier.survey.related.MAX_RELATED", 1)
    related = related_papers(BIRDS)
    assert all(len(found) <= 1 and paper not in found for paper, found in related.items())


def test_equal_cosines_are_sorted_by_reference_number() -> None:
    same = entries("Wire hooks", "Wire hooks", "Wire hooks", "Lark song", "Lark song")
    assert related_papers(same)["p1"] == ("p0", "p2")


@pytest.mark.parametrize("texts", [(), ("Alone / in the world",), ("", ""), ("x", "x")])
def test_a_very_small_survey_has_no_related_papers(texts: tuple[str, ...]) -> None:
    assert not any(related_papers(entries(*texts)).values())


def named_by(entries: list[SurveyPaper]) -> dict[str, list[str]]:
    return {
        paper: [e.paper.id for e in found] for paper, found in papers_mentioning(entries).items()
    }


def test_an_abbreviation_that_other_papers_spell_out_is_not_the_name_of_a_paper() -> None:
    nests = entries(
        "NBI: time to end bad boxes / An opinion on boxes in gardens. NBI is not enough.",
        "Nest box inspection in towns / Nest box inspection (NBI) spreads. NBI helps.",
        "Who inspects / We ask keepers what they think of NBI.",
    )
    assert named_by(nests) == {}


def test_a_paper_introduces_its_own_abbreviation() -> None:
    silent, spelled = (
        f"LARK: songs by machine / {text}"
        for text in ("An opinion on songs.", "We propose Learned Avian Rhythm Kits (LARK).")
    )
    other = "Crows sing / Crows sing louder than LARK does."
    assert named_by(entries(silent, other)) == {}
    assert named_by(entries(spelled, other)) == {"p0": ["p1"]}


def test_a_mixed_case_name_needs_no_introduction_but_a_plain_word_is_not_a_name() -> None:
    titles = ("SongNet: an engine / Fast.", "E-song: a bird / Quick.")
    other = "Crows / Crows beat SongNet in E-song."
    assert named_by(entries(*titles, other)) == {"p0": ["p2"]}


def test_words_of_titles_explain_a_similarity() -> None:
    larks = (
        "Larks without nests / Mostly evaluated at dawn.",
        "How larks without hope sing / Mostly evaluated.",
    )
    birds = entries(*larks, *(f"Crow {number}" for number in range(60)))
    texts = [word_counts(entry) for entry in birds]
    informative = informative_words(birds, texts)
    assert informative == {"larks": 2}
    assert shared_words(*texts[:2], informative, len(birds)) == ["larks"]


def test_a_word_that_is_rare_in_titles_is_jargon() -> None:
    crows = (f"Crow {number} / We improve nests." for number in range(30))
    birds = entries("Nests improve / Larks.", "How nests improve / Larks.", *crows, *["Jay"] * 30)
    assert informative_words(birds, [word_counts(entry) for entry in birds]) == {}
    few = entries("Nests improve / Larks.", "How nests improve / Larks.", *["Jay"] * 60)
    assert set(informative_words(few, [word_counts(entry) for entry in few])) == {
        "nests",
        "improve",
    }

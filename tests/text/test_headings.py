"""What the headings of structured abstracts are, and which words before a colon are none."""

from __future__ import annotations

import pytest

from classifier.text.headings import headings_of, parts_of
from classifier.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("sentence", "heading", "parts"),
    [
        ("BACKGROUND AND AIMS: Bread dries.", "BACKGROUND AND AIMS: ", "aim background"),
        ("METHODS/RESULTS: We ask.", "METHODS/RESULTS: ", "method result"),
        ("Patients and methods: We ask.", "Patients and methods: ", "method"),
        ("SUMMARY OF BACKGROUND DATA: It dries.", "SUMMARY OF BACKGROUND DATA: ", "background"),
        ("PRIMARY OUTCOME MEASURES: Dryness.", "PRIMARY OUTCOME MEASURES: ", "method"),
        ("CASE PRESENTATION: A baker came.", "CASE PRESENTATION: ", "case"),
        ("Results – It dries.", "Results – ", "result"),
        ("Conclusions.", "Conclusions.", "conclusion"),
        ("TRIAL REGISTRATION: NCT01.", "TRIAL REGISTRATION: ", "other"),
        ("Purpose – This paper asks.", "Purpose – ", "aim"),
        ("(3) Methods: We ask.", "(3) Methods: ", "method"),
        ("Purpose of the article: To ask.", "Purpose of the article: ", "aim"),
        ("UNLABELLED: Bread dries.", "UNLABELLED: ", "text"),
    ],
)
def test_a_heading_tells_in_which_part_a_sentence_stands(
    sentence: str, heading: str, parts: str
) -> None:
    (found,) = headings_of([sentence])
    assert found
    assert sentence[: found.length] == heading
    assert sorted(found.parts) == parts.split()


@pytest.mark.parametrize(
    "sentence",
    [
        "Crumb: a method of bread.",
        "We ask two questions: why, and how.",
        "The results: none.",
        "results: none.",
        "Methods Data were taken.",
        "Results show that it dries.",
        "Methods for the study of bread in the homes of old people by the sea and in towns: few.",
    ],
)
def test_other_words_before_a_colon_are_no_heading(sentence: str) -> None:
    assert headings_of([sentence]) == [None]


def test_headings_without_a_colon_vouch_for_one_another() -> None:
    sentences = ["Aims To ask.", "Methods Data were taken.", "They dried."]
    first, second, third = headings_of(sentences)
    assert first
    assert second
    assert (first.length, second.length, third) == (5, 8, None)
    assert list(parts_of([first, second, third])) == [{"aim"}, {"method"}, {"method"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bread dries. RESULTS: It does.", True),
        ("Aims To ask. Methods Data were taken.", True),
        ("METHODS/RESULTS: It dries.", True),
        ("Purpose – This asks. Design/methodology/approach – By asking, it knows.", True),
        ("Bread dries. Results show it: it does.", False),
        ("We study a question: does it dry?", False),
        ("", False),
    ],
)
def test_whether_a_text_has_headings(text: str, expected: bool) -> None:
    assert any(headings_of([span.text for span in split_sentences(text)])) is expected

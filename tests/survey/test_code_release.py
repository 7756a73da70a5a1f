"""The release of code, models and data that a text states."""

from __future__ import annotations

import pytest

from classifier.survey.code_release import code_statement, released_artifacts
from classifier.text.roles import RoledSentence
from classifier.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("The framework is open source.", "said to be released"),
        ("We also release our code.", "said to be released"),
        ("Task definitions and evaluation code are released.", "said to be released"),
        ("The code is at https://oven.example/code.", "said to be released"),
        ("An open-source codebase and a demo are provided.", "said to be released"),
        (
            "Environments, datasets, benchmarks and interfaces are open-sourced.",
            "said to be released",
        ),
        ("The corpus and the curation tools are released.", "said to be released"),
        ("The ecosystem and model weights are released.", "said to be released"),
        ("Environments, models and trajectories will be open-sourced.", "said to follow"),
        ("Code and data will be made available.", "said to follow"),
        ("The framework is planned to be open-sourced.", "said to follow"),
        # Not code, or not released.
        ("Data are now open access under a CC BY licence.", ""),
        ("The checkpoint is open-sourced.", ""),
        ("We release a benchmark for code generation.", ""),
        ("A repository of the papers is available.", ""),
        ("Open-source tools score the output of code.", ""),
        ("Tests on an open-sourced academic dataset support each component.", ""),
        ("Evidence that release affects populations is scarce.", ""),
    ],
)
def test_a_sentence_on_releases_states_whether_code_is_released(text: str, statement: str) -> None:
    (span,) = split_sentences(text)
    assert code_statement([RoledSentence(span, "release")]) == statement
    assert code_statement([RoledSentence(span, "method")]) == ""


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (
            "Presents Oven, a lightweight and open-source framework in Python.",
            "said to be released",
        ),
        ("Presents Loaf, a model, together with an open-source toolkit.", "said to be released"),
        ("We introduce an open-source generalist multi-agent system.", "said to be released"),
        ("Introduces a family of open-source multimodal models.", ""),
        ("Compares prompts on various open-source frameworks.", ""),
        ("The design is grounded in Stove, an open-source framework.", ""),
        ("Presents a benchmark drawn from open-source software.", ""),
    ],
)
def test_an_open_source_contribution_is_released(text: str, statement: str) -> None:
    (span,) = split_sentences(text)
    assert code_statement([RoledSentence(span, "contribution")]) == statement
    assert code_statement([RoledSentence(span, "result")]) == ""


@pytest.mark.parametrize(
    ("text", "artifacts"),
    [
        ("The ecosystem and model weights are released.", ("models",)),
        ("Environments, models and trajectories will be open-sourced.", ("models", "data")),
        ("The code of the model is available.", ()),
        ("A list of papers and datasets is published.", ()),
        ("Models trained on open data do better.", ()),
    ],
)
def test_a_sentence_states_the_release_of_models_and_data(
    text: str, artifacts: tuple[str, ...]
) -> None:
    (span,) = split_sentences(text)
    assert released_artifacts([RoledSentence(span, "release")]) == artifacts
    assert released_artifacts([RoledSentence(span, "result")]) == ()

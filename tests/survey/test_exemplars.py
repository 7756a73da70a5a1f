"""Which papers stand for the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.survey.entry import Entry
from classifier.survey.exemplars import (
    _vectors,
    choose_exemplars,
    most_central,
    shown_beside_its_title,
    stands_alone,
)

MakeEntry = Callable[..., Entry]


def test_the_vectors_are_those_of_scikit_learn() -> None:
    texts = ["spade spade rake", "rake", "hoe and spade", ""]
    learner = TfidfVectorizer(tokenizer=str.split, token_pattern=None, sublinear_tf=True)
    wanted = learner.fit_transform(texts).toarray()
    words = learner.get_feature_names_out()
    found = [[row.get(word, 0.0) for word in words] for row in _vectors(texts)]
    assert np.allclose(found, wanted)


def test_central_papers_that_differ_are_chosen_and_given_by_number(make_entry: MakeEntry) -> None:
    texts = ["Introduces a spade for clay."] * 4 + ["Introduces a rake for leaves."] * 3
    texts += ["Introduces tea."]
    chosen = choose_exemplars([make_entry(n, text=t) for n, t in enumerate(texts, 1)], 2)
    assert [entry.contribution for entry in chosen] == [texts[0], texts[4]]


def test_a_paper_that_states_nothing_by_itself_is_no_example(make_entry: MakeEntry) -> None:
    entries = [make_entry(1), make_entry(2, text="Introduces a spade.")]
    assert [entry.number for entry in choose_exemplars(entries)] == [2]
    assert choose_exemplars(entries, 3, lambda entry: "") == []


def test_key_papers_are_the_most_central(make_entry: MakeEntry) -> None:
    entries = [make_entry(n, text="Introduces a spade.") for n in (1, 2, 3)]
    odd = replace(make_entry(4, text="Introduces tea."), key=object())
    assert [entry.number for entry in most_central([*entries, odd], 2)] == [4, 1]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("", False),
        ("It wins.", False),
        ("Analyzes this flaw.", False),
        ("These spades win.", False),
        ("Furthermore, they win.", False),
        ("Additionally, rust was studied.", False),
        ("Based on the findings, we propose lines for future work.", False),
        ("She said that spades win.", False),
        ("Why should spades win?", False),
        ("Spades win with growing evidence of strong associatio…", False),
        ("Spades win.They win.And they win." * 20, False),
        ("In this paper spades win.", True),
        ("Spades win at 2\ufffdK.", False),
        ("Spades win, and you can print them.", False),
        ("In this fascinating book the authors dig.", False),
        ("Spades (and rakes win.", False),
        ("and many other spades win.", False),
        ("Two of them win.", False),
        ("In 1933, he wrote of spades.", False),
        ("Methods Here we dig.", False),
        ("Areas covered: Spades win.", False),
        ("Study focus Through spades we dig.", False),
        ("In previous work we dug.", False),
        ("Spades address this gap in the literature.", False),
        ("Spades win • rakes lose.", False),
        ("Miller?s spades win.", False),
        ("Spades are structured", False),
        ("We dug for the metal of this blade with rakes.", False),
        ("We aim to tell spades from rakes and hoes by the weight of this blade.", False),
        ("We ask how spades are told from rakes and who then made this blade.", True),
        ("Spades win by the laws of theMiller school.", False),
        ("Spades win at [Formula: see text] meters.", False),
        ("In this radiant study spades win.", False),
        ("We have also dug with rakes.", False),
        ("We previously dug with rakes.", False),
        ("We will survey a few of the current observations.", False),
        ("Blades are analyzed using one of the models discussed.", False),
        ("Blades of Cu& Mg are reported.", False),
        ("Forging is a cheap technique. in the present work, we forge.", False),
        ("We ask of handles,weights and blades.", False),
        ("Blades are told from rakes (see Fig. 2).", False),
        ("We show how losses of the kind described above may spread.", False),
        ("We explain the results by a theory of rust.", False),
        ("The last section of the book asks who digs.", False),
        ("The study of their shape tells blades from rakes.", False),
        ("(JEL D42)", False),
        ("p-type spades win.", True),
        ("Spades win, 1) by digging and 2) by weight.", True),
        ("Spades win.", True),
    ],
)
def test_a_sentence_stands_alone_where_it_points_to_nothing_before(
    sentence: str, wanted: bool
) -> None:
    assert stands_alone(sentence) == wanted


def test_beside_its_title_a_paper_may_speak_of_itself() -> None:
    assert shown_beside_its_title("This paper digs.", "Spades")
    assert not shown_beside_its_title("This may reflect wet soil.", "Spades")
    assert not shown_beside_its_title("This paper also digs.", "Spades")
    assert not shown_beside_its_title("In our previous work we dug.", "Spades")


def test_what_is_meant_stands_in_the_title_or_the_sentence_is_not_shown() -> None:
    asked = "This study explores these blades with gardeners."
    assert not shown_beside_its_title(asked, "Spades")
    assert shown_beside_its_title(asked, "Blades of spades")
    assert shown_beside_its_title("This study addresses this gap by digging.", "Spades")
    assert shown_beside_its_title("In order to meet this want, we dig.", "Rakes")
    assert shown_beside_its_title("In this context, the study asks how to dig.", "Rakes")
    assert not shown_beside_its_title("Spades win by digging. " * 30, "Spades")


def test_a_sentence_in_another_language_than_its_english_title_is_not_shown() -> None:
    german = "Wir untersuchen, wie Spaten in nassem Boden brechen."
    assert shown_beside_its_title(german, "Spaten in nassem Boden")
    assert not shown_beside_its_title(german, "On the breaking of spades")

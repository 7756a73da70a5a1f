"""Sentences that can be quoted."""

from __future__ import annotations

import pytest

from classifier.papers.paper import Paper
from classifier.survey.quotation import (
    has_clear_abbreviations,
    is_clear_with_title,
    is_quotable,
    shares_subject,
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
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
        ("To review what spades do.", False),
        ("1) Spades rust in clay; 2) rakes rust in sand.", False),
        ("Depth did not differ between the groups.", False),
        ("Depth did not differ between groups of spades.", False),
        ("Spades win in the hands of complex 10.", False),
        ("This systematic review of spades asks who digs.", True),
        ("To see what spades do, we dig.", True),
        ("Spades break under heavy loads ( 20 kg).", False),
        ("Spades of Cu20 win.", False),
        ("Under both conditions spades win.", False),
        ("Both spades and rakes win.", False),
        ("Spades win both by day and by night.", True),
        ("The rusty sample of spades broke.", False),
        ("The slope of f depends on spades.", False),
        ("Following Spade, I then dig.", False),
        ("We dig (research aim 1).", False),
        ("In this paper spades win.", True),
        ("Spades win at 2\ufffdK.", False),
        ("Spades win, and you can print them.", False),
        ("In this fascinating book the authors dig.", False),
        ("To dig in the dark, they use lamps.", False),
        ("Rusty spades, however, break.", False),
        ("Curiously, rakes last longer.", False),
        ("From our data we have also weighed spades.", False),
        ("The depth of group A was less than that of group B.", False),
        ("The depth of that spade grew.", False),
        ("Taken together, spades win.", False),
        ("To do so, we dig.", False),
        ("The two blades explained most holes.", False),
        ("To solve the above questions, we dig.", False),
        ("Originality/value: Rakes are new.", False),
        ("Spades last as Miller reported recently [Phys.", False),
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
        ("We ask how a blade is told from rakes and who then made this blade.", True),
        ("These papers dig.", False),
        ("This study aimed to clarify its links with rust.", False),
        ("The aim of the study of spades was to weigh their blades.", True),
        ("Blades of 3a(+) and 3b(+) differ.", False),
        ("In Experiment 1, spades win.", False),
        ("Spades dig 95%++ of all tech- niques.", False),
        ("We show that the grip of wet spades also varies.", False),
        ("We conduct similar analyses with rakes.", False),
        ("Spades are a one-handed, a European and a useful tool.", True),
        ("Spades win by the laws of theMiller school.", False),
        ("Spades win at [Formula: see text] meters.", False),
        ("In this compelling study spades win.", False),
        ("We have also dug with rakes.", False),
        ("We previously dug with rakes.", False),
        ("We will survey a few of the current observations.", False),
        ("Forging is a cheap technique. in the present work, we forge.", False),
        ("We ask of handles,weights and blades.", False),
        ("Blades are told from rakes (see Fig. 2).", False),
        ("We show how losses of the kind described above may spread.", False),
        ("The last section of the book asks who digs.", False),
        ("The study of their shape tells blades from rakes.", False),
        ("(JEL D42)", False),
        ("RESULTS: Spades win.", False),
        ("However, spades may break.", False),
        ("To make it clear, we dig.", False),
        ("That's why we built spades.", False),
        ("We first dig into clay.", False),
        ("In this paper, we first dig, then rake.", True),
        ("We for the first time dig.", True),
        ("We share three ways to dig: the first we call Rake.", False),
        ("A more detailed study of spades is presented.", False),
        ("A more detailed study of spades is needed.", True),
        ("(SVMs) and (CNNs) are used to dig.", False),
        ("This This paper digs.", False),
        ("Our study addresses the issue by digging.", False),
        ("We argue that the same blades dig deeper.", False),
        ("Blades are sharp, and we argue that the same blades dig deeper.", True),
        ("p-type spades win.", True),
        ("Spades win, 1) by digging and 2) by weight.", True),
        ("Spades win.", True),
    ],
)
def test_a_quotable_sentence_does_not_refer_to_earlier_ones(sentence: str, expected: bool) -> None:
    assert is_quotable(sentence, Paper("Rust", abstract_kind="digest")) == expected


def test_next_to_its_title_a_sentence_may_refer_to_the_paper() -> None:
    assert is_clear_with_title("Spades", "This paper digs wet clay.")
    assert not is_clear_with_title("Spades", "This may reflect wet clay soil.")
    assert not is_clear_with_title("Spades", "This paper also digs wet clay.")
    assert not is_clear_with_title("Spades", "In our previous work we dug wet clay.")
    assert not is_clear_with_title("Spades", "This paper digs.")  # what, it does not say


def test_a_sentence_about_a_patient_shares_the_subject_of_the_title() -> None:
    title = "Spinal abscess by a spade in a diabetic"
    said = "We report the case of a 44-year-old diabetic woman"
    assert not is_clear_with_title(title, f"{said} admitted for fever of four weeks.")
    assert is_clear_with_title(title, f"{said} admitted for a spinal abscess.")


def test_a_reference_must_be_resolved_by_the_title() -> None:
    asked = "This study explores these blades with gardeners."
    assert not is_clear_with_title("Spades", asked)
    assert is_clear_with_title("Blades of spades", asked)
    assert not is_clear_with_title("Spades", "Spades win by digging. " * 30)


def test_a_sentence_shares_a_content_word_with_its_title() -> None:
    assert shares_subject("Rust on spades", "We examined 30 spades.")
    assert shares_subject("Rust on spades", "A rusty spade breaks.")
    assert not shares_subject("Rust on spades", "We examined 30 weblogs.")
    assert not shares_subject("A report on spades", "We report a man.")
    assert not shares_subject("The study of spades", "The study was done at two centres.")


def test_only_sentences_of_abstracts_must_share_a_word_with_the_title() -> None:
    hanging = "Rescue was achieved."
    assert not is_quotable(hanging, Paper("Rust on spades", abstract_kind="abstract"))
    assert is_quotable(hanging, Paper("Rust on spades", abstract_kind="digest"))


def test_a_sentence_in_another_language_than_its_english_title_is_not_shown() -> None:
    german = "Wir untersuchen, wie Spaten in nassem Boden brechen."
    assert is_clear_with_title("Spaten in nassem Boden", german)
    assert not is_clear_with_title("On the breaking of spades", german)


def test_an_abbreviation_must_be_spelled_out_if_the_text_does() -> None:
    text = "We weighed long-handled spades (LHS). LHSs win. Of five LHS (long ones) none broke."
    assert not has_clear_abbreviations("LHSs win.", text)
    assert has_clear_abbreviations("We weighed long-handled spades (LHS).", text)
    assert has_clear_abbreviations("In the USA spades win.", text)

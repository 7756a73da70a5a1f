"""What a paper says, with its name put to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from inline_snapshot import snapshot

from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind, told_of

# title, what the digest states -> the sentence, and the words in it that are the digest's
DIGESTS = {
    "the name again, then what it is": (
        "Digger:_A_Spade", "Introduces Digger, a spade that sings.",
        "*Digger* [1] is a spade that sings.", "a spade that sings."),
    "the name in another case, spelled out": (
        "DIGGER:_A_Spade", "Presents Deep Soil Gear (Digger), the first spade that sings.",
        "*DIGGER* [1] is the first spade that sings.", "the first spade that sings."),
    "the name again, and no word on what it is": (
        "Digger:_A_Spade", "Introduces Digger for gardens without light.",
        "*Digger* [1] introduces Digger for gardens without light.", ""),
    "two things": (
        "Digger:_A_Spade", "Introduces Digger, a spade, and Raker, a rake.",
        "*Digger* [1] introduces Digger, a spade, and Raker, a rake.", ""),
    "another name": (
        "Gardens_at_Night", "Proposes a lamp for spades.",
        "*Gardens at Night* [1] proposes a lamp for spades.", ""),
    "no verb in front": (
        "Gardens_at_Night", "Spades rust.", "Spades rust (*Gardens at Night* [1]).", "Spades rust"),
    "signs of Markdown": (
        "Gardens_at_Night", "Proposes digging* with a_b.",
        r"*Gardens at Night* [1] proposes digging\* with a\_b.", ""),
}  # fmt: skip


@pytest.mark.parametrize(("title", "stated", "expected", "words"), DIGESTS.values(), ids=DIGESTS)
def test_a_digest_gets_its_subject(
    title: str,
    stated: str,
    expected: str,
    words: str,
    subject_of: Callable[..., Subject],
    read: Callable[..., str],
) -> None:
    (entry,) = subject_of([f"title={title} | It rained. {stated}"]).entries
    draft = told_of("example", entry, stated, "")
    assert read([draft]) == expected
    assert (draft.kind, draft.source) == ("P", f"paper: {entry.paper.id}")
    start, end = draft.span or (0, 0)
    assert entry.paper.abstract_display[start:end] == (words or stated)


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ("To compare spades, rakes and forks.", "gives as its aim"),
        ("To compare them, we dug for days.", "states"),
        ("To this end we dug.", "states"),
        ("Two spades were compared.", "states"),
    ],
)
def test_half_a_sentence_behind_a_heading_is_called_an_aim(
    stated: str, says: str, subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    (entry,) = subject_of([f"title=Dig text=abstract | {stated}"]).entries
    assert read([told_of("example", entry, stated)]) == f"*Dig* [1] {says}: “{stated}”"


def test_an_abstract_is_quoted(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    (entry,) = subject_of(["title=Digger:_A_Spade text=abstract | We dig. It pays."]).entries
    of = told_of("example", entry, "We dig.", "Among the methods, ")
    behind = told_behind("finding", entry, "It pays.", "What stays open: ")
    assert read([of]) == snapshot("Among the methods, *Digger* [1] states: “We dig.”")
    assert read([behind]) == snapshot("What stays open: “It pays” (*Digger* [1]).")
    assert (of.kind, behind.kind, of.span, behind.span) == ("Q", "Q", (0, 7), (8, 15))

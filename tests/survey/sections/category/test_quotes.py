"""Quotations followed by the name of the paper."""

from __future__ import annotations

from collections.abc import Callable

from inline_snapshot import snapshot

from classifier.survey.sections.category.quotes import quote_with_lead
from classifier.survey.sections.category.subject import Subject


def test_an_abstract_is_quoted(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    (entry,) = subject_of(["title=Digger:_A_Spade text=abstract | We dig. It pays."]).entries
    draft = quote_with_lead("finding", entry, "It pays.", "What was found: ")
    assert read([draft]) == snapshot("What was found: “It pays” (*Digger* [1]).")
    assert (draft.kind, draft.span) == ("Q", (8, 15))


def test_a_digest_is_paraphrased(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    (entry,) = subject_of(["title=Night | It rained. Spades* rust."]).entries
    draft = quote_with_lead("finding", entry, "Spades* rust.")
    assert read([draft]) == snapshot("Spades\\* rust (*Night* [1]).")
    assert (draft.kind, draft.source) == ("P", f"paper: {entry.paper.id}")


def test_a_blank_before_the_full_stop_is_not_quoted(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    (entry,) = subject_of(["title=Digger:_A_Spade text=abstract | We dig. It pays ."]).entries
    draft = quote_with_lead("finding", entry, "It pays .")
    assert read([draft]) == snapshot("“It pays” (*Digger* [1]).")
    assert draft.span == (8, 15)

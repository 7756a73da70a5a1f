"""Groups of papers that give the same answer to a question asked of their category."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from classifier.survey.draft import Draft, computed, shared
from classifier.survey.facts.facts import Selection
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, counted, how_many, joined, named, number
from classifier.taxonomy.model import Facet

# "Trained by", "Acts on": such a name goes on into the answer; after another one stands a colon.
_GOES_ON = re.compile(r"\b(?:as|at|by|for|from|in|of|on|through|to|under|with)$")


def group_draft(
    subject: Subject, facet: Facet, name: str = "", also: Collection[str] = ()
) -> Draft | None:
    """Return which papers give which answer of a facet, and how many do not say.

    also: ids of answers that are told of even if no paper gives them.
    """
    total, silent = subject.papers(), subject.silent(facet)
    present = subject.answers(facet, also)
    if not present:
        return None
    name = name or f"by-{facet.id}"
    first, *rest = present
    if first[0].number == total.number > 1 and not rest:
        text = f"{_asked(facet)} {named(first[1])} in each of the {number(total.number)}."
        return computed(name, text, first[0], total)
    parts = [f"{named(first[1])} in {counted(first[0].number, 'paper')}{_cited(first[0])}"]
    parts += [f"{named(category)} in {how_many(s.number)}{_cited(s)}" for s, category in rest]
    text = f"{_asked(facet)} {joined(parts)}{_silence(facet, silent)}."
    return shared(name, text, *(s for s, _ in present), silent)


def answers_otherwise(part: Subject, whole: Subject, facet: Facet) -> bool:
    """Say whether most papers of a part answer, and its commonest answer is not the whole's."""
    answers = part.answers(facet)
    if not answers or 2 * part.silent(facet).number > part.number:
        return False
    common = whole.answers(facet)[0][1]
    return part.papers((facet.id, common.id)).number < answers[0][0].number


def unanswered_draft(
    subject: Subject, facets: Iterable[Facet], name: str = "unanswered"
) -> Draft | None:
    """Return the questions of `facets` that no text of the section answers."""
    unanswered = [facet for facet in facets if not (facet.by_hand or subject.answers(facet))]
    if not subject.number or not unanswered:
        return None
    asked = joined([f"*{named(facet)}*" for facet in unanswered], "or")
    text = f"No text says anything under {asked}."
    return computed(name, text, *(subject.silent(facet) for facet in unanswered))


def _asked(facet: Facet) -> str:
    """Return the name of a facet as the start of its answers."""
    return f"*{named(facet)}*{'' if _GOES_ON.search(facet.name) else ':'}"


def _cited(selection: Selection) -> str:
    return f" {cited(selection)}" if selection.number else ""


def _silence(facet: Facet, silent: Selection) -> str:
    """Return how many papers give no answer, as the end of a sentence.

    Where people alone answer, a paper that nobody has looked at may well say it.
    """
    if not silent.number:
        return ""
    if silent.number == 1:
        return f"; one {'has no answer' if facet.by_hand else 'does not say'} {cited(silent)}"
    return (
        f"; the other {number(silent.number)} {'have no answer' if facet.by_hand else 'do not say'}"
    )

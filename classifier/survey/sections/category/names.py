"""Papers that name the same benchmark, model or environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from classifier.survey.draft import Draft, shared
from classifier.survey.escape import escape_cell
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import cited, how_many, joined, number, verb

# A name in fewer texts than this, or in a smaller share of them, says nothing of a field.
_SHARED_AT_LEAST = 3
_SHARED_BY = 0.15
_MOST_NAMES = 4


def often_named(subject: Subject, lexicon: str) -> list[str]:
    """Return the names of a lexicon that enough papers share, the commonest first."""
    held = Counter(found for entry in subject.entries for found in entry.names.get(lexicon, ()))
    least = max(_SHARED_AT_LEAST, _SHARED_BY * subject.number)
    ranked = sorted(held, key=lambda found: (-held[found], found))[:_MOST_NAMES]
    return [found for found in ranked if held[found] >= least]


def names_draft(
    subject: Subject, lexicon: str, name: str = "", told: Collection[str] = ()
) -> Draft | None:
    """Return which papers hold the same name of a lexicon; `told` names stand elsewhere."""
    names = [found for found in often_named(subject, lexicon) if found not in told]
    often = [(found, subject.papers((lexicon, found))) for found in names]
    if not often:
        return None
    (first, group), *rest = often
    parts = [f"{escape_cell(first)} is named in {number(group.number)} texts {cited(group)}"]
    parts += [f"{escape_cell(found)} in {number(g.number)} {cited(g)}" for found, g in rest]
    return shared(name or f"by-{lexicon}", f"{joined(parts)}.", *(g for _, g in often))


def named_draft(subject: Subject, lexicon: str, names: Sequence[str], name: str) -> Draft:
    """Return which papers hold certain names of a lexicon."""
    total = subject.papers()
    groups = [(found, subject.papers((lexicon, found))) for found in names]
    parts = [
        f"{how_many(s.number)} {verb(s.number, 'names', 'name')} {escape_cell(found)}"
        f"{f' {cited(s)}' if s.number else ''}"
        for found, s in groups
    ]
    text = f"Of the {number(total.number)}, {joined(parts)}."
    return shared(name, text, total, *(selection for _, selection in groups))

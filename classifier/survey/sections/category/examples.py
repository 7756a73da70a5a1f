"""What single papers do: the central ones of a category, grouped by the kind of contribution."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from classifier.survey.draft import Draft
from classifier.survey.entry import Entry
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.sections.category.findings import MEASURING
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_of
from classifier.survey.wording import in_prose, named, plural

_MOST_EXAMPLES = 3
# An example stands for others: a kind with fewer papers is told by the comparison table.
_KIND_AT_LEAST = 3
_MOST_KINDS = 3


def example_drafts(subject: Subject, elsewhere: Collection[int] = ()) -> list[Draft]:
    """Return what the central papers do; `elsewhere` numbers the papers that others speak of."""
    groups = [
        (f"Among the {plural(in_prose(named(kind)))}, ", selection.entries)
        for selection, kind in subject.kinds
        if selection.number >= _KIND_AT_LEAST and kind.id not in MEASURING
    ][:_MOST_KINDS]
    if len(groups) < 2:
        return _told(_free(subject.entries, elsewhere), _MOST_EXAMPLES, "For example, ")
    shares = [2 if len(groups) == 2 else 1] + [1] * (len(groups) - 1)
    return [
        draft
        for share, (lead, entries) in zip(shares, groups, strict=True)
        for draft in _told(_free(entries, elsewhere), share, lead)
    ]


def part_examples(subject: Subject, elsewhere: Collection[int] = (), most: int = 2) -> list[Entry]:
    """Return the papers that a part is shown by; `elsewhere` are told of in the whole."""
    return choose_exemplars(_free(subject.entries, elsewhere), most)


def part_example_drafts(entries: Sequence[Entry]) -> list[Draft]:
    """Return what the papers do that a part of a category is shown by."""
    return [told_of(f"exemplar-{e.slug}", e, e.contribution) for e in entries]


def _free(entries: Sequence[Entry], elsewhere: Collection[int]) -> list[Entry]:
    return [entry for entry in entries if entry.number not in elsewhere]


def _told(entries: Sequence[Entry], most: int, lead: str) -> list[Draft]:
    chosen = choose_exemplars(entries, most)
    leads = [lead if len(chosen) < len(entries) else ""] + [""] * len(chosen)
    return [
        told_of(f"exemplar-{entry.slug}", entry, entry.contribution, lead)
        for lead, entry in zip(leads, chosen, strict=False)
    ]

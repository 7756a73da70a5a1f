"""Acts of the editors in force: papers left out, published remarks, key papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from classifier.review.ledger import Ledger
from classifier.text.acting_signs import without_acting_signs

KEY = "yes"
"""The value that makes a paper a key paper."""


@dataclass(frozen=True, slots=True)
class Act:
    """What an editor said of a paper, and who and when."""

    text: str
    """The reason of an exclusion, a remark as Markdown; `yes` of a key paper."""
    by: str
    """The reviewer, or ""."""
    on: str
    """ISO date, or ""."""
    ledger_id: str
    """The id under which the ledger holds it: the paper's, or an older one."""

    @property
    def source(self) -> str:
        """Where a sentence made of it can be checked."""
        return f"reviews.csv: {self.ledger_id}"


@dataclass(frozen=True, slots=True)
class EditorialActs:
    """The acts in force, each by the id that the paper bears now."""

    excluded: Mapping[str, Act] = field(default_factory=dict)
    remarks: Mapping[str, Act] = field(default_factory=dict)
    keys: Mapping[str, Act] = field(default_factory=dict)

    def of(self, paper_id: str) -> dict[str, Act]:
        """Return the acts on one paper by their facet in the ledger."""
        acts = {"exclude": self.excluded, "remark": self.remarks, "key": self.keys}
        return {facet: found[paper_id] for facet, found in acts.items() if paper_id in found}


def editorial_acts(ledger: Ledger, aliases: Mapping[str, str]) -> EditorialActs:
    """Return the acts in force; `aliases` leads from every other id of a paper to its id.

    A key act that does not say yes marks nothing (`Ledger.faults` names it).
    """

    def acts(facet: str) -> dict[str, Act]:
        return {
            paper_id: Act(
                without_acting_signs(entry.value),
                without_acting_signs(entry.reviewer),
                entry.reviewed_on,
                entry.id,
            )
            for paper_id, entry in ledger.editorial(facet, aliases).items()
        }

    keys = {key: act for key, act in acts("key").items() if act.text.casefold() == KEY}
    return EditorialActs(acts("exclude"), acts("remark"), keys)

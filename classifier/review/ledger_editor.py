"""The ledger while answers are written into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from classifier.review.acts import WITHDRAWN, RowDecision
from classifier.review.ledger import ADJUDICATED, Entry, Group, Ledger, by_time, in_force
from classifier.review.read_rows import ReviewRow
from classifier.taxonomy.columns import JOINER
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

ACTS = ("exclude", "remark", "key")
State = Literal["new", "replaces", "known"]
_ENOUGH = 2
"""How often the same reviewer says the same until the queue may let a paper go."""


@dataclass(frozen=True)
class LedgerEditor:
    """A ledger that grows; `ledger()` is what it has become.

    Decisions of different people and of different days live side by side. What the same person
    says of the same facet on the same day takes the place of what they said before.
    """

    before: Ledger
    taxonomy: Taxonomy
    versions: Versions
    aliases: Mapping[str, str]
    today: str

    def ledger(self) -> Ledger:
        """Return the ledger with all that was written."""
        groups = (rows for by_group in self._groups.values() for rows in by_group.values())
        return Ledger(
            tuple(entry for rows in groups for entry in rows), self.before.further_columns
        )

    def in_force(self, act: str, paper_id: str) -> str:
        """Return the text of an editorial act as the ledger had it; "" where there was none."""
        entry = self._acts[act].get(paper_id)
        return entry.value if entry else ""

    def may_withdraw(self, row: ReviewRow, answer: RowDecision) -> bool:
        """Say whether there is something to take back, or this person took it back before."""
        if answer.values != WITHDRAWN or self.in_force(answer.facet, row.paper.paper_id):
            return True
        own = self._own(row, answer)
        return bool(own) and all(not entry.value for entry in own[max(own)])

    def write(self, row: ReviewRow, answer: RowDecision) -> tuple[State, str]:
        """Write an answer; return whether that was new, and what of today it replaced."""
        own = self._own(row, answer)
        groups = self._groups.setdefault((row.paper.paper_id, answer.facet), {})
        if answer.facet == "note":  # goes with no decision; notes add up
            if any(entry.value == answer.values[0] for rows in own.values() for entry in rows):
                return "known", ""
            rows = groups.setdefault((self.today, row.reviewer), [])
            rows += self._rows(row, answer, self.today, "", [])
            return "new", ""
        if own and self._says_enough(own, row, answer):
            return "known", ""
        day = max([self.today, *own])  # a day ahead of ours would outlast what is said now
        replaced = own.get(day, [])
        note = replaced[0].note if replaced else ""
        if row.note not in note:
            note = f"{note}{JOINER}{row.note}" if note else row.note
        groups[day, row.reviewer] = self._rows(row, answer, day, note, replaced)
        before = sorted(replaced, key=lambda entry: (not entry.primary, entry.value))
        return "replaces" if replaced else "new", JOINER.join(entry.value for entry in before)

    def overruled_by(self, row: ReviewRow, answer: RowDecision) -> str:
        """Return who keeps a decision that was written from being in force; "" where nobody does.

        That is `adjudicated`, or whoever says something else on the same day or a later one.
        """
        if answer.facet == "note":
            return ""
        facet = self.taxonomy.facets.get(answer.facet)
        groups = self._groups[row.paper.paper_id, answer.facet]
        given = {group: self._answer(facet, rows) for group, rows in groups.items()}

        def agree(said: Sequence[RowDecision]) -> bool:
            if facet is None:  # two reasons to leave a paper out leave it out
                return len({each.values == WITHDRAWN for each in said}) == 1
            return all(each.agrees_with(said[0]) for each in said)

        chosen = in_force(given, agree)
        if chosen is not None and given[chosen].agrees_with(answer):
            return ""
        if chosen is not None and chosen[1] == ADJUDICATED:
            return ADJUDICATED
        if chosen is not None and facet is None:
            return ""
        others = [group for group in given if not given[group].agrees_with(answer)]
        return max(others, key=by_time)[1]

    def _own(self, row: ReviewRow, answer: RowDecision) -> dict[str, list[Entry]]:
        """Return date -> the rows of that day, by the row's reviewer on this facet and paper."""
        groups = self._groups.get((row.paper.paper_id, answer.facet), {})
        return {day: rows for (day, who), rows in groups.items() if who == row.reviewer}

    def _says_enough(
        self, own: Mapping[str, Sequence[Entry]], row: ReviewRow, answer: RowDecision
    ) -> bool:
        """Say whether the newest of a reviewer's decisions holds all that the answer says."""
        newest, facet = own[max(own)], self.taxonomy.facets.get(answer.facet)
        if not self._answer(facet, newest).agrees_with(answer) or row.note not in newest[0].note:
            return False
        if facet is None:
            return True
        # A doubtful decision, drawn to be looked at again, is confirmed.
        is_asked = row.drawn_by == "queue" and max(own) < self.today
        if is_asked and row.row.cells.get("status", "").strip() == "reviewed":
            same = [self._answer(facet, rows).agrees_with(answer) for rows in own.values()]
            if sum(same) < _ENOUGH:
                return False
        unseen = self._unknown(row.shown.digest or self.taxonomy.digest, facet)
        return self._unknown(newest[0].taxonomy_digest, facet) <= unseen

    def _rows(
        self, row: ReviewRow, answer: RowDecision, day: str, note: str, replaced: Sequence[Entry]
    ) -> list[Entry]:
        foreign = {entry.value: entry.further for entry in replaced}
        none = ("",) * len(self.before.further_columns)
        digest = row.shown.digest or self.taxonomy.digest
        return [
            Entry(
                row.paper.paper_id,
                row.paper.title,
                answer.facet,
                value,
                value == answer.primary != "",
                row.reviewer,
                day,
                row.drawn_by,
                digest,
                note,
                further=foreign.get(value, none),
            )
            for value in answer.values
        ]

    def _answer(self, facet: Facet | None, rows: Sequence[Entry]) -> RowDecision:
        """Return rows of the ledger as the answer that they are."""
        values, primary = [], ""
        for entry in sorted(rows):
            category = facet.resolve(entry.value) if facet else None
            if facet is None or category is None:
                values.append(entry.value)
                continue
            values += [facet.top_of(category.id), category.id]
            if entry.primary:
                primary = facet.top_of(category.id)
        if facet is not self.taxonomy.first:
            return RowDecision(rows[0].facet, tuple(dict.fromkeys(values)))
        tops = [top for top in facet.ids if top in values]
        return RowDecision(facet.id, tuple(dict.fromkeys(values)), primary or "".join(tops[:1]))

    def _unknown(self, taxonomy_digest: str, facet: Facet) -> frozenset[str]:
        """Return the categories of today that a decision under `taxonomy_digest` cannot mean."""
        key = (taxonomy_digest, facet.id)
        if key not in self._masks:
            self._masks[key] = frozenset(self.versions.unknown(taxonomy_digest, facet))
        return self._masks[key]

    @cached_property
    def _masks(self) -> dict[tuple[str, str], frozenset[str]]:
        return {}

    @cached_property
    def _groups(self) -> dict[tuple[str, str], dict[Group, list[Entry]]]:
        groups: dict[tuple[str, str], dict[Group, list[Entry]]] = {}
        for entry in self.before.entries:
            by_group = groups.setdefault((self.aliases.get(entry.id, entry.id), entry.facet), {})
            by_group.setdefault((entry.reviewed_on, entry.reviewer), []).append(entry)
        return groups

    @cached_property
    def _acts(self) -> dict[str, dict[str, Entry]]:
        return {act: self.before.editorial(act, self.aliases) for act in ACTS}

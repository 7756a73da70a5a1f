"""The ledger while answers are written into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from classifier.review.acts import WITHDRAWN, RowDecision
from classifier.review.ledger import ADJUDICATED, Entry, Ledger, by_time, in_force
from classifier.review.read_rows import ReviewRow
from classifier.taxonomy.columns import JOINER
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.taxonomy.versions import Versions

ACTS = ("exclude", "remark", "key")
State = Literal["new", "replaces", "known"]
_Groups = dict[str, list[Entry]]
"""Date -> the rows of that day, by one reviewer on one facet of one paper."""
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
        entries = (
            entry for groups in self._groups.values() for rows in groups.values() for entry in rows
        )
        return Ledger(tuple(entries), self.before.further_columns)

    def in_force(self, act: str, paper_id: str) -> str:
        """Return the text of an editorial act as the ledger had it; "" where there was none."""
        entry = self._acts[act].get(paper_id)
        return entry.value if entry else ""

    def may_withdraw(self, statement: ReviewRow, answer: RowDecision) -> bool:
        """Say whether there is something to take back, or this person took it back before."""
        if answer.values != WITHDRAWN or self.in_force(answer.facet, statement.paper.paper_id):
            return True
        groups = self._of(statement, answer)
        return bool(groups) and all(not entry.value for entry in groups[max(groups)])

    def write(self, statement: ReviewRow, answer: RowDecision) -> tuple[State, str]:
        """Write an answer; return whether that was new, and what of today it replaced."""
        groups = self._of(statement, answer)
        if answer.facet == "note":
            return self._write_note(groups, statement, answer)
        newest = max(groups, default="")
        if groups and self._says_enough(groups, statement, answer):
            return "known", ""
        day = max(self.today, newest)  # a day ahead of ours would outlast what is said now
        replaced = groups.get(day, [])
        note = _joined(replaced[0].note if replaced else "", statement.note)
        groups[day] = self._rows(statement, answer, day, note, replaced)
        return ("replaces", self._text(replaced)) if replaced else ("new", "")

    def overruled_by(self, row: ReviewRow, answer: RowDecision) -> str:
        """Return who keeps a decision that was written from being in force; "" where nobody does.

        That is `adjudicated`, or whoever says something else on the same day or a later one.
        """
        if answer.facet == "note":
            return ""
        key = row.paper.paper_id, answer.facet
        facet = self.taxonomy.facets.get(answer.facet)
        given = {
            (day, name): self._answer(facet, rows)
            for name in self._reviewers[key]
            for day, rows in self._groups.get((*key, name), {}).items()
        }

        def agree(said: Sequence[RowDecision]) -> bool:
            if facet is None:  # two reasons to leave a paper out leave it out
                return len({each.values == WITHDRAWN for each in said}) == 1
            return all(each.agrees_with(said[0]) for each in said)

        chosen = in_force(given, agree)
        if chosen is not None and facet is None and chosen[1] != ADJUDICATED:
            return ""
        if chosen is not None and given[chosen].agrees_with(answer):
            return ""
        if chosen is not None and chosen[1] == ADJUDICATED:
            return ADJUDICATED
        others = [group for group in given if not given[group].agrees_with(answer)]
        return max(others, key=by_time)[1]

    def _write_note(
        self, groups: _Groups, statement: ReviewRow, answer: RowDecision
    ) -> tuple[State, str]:
        """Write a note that goes with no decision; notes add up."""
        if any(entry.value == answer.values[0] for rows in groups.values() for entry in rows):
            return "known", ""
        rows = self._rows(statement, answer, self.today, "", [])
        groups.setdefault(self.today, []).extend(rows)
        return "new", ""

    def _says_enough(self, groups: _Groups, statement: ReviewRow, answer: RowDecision) -> bool:
        """Say whether the newest of a reviewer's decisions holds all that the answer says."""
        newest = groups[max(groups)]
        facet = self.taxonomy.facets.get(answer.facet)
        if not self._answer(facet, newest).agrees_with(answer):
            return False
        if statement.note not in newest[0].note or self._confirms(groups, statement, answer):
            return False
        if facet is None:
            return True
        unseen = self._unknown(self._digest(statement), facet)
        return self._unknown(newest[0].taxonomy_digest, facet) <= unseen

    def _confirms(self, groups: _Groups, statement: ReviewRow, answer: RowDecision) -> bool:
        """Say whether a doubtful decision, drawn to be looked at again, is confirmed."""
        asked = (
            statement.drawn_by == "queue"
            and statement.row.cells.get("status", "").strip() == "reviewed"
            and max(groups) < self.today
        )
        facet = self.taxonomy.facets.get(answer.facet)
        if not asked or facet is None:
            return False
        same = [self._answer(facet, rows).agrees_with(answer) for rows in groups.values()]
        return sum(same) < _ENOUGH

    def _rows(
        self,
        statement: ReviewRow,
        answer: RowDecision,
        day: str,
        note: str,
        replaced: Sequence[Entry],
    ) -> list[Entry]:
        foreign = {entry.value: entry.further for entry in replaced}
        none = ("",) * len(self.before.further_columns)
        paper, how = statement.paper, (statement.drawn_by, self._digest(statement), note)
        return [
            Entry(
                paper.paper_id,
                paper.title,
                answer.facet,
                value,
                value == answer.primary != "",
                statement.reviewer,
                day,
                *how,
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

    def _text(self, rows: Iterable[Entry]) -> str:
        ordered = sorted(rows, key=lambda entry: (not entry.primary, entry.value))
        return JOINER.join(entry.value for entry in ordered)

    def _digest(self, statement: ReviewRow) -> str:
        return statement.shown.digest or self.taxonomy.digest

    def _of(self, statement: ReviewRow, answer: RowDecision) -> _Groups:
        key = (statement.paper.paper_id, answer.facet, statement.reviewer)
        self._reviewers.setdefault(key[:2], set()).add(statement.reviewer)
        return self._groups.setdefault(key, {})

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
    def _groups(self) -> dict[tuple[str, str, str], _Groups]:
        groups: dict[tuple[str, str, str], _Groups] = {}
        for entry in self.before.entries:
            key = (self.aliases.get(entry.id, entry.id), entry.facet, entry.reviewer)
            groups.setdefault(key, {}).setdefault(entry.reviewed_on, []).append(entry)
        return groups

    @cached_property
    def _reviewers(self) -> dict[tuple[str, str], set[str]]:
        """(paper, facet) -> who said something of it."""
        reviewers: dict[tuple[str, str], set[str]] = {}
        for paper_id, facet, reviewer in self._groups:
            reviewers.setdefault((paper_id, facet), set()).add(reviewer)
        return reviewers

    @cached_property
    def _acts(self) -> dict[str, dict[str, Entry]]:
        return {act: self.before.editorial(act, self.aliases) for act in ACTS}


def _joined(before: str, note: str) -> str:
    """Return two notes as one; what is said already is not said twice."""
    if note in before:
        return before
    return f"{before}{JOINER}{note}" if before else note

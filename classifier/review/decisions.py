"""The decisions of one row of a sheet, from its answer cells and the labels that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.errors import Fault
from classifier.labelling.labels import DECIDED
from classifier.review.acts import WITHDRAW, RowDecision, is_approved, row_acts, verdict_faults
from classifier.review.columns import JOINER
from classifier.review.row_labels import RowLabels
from classifier.review.sheet import cell_fault
from classifier.review.spelling import Item, Spellings, plain_characters, spelling_hint
from classifier.taxonomy.model import NOT_STATED, Facet, TypedColumn

_NO_LABELS = cell_fault(
    "verdict",
    "'ok' in a row without labels",
    "labels to approve",
    "Write the right labels into the review_ columns.",
)


class _CellError(Exception):
    """A cell has an invalid answer; `fault` describes it."""

    def __init__(self, column: str, found: str, expected: str, hint: str = "") -> None:
        self.fault = cell_fault(column, found, expected, hint)
        super().__init__(str(self.fault))


def row_decisions(
    spellings: Sequence[Spellings],
    cells: Mapping[str, str],
    labels: RowLabels,
    columns: Iterable[TypedColumn] = (),
) -> tuple[list[RowDecision], list[Fault]]:
    """Return the decisions of a row, in the order of `spellings`, and all faults of its cells.

    spellings: one per facet of the taxonomy. labels: the labels that the row shows. columns: the
    typed columns of the taxonomy. No decision of a row with a fault counts, but all its cells are
    read, so that all faults are reported at once. A correction in one facet does not approve the
    labels of other facets.
    """
    decisions: list[RowDecision] = []
    faults = [*labels.changes, *verdict_faults(cells)]
    # Changed labels are reported once, not again for each answer that depends on them.
    trusted = replace(labels, is_trusted=True) if labels.changes else labels
    rows = [_FacetCells(number == 0, each, cells, trusted) for number, each in enumerate(spellings)]
    if is_approved(cells) and not labels.changes and not all(row.is_filled for row in rows):
        faults += _approval_faults(labels)
    topics: tuple[str, ...] = ()
    for row in rows:
        try:
            decision = row.decision(topics)
        except _CellError as error:
            faults.append(error.fault)
            continue
        if decision is not None:
            decisions.append(decision)
        if row.is_first:
            topics = decision.values if decision else row.trusted_labels()
    acts, act_faults = row_acts(cells, columns)
    faults += act_faults
    if not decisions and not faults and is_approved(cells):
        faults.append(_NO_LABELS)
    decisions += acts
    if len(decisions) > 1 and any(each.facet == WITHDRAW for each in decisions):
        hint = "Empty the other cells, or the verdict."
        faults.append(cell_fault("verdict", "'withdraw' with answers", "withdraw alone", hint))
    return decisions, faults


def _approval_faults(labels: RowLabels) -> Iterator[Fault]:
    if labels.is_blind:
        yield _NO_LABELS
    elif not labels.is_trusted:
        found = "'ok' in a row whose labels or taxonomy were changed"
        expected = "'ok' next to the labels that Fieldguide wrote, with their columns and `why`"
        hint = (
            "Write the right labels into the review_ columns, or use a new sheet. If the taxonomy "
            "was changed, you can undo that, apply the sheet, and change the taxonomy again."
        )
        yield cell_fault("verdict", found, expected, hint)


@dataclass(frozen=True, slots=True)
class _FacetCells:
    """The cells of a row that belong to one facet."""

    is_first: bool
    spellings: Spellings
    cells: Mapping[str, str]
    labels: RowLabels

    @property
    def facet(self) -> Facet:
        return self.spellings.facet

    @property
    def column(self) -> str:
        """The column for the full list of categories."""
        return "review_topics" if self.is_first else f"review_{self.facet.id}"

    @property
    def is_filled(self) -> bool:
        """Whether a reviewer filled a cell of the facet."""
        columns = ("review_primary", self.column) if self.is_first else (self.column,)
        return any(self._cell_text(each) for each in columns)

    def _cell_text(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    def decision(self, topics: Sequence[str]) -> RowDecision | None:
        """Return the decision on the facet, or None.

        topics: the paper's categories in the first facet: those of the answer, else those that the
        row shows; () if unknown.
        """
        facet, applies = self.facet, not topics or self.facet.applies_to_topics(topics)
        if self.is_filled and not applies:
            expected = f"an empty cell: {facet.id} applies to papers on "
            expected += ", ".join(facet.applies_to)
            hint = f"Add one of these topics in review_topics, or empty {self.column}."
            raise _CellError(self.column, f"'{self._cell_text(self.column)}'", expected, hint)
        if self.is_filled:
            if facet.is_not_stated(plain_characters(self._cell_text(self.column)).rstrip(".")):
                return RowDecision(facet.id, (NOT_STATED,))
            decision = self._corrected_labels()
        elif is_approved(self.cells) and self.labels.is_trusted and applies:
            decision = self._current_labels("verdict")
            self._check_rules(decision, "verdict")
        else:
            return None
        if not decision.values:
            return None
        order = self.spellings.order
        primary = decision.primary or facet.top_id_of(decision.values[0])
        # In a sheet, the primary and its children come first.
        values = sorted(
            decision.values, key=lambda each: (facet.top_id_of(each) != primary, order[each])
        )
        return replace(decision, values=tuple(values))

    def trusted_labels(self) -> tuple[str, ...]:
        """Return the labels of the row, by their current ids; () if their checksum is wrong."""
        if not self.labels.is_trusted:
            return ()
        found = map(self.facet.resolve, self.labels.categories[self.facet.id])
        return self._make_decision(category.id for category in found if category).values

    def _make_decision(
        self, ids: Iterable[str], primary: str = "", explanation: str = ""
    ) -> RowDecision:
        """Return a decision for distinct categories, each child after its top category."""
        listed = (each for value in ids for each in (self.facet.top_id_of(value), value))
        return RowDecision(self.facet.id, tuple(dict.fromkeys(listed)), primary, explanation)

    def _top_ids(self, decision: RowDecision) -> list[str]:
        return list(dict.fromkeys(self.facet.top_id_of(value) for value in decision.values))

    def _current_labels(self, column: str) -> RowDecision:
        """Return the labels of the row, by their current ids.

        Raises _CellError for `column` if the taxonomy no longer has one of them.
        """
        ids: list[str] = []
        for value in self.labels.categories[self.facet.id]:
            category = self.facet.resolve(value)
            if category is None:
                found = f"the label '{value}', which the taxonomy no longer has"
                expected = f"categories of facet {self.facet.id}"
                hint = f"Write the full list into {self.column}."
                raise _CellError(column, found, expected, hint)
            ids.append(category.id)
        return self._make_decision(ids, self._current_primary())

    def _current_primary(self) -> str:
        category = self.facet.resolve(self.labels.primary) if self.is_first else None
        return self.facet.top_id_of(category.id) if category else ""

    def _corrected_labels(self) -> RowDecision:
        primary = self._typed_primary()
        items = self._cell_items(self.column)
        if not items:
            return self._with_new_primary(primary)
        replaced = (f"{i.instead_of} is now {i.category}" for i in items if i.instead_of)
        explanations = list(dict.fromkeys(replaced))
        is_change = any(item.sign for item in items)
        if is_change:
            decision = self._with_changes(items, primary)
        else:
            decision = self._make_decision(str(item.category) for item in items)
        if self.is_first:
            decision = self._with_primary(decision, primary, is_change=is_change)
            explanations.append(decision.explanation)
        self._check_rules(decision, self.column)
        return replace(decision, explanation="; ".join(filter(None, explanations)))

    def _with_primary(self, decision: RowDecision, primary: str, *, is_change: bool) -> RowDecision:
        tops = self._top_ids(decision)
        if primary:
            top = self.facet.top_id_of(primary)
            if top not in tops:
                expected = f"one of the topics given ({JOINER.join(tops)})"
                hint = "Add it in review_topics, or file the paper under one of them."
                raise _CellError("review_primary", f"'{primary}'", expected, hint)
            return self._make_decision([*decision.values, primary], top)
        before = self._current_primary() if self.labels.is_trusted else ""
        if not is_change:  # the primary comes first in a sheet, so also in an answer
            top, reason = tops[0], "the first given"
        elif before in tops:
            top, reason = before, "as shown"
        else:
            found = f"'drop {self.labels.primary}', the primary category"
            hint = "Write the new primary into review_primary."
            raise _CellError("review_topics", found, "a new primary as well", hint)
        explanation = f"filed under {top}, {reason}" if len(tops) > 1 else ""
        return replace(decision, primary=top, explanation=explanation)

    def _with_new_primary(self, primary: str) -> RowDecision:
        """Return the labels of the row with `primary` as the primary category, added if necessary.

        If `primary` or the old primary is out of scope, `primary` replaces all labels. If `at_most`
        is reached, the weakest topic of the classifier is dropped. In a blind row `primary` is the
        only label.
        """
        facet, top = self.facet, self.facet.top_id_of(primary)
        if self.labels.is_blind:
            return self._make_decision([primary], top, "the only topic given")
        self._require_labels("review_primary")
        before = self._current_labels("review_primary").values
        outside = facet.out_of_scope.id if facet.out_of_scope else ""
        replaces_all = facet.kind == "single" or outside in (*before, primary)
        kept = () if replaces_all else self._with_room_for(top, before)
        decision = self._make_decision([*kept, primary], top)
        self._check_rules(decision, "review_primary")
        dropped = [value for value in before if value not in decision.values]
        return replace(decision, explanation=f"without {JOINER.join(dropped)}" if dropped else "")

    def _with_room_for(self, top: str, values: Sequence[str]) -> Sequence[str]:
        """Return labels of the row without the classifier's weakest topics, to add `top`.

        The old primary is kept, and so are all topics of a reviewer: too many are a fault.
        """
        limit, top_of = self.facet.at_most, self.facet.top_id_of
        others = [each for each in dict.fromkeys(map(top_of, values)) if each != top]
        is_decided = self._cell_text("status") in DECIDED
        if limit is None or len(others) < limit or (is_decided and limit > 1):
            return values
        # The sheet lists the classifier's topics from the most to the least likely.
        others.sort(key=lambda each: each != self._current_primary())
        kept = {top, *others[: limit - 1]}
        return [value for value in values if top_of(value) in kept]

    def _with_changes(self, items: Sequence[Item], primary: str) -> RowDecision:
        """Return the labels after `add` and `drop`, and `primary` unless it is dropped."""
        facet, column = self.facet, self.column
        if not all(item.sign for item in items):
            unsigned = next(item.text for item in items if not item.sign)
            expected = "either a full list, or changes such as 'add safety; drop benchmarks'"
            raise _CellError(column, f"'{unsigned}' together with add or drop", expected)
        self._require_labels(column)
        values = list(self._current_labels(column).values)
        for item in items:
            category = str(item.category)
            if item.sign == "add":
                values.append(category)
            elif category in values:
                values = [v for v in values if v != category and not v.startswith(f"{category}/")]
            else:
                expected = f"one of the labels shown ({JOINER.join(values)})"
                raise _CellError(column, f"'drop {item.text}'", expected)
        dropped = {facet.top_id_of(str(item.category)) for item in items if item.sign == "drop"}
        if primary and facet.top_id_of(primary) not in dropped:
            values.append(primary)
        if not values:
            hint = f"Write {NOT_STATED} if nothing is stated." if facet.may_be_unstated else ""
            found = "changes that leave no label"
            raise _CellError(column, found, "at least one category", hint)
        return self._make_decision(values)

    def _require_labels(self, column: str) -> None:
        if not self.labels.is_trusted or not self.labels.categories[self.facet.id]:
            found, hint = "a change to labels that Fieldguide did not write", "Or use a new sheet."
            raise _CellError(column, found, f"the full list in {self.column}", hint)

    def _check_rules(self, decision: RowDecision, column: str) -> None:
        facet, tops = self.facet, self._top_ids(decision)
        clash, listed = facet.violated_rule(decision.values), f"'{JOINER.join(tops)}'"
        if clash == "out of scope" and facet.out_of_scope:
            expected = f"'{facet.out_of_scope.id}' alone, for a paper that is out of scope"
            raise _CellError(column, listed, expected, "Delete it, or the others.")
        if clash == "single":
            found = f"'{JOINER.join(decision.values)}'"
            raise _CellError(column, found, f"one value of facet {facet.id}")
        if clash:
            found = f"{listed}, {len(tops)} top categories"
            hint = f"Write the right list into {self.column}."
            raise _CellError(column, found, f"at most {facet.at_most}", hint)

    def _typed_primary(self) -> str:
        items = self._cell_items("review_primary") if self.is_first else []
        if len(items) > 1 or any(item.sign for item in items):
            hint = "The other topics go into review_topics."
            found = f"'{self._cell_text('review_primary')}'"
            raise _CellError("review_primary", found, "one category", hint)
        return str(items[0].category) if items else ""

    def _cell_items(self, column: str) -> list[Item]:
        """Return the entries of a cell; raise _CellError if one is not a category."""
        cell = self._cell_text(column)
        if not cell:
            return []
        items = self.spellings.read(cell)
        unknown = [item.text for item in items if item.category is None]
        if items and not unknown:
            return items
        found = ", ".join(f"'{text}'" for text in unknown) or f"'{cell}'"
        expected = f"{'categories' if len(unknown) > 1 else 'a category'} of facet {self.facet.id}"
        if self.facet.may_be_unstated:
            expected += f", or {NOT_STATED} alone if nothing is stated"
        raise _CellError(column, found, expected, spelling_hint(unknown, self.facet))

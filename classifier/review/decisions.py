"""The decisions of one row of a sheet, from its human cells and the labels that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.errors import Fault
from classifier.labelling.labels import DECIDED
from classifier.review.acts import WITHDRAW, RowDecision, act_answers, is_approved, verdict_refusals
from classifier.review.columns import JOINER
from classifier.review.sheet import cell_fault
from classifier.review.shown import ShownLabels
from classifier.review.spelling import Item, Spellings, plain, spelling_hint
from classifier.taxonomy.model import NOT_STATED, Facet, TypedColumn

_NO_LABELS = cell_fault(
    "verdict",
    "'ok' in a row that shows no label",
    "labels to approve",
    "Write what is right into the review_ columns.",
)


class _CellError(Exception):
    """A cell with an invalid answer; `fault` is its refusal."""

    def __init__(self, column: str, found: str, expected: str, hint: str = "") -> None:
        self.fault = cell_fault(column, found, expected, hint)
        super().__init__(str(self.fault))


def row_decisions(
    spellings: Sequence[Spellings],
    cells: Mapping[str, str],
    sheet_labels: ShownLabels,
    columns: Iterable[TypedColumn] = (),
) -> tuple[list[RowDecision], list[Fault]]:
    """Return the decisions of a row, in the order of `spellings`, and all refusals.

    spellings: one per facet of the taxonomy. A row with a refusal decides nothing, but all its
    cells are read, so that all faults are reported at once. A correction in one facet does not
    approve the others.
    """
    answers: list[RowDecision] = []
    refusals = [*sheet_labels.changes, *verdict_refusals(cells)]
    # The change is reported once, not again for each answer that depends on it.
    trusted = replace(sheet_labels, is_trusted=True) if sheet_labels.changes else sheet_labels
    rows = [_FacetCells(number == 0, each, cells, trusted) for number, each in enumerate(spellings)]
    if is_approved(cells) and not sheet_labels.changes and not all(row.is_filled for row in rows):
        refusals += _unproven_approval(sheet_labels)
    topics: tuple[str, ...] = ()
    for row in rows:
        try:
            answer = row.answer(topics)
        except _CellError as error:
            refusals.append(error.fault)
            continue
        if answer is not None:
            answers.append(answer)
        if row.is_first:
            topics = answer.values if answer else row.trusted()
    acts, refused_acts = act_answers(cells, columns)
    refusals += refused_acts
    if not answers and not refusals and is_approved(cells):
        refusals.append(_NO_LABELS)
    found = [*answers, *acts]
    if len(found) > 1 and any(answer.facet == WITHDRAW for answer in found):
        hint = "Empty the other cells, or the verdict."
        refusals.append(cell_fault("verdict", "'withdraw' with answers", "withdraw alone", hint))
    return found, refusals


def _unproven_approval(sheet_labels: ShownLabels) -> Iterator[Fault]:
    """Yield a refusal if `ok` approves labels that Fieldguide may not have written."""
    if sheet_labels.is_blind:
        yield _NO_LABELS
    elif not sheet_labels.is_trusted:
        found = "'ok' in a row whose label columns were deleted or changed"
        expected = "'ok' next to the labels that Fieldguide wrote, with their columns and `why`"
        hint = "Write what is right into the review_ columns, or use a new sheet."
        yield cell_fault("verdict", found, expected, hint)


@dataclass(frozen=True, slots=True)
class _FacetCells:
    """The cells of a row that belong to one facet."""

    is_first: bool
    spellings: Spellings
    cells: Mapping[str, str]
    sheet_labels: ShownLabels

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
        return any(self.cells.get(each, "").strip() for each in columns)

    def answer(self, topics: Sequence[str]) -> RowDecision | None:
        """Return the decision on the facet, None without one.

        topics: the decided or shown categories of the first facet, () if unknown.
        """
        facet, applies = self.facet, not topics or self.facet.is_asked_of(topics)
        if self.is_filled:
            if not applies:
                known = ", ".join(facet.applies_to)
                expected = f"an empty cell: {facet.id} applies to papers on {known}"
                hint = f"Add one of these topics in review_topics, or empty {self.column}."
                raise _CellError(
                    self.column, f"'{self.cells[self.column].strip()}'", expected, hint
                )
            if facet.says_unstated(plain(self.cells.get(self.column, "")).rstrip(".")):
                return RowDecision(facet.id, (NOT_STATED,))
            decided = self._decided()
        elif is_approved(self.cells) and self.sheet_labels.is_trusted and applies:
            decided = self._current("verdict")
            self._check(decided, "verdict")
        else:
            return None
        if not decided.values:
            return None
        order = self.spellings.order
        lead = decided.primary or facet.top_of(decided.values[0])

        def sort_key(value: str) -> tuple[bool, int]:
            return facet.top_of(value) != lead, order[value]

        # The order of the sheet: the primary with its children first.
        return replace(decided, values=tuple(sorted(decided.values, key=sort_key)))

    def trusted(self) -> tuple[str, ...]:
        """Return the labels shown, by their current ids; () if the checksum does not prove them."""
        if not self.sheet_labels.is_trusted:
            return ()
        values = self.sheet_labels.categories[self.facet.id]
        return self._of(
            category.id for category in map(self.facet.resolve, values) if category
        ).values

    def _of(self, values: Iterable[str], primary: str = "", explanation: str = "") -> RowDecision:
        """Return a decision for distinct categories, each child after its top category."""
        listed = (each for value in values for each in (self.facet.top_of(value), value))
        return RowDecision(self.facet.id, tuple(dict.fromkeys(listed)), primary, explanation)

    def _tops(self, decided: RowDecision) -> list[str]:
        return list(dict.fromkeys(self.facet.top_of(value) for value in decided.values))

    def _current(self, column: str) -> RowDecision:
        """Return the labels that the row shows, by their current ids."""
        values: list[str] = []
        for value in self.sheet_labels.categories[self.facet.id]:
            category = self.facet.resolve(value)
            if category is None:
                hint = f"Write the full list into {self.column}."
                expected = f"categories of facet {self.facet.id}"
                raise _CellError(
                    column,
                    f"the label '{value}', which the taxonomy does not have any more",
                    expected,
                    hint,
                )
            values.append(category.id)
        return self._of(values, self._current_primary())

    def _current_primary(self) -> str:
        """Return the current id of the primary category that the row shows; "" if unknown."""
        category = self.facet.resolve(self.sheet_labels.primary) if self.is_first else None
        return self.facet.top_of(category.id) if category else ""

    def _decided(self) -> RowDecision:
        """Return the decision in the review cells."""
        primary = self._primary()
        items = self._items(self.column)
        if not items:
            return self._refiled(primary)
        moved = (f"{i.instead_of} is now {i.category}" for i in items if i.instead_of)
        explanations = list(dict.fromkeys(moved))
        is_change = any(item.sign for item in items)
        if is_change:
            decided = self._changed(items, primary)
        else:
            decided = self._of(str(item.category) for item in items)
        if self.is_first:
            decided = self._filed(decided, primary, is_change=is_change)
            explanations.append(decided.explanation)
        self._check(decided, self.column)
        return replace(decided, explanation="; ".join(filter(None, explanations)))

    def _filed(self, decided: RowDecision, primary: str, *, is_change: bool) -> RowDecision:
        """Return the labels with their primary category and an explanation of its choice."""
        tops = self._tops(decided)
        if primary:
            top = self.facet.top_of(primary)
            if top not in tops:
                expected = f"one of the topics given ({JOINER.join(tops)})"
                hint = "Add it in review_topics, or file the paper under one of them."
                raise _CellError("review_primary", f"'{primary}'", expected, hint)
            return self._of([*decided.values, primary], top)
        before = ""
        if self.sheet_labels.is_trusted and self.sheet_labels.primary:
            before = self._current_primary()
        if not is_change:  # the primary comes first in a sheet, so also in an answer
            top, how = tops[0], "the first given"
        elif before in tops:
            top, how = before, "as shown"
        else:
            found = f"'drop {self.sheet_labels.primary}', the primary category"
            hint = "Write the new primary into review_primary."
            raise _CellError("review_topics", found, "a new primary as well", hint)
        explanation = f"filed under {top}, {how}" if len(tops) > 1 else ""
        return replace(decided, primary=top, explanation=explanation)

    def _refiled(self, primary: str) -> RowDecision:
        """Return the labels shown with `primary` as the primary category, added if necessary.

        If `primary` or the old primary is out of scope, `primary` replaces all labels. If `at_most`
        is reached, the weakest topic of the classifier is dropped. In a blind row `primary` is the
        only label.
        """
        facet, top = self.facet, self.facet.top_of(primary)
        if self.sheet_labels.is_blind:
            return self._of([primary], top, "the only topic given")
        self._require_labels("review_primary")
        before = self._current("review_primary").values
        outside = facet.out_of_scope.id if facet.out_of_scope else ""
        alone = facet.kind == "single" or outside in (*before, primary)
        kept = () if alone else self._with_room_for(top, before)
        decided = self._of([*kept, primary], top)
        self._check(decided, "review_primary")
        dropped = [value for value in before if value not in decided.values]
        return replace(decided, explanation=f"without {JOINER.join(dropped)}" if dropped else "")

    def _with_room_for(self, top: str, values: Sequence[str]) -> Sequence[str]:
        """Return the labels shown without the classifier's weakest topics, so that `top` fits in.

        The old primary is kept, and so are all topics of a reviewer: too many are refused.
        """
        limit, top_of = self.facet.at_most, self.facet.top_of
        others = [each for each in dict.fromkeys(map(top_of, values)) if each != top]
        is_decided = self.cells.get("status", "").strip() in DECIDED
        if limit is None or len(others) < limit or (is_decided and limit > 1):
            return values
        # The sheet lists the classifier's topics from the most to the least likely.
        others.sort(key=lambda each: each != self._current_primary())
        kept = {top, *others[: limit - 1]}
        return [value for value in values if top_of(value) in kept]

    def _changed(self, items: Sequence[Item], primary: str) -> RowDecision:
        """Return the labels shown after `add` and `drop`, and `primary` unless it is dropped."""
        facet, column = self.facet, self.column
        if not all(item.sign for item in items):
            bare = next(item.text for item in items if not item.sign)
            expected = "either a full list, or changes such as 'add safety; drop benchmarks'"
            raise _CellError(column, f"'{bare}' together with add or drop", expected)
        self._require_labels(column)
        values = list(self._current(column).values)
        for item in items:
            category = str(item.category)
            if item.sign == "add":
                values.append(category)
            elif category in values:
                values = [v for v in values if v != category and not v.startswith(f"{category}/")]
            else:
                expected = f"one of the labels shown ({JOINER.join(values)})"
                raise _CellError(column, f"'drop {item.text}'", expected)
        dropped = {facet.top_of(str(item.category)) for item in items if item.sign == "drop"}
        if primary and facet.top_of(primary) not in dropped:
            values.append(primary)
        if not values:
            hint = f"Write {NOT_STATED} if nothing is stated." if facet.may_be_unstated else ""
            raise _CellError(column, "changes that leave no label", "at least one category", hint)
        return self._of(values)

    def _require_labels(self, column: str) -> None:
        if not self.sheet_labels.is_trusted or not self.sheet_labels.categories[self.facet.id]:
            found = "a change to labels that Fieldguide did not write"
            raise _CellError(
                column, found, f"the full list in {self.column}", "Or use a new sheet."
            )

    def _check(self, decided: RowDecision, column: str) -> None:
        """Raise _CellError if the labels exclude each other."""
        facet, tops = self.facet, self._tops(decided)
        clash, listed = facet.clash(decided.values), f"'{JOINER.join(tops)}'"
        if clash == "out of scope" and facet.out_of_scope:
            expected = (
                f"'{facet.out_of_scope.id}' alone, which means that the paper is out of scope"
            )
            raise _CellError(column, listed, expected, "Delete it, or the others.")
        if clash == "single":
            found = f"'{JOINER.join(decided.values)}'"
            raise _CellError(column, found, f"one value of facet {facet.id}")
        if clash:
            found = f"{listed}, {len(tops)} top categories"
            hint = f"Write the list that you want into {self.column}."
            raise _CellError(column, found, f"at most {facet.at_most}", hint)

    def _primary(self) -> str:
        """Return the category in `review_primary`; "" if the cell is empty."""
        items = self._items("review_primary") if self.is_first else []
        if len(items) > 1 or any(item.sign for item in items):
            found = f"'{self.cells['review_primary'].strip()}'"
            hint = "The other topics go into review_topics."
            raise _CellError("review_primary", found, "one category", hint)
        return str(items[0].category) if items else ""

    def _items(self, column: str) -> list[Item]:
        """Return the entries of a cell; raise _CellError if one is not a category."""
        cell = self.cells.get(column, "")
        if not cell.strip():
            return []
        items = self.spellings.read(cell)
        unknown = [item.text for item in items if item.category is None]
        if items and not unknown:
            return items
        found = ", ".join(f"'{text}'" for text in unknown) or f"'{cell.strip()}'"
        expected = f"{'categories' if len(unknown) > 1 else 'a category'} of facet {self.facet.id}"
        if self.facet.may_be_unstated:
            expected += f", or {NOT_STATED} alone if nothing is stated"
        raise _CellError(column, found, expected, spelling_hint(unknown, self.facet))

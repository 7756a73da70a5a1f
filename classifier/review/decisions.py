"""What one row of a sheet decides: its human cells read against the labels that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from classifier.errors import Fault
from classifier.review.acts import RowDecision, act_answers, is_approved, verdict_refusals
from classifier.review.sheet import refused
from classifier.review.sheet_check import ShownLabels
from classifier.review.spelling import Item, Spellings, cure_of, plain
from classifier.taxonomy.columns import JOINER
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy

_RIGHT_CHANGES = "add safety; drop benchmarks"

_NOTHING_SHOWN = refused(
    "verdict",
    "'ok' in a row that shows no label",
    "labels to approve",
    "Write what is right into the review_ columns.",
)


class _CellError(Exception):
    """A cell cannot be meant as written; carries the refusal."""

    def __init__(self, column: str, found: str, wanted: str, cure: str = "") -> None:
        self.fault = refused(column, found, wanted, cure)
        super().__init__(str(self.fault))


@dataclass(frozen=True, slots=True)
class _Labels:
    """The categories of one facet: those shown, or those decided."""

    values: tuple[str, ...]
    primary: str = ""
    said: str = ""


@dataclass(frozen=True)
class DecisionReader:
    """Reads the human cells of rows; knows the taxonomy that they are written against."""

    taxonomy: Taxonomy

    def read(
        self, cells: Mapping[str, str], shown: ShownLabels
    ) -> tuple[list[RowDecision], list[Fault]]:
        """Return what a row decides, facets in the order of the taxonomy, and every refusal.

        A row with a refusal decides nothing; what else it says is read all the same, so that all
        its faults are told at once. Fixing one facet approves no other.
        """
        answers: list[RowDecision] = []
        refusals = [*shown.changed, *verdict_refusals(cells), *self._unfounded(cells, shown)]
        if shown.changed:  # is told; what hangs on it need not be told again
            shown = replace(shown, trusted=True)
        topics: tuple[str, ...] = ()
        for facet in self.taxonomy.facets.values():
            try:
                answer = self._facet_answer(facet, cells, shown, topics)
            except _CellError as error:
                refusals.append(error.fault)
                continue
            if answer is not None:
                answers.append(answer)
            if facet is self._first:
                topics = answer.values if answer else self._trusted(facet, shown)
        acts, refused_acts = act_answers(cells)
        refusals += refused_acts
        if not answers and not refusals and is_approved(cells):
            refusals.append(_NOTHING_SHOWN)
        return [*answers, *acts], refusals

    def _facet_answer(
        self, facet: Facet, cells: Mapping[str, str], shown: ShownLabels, topics: Sequence[str]
    ) -> RowDecision | None:
        """Return what the row says of one facet, None where it says nothing.

        topics: those of the first facet, where they are known.
        """
        column = self._column(facet)
        applies = not topics or facet.is_asked_of(topics)
        if self._is_filled(facet, cells):
            if not applies:
                known = ", ".join(facet.applies_to)
                wanted = f"an empty cell: {facet.id} is asked of papers on {known}"
                cure = f"Add one of these topics in review_topics, or empty {column}."
                raise _CellError(column, f"'{cells[column].strip()}'", wanted, cure)
            if facet.says_unstated(plain(cells.get(column, "")).rstrip(".")):
                return RowDecision(facet.id, (NOT_STATED,))
            labels = self._decided(facet, cells, shown)
        elif is_approved(cells) and shown.trusted and applies:
            labels = self._shown(facet, shown, "verdict")
            self._check(facet, labels, "verdict")
        else:
            return None
        return self._answer(facet, labels) if labels.values else None

    def _unfounded(self, cells: Mapping[str, str], shown: ShownLabels) -> Iterator[Fault]:
        """Yield a refusal where `ok` approves labels that Fieldguide may not have written."""
        if not is_approved(cells) or shown.changed:
            return
        if all(self._is_filled(facet, cells) for facet in self.taxonomy.facets.values()):
            return
        if shown.blank:
            yield _NOTHING_SHOWN
        elif not shown.trusted:
            found = "'ok' beside columns that were dropped or changed"
            wanted = "'ok' beside the labels that Fieldguide wrote, with their columns and `why`"
            cure = "Write what is right into the review_ columns, or use a new sheet."
            yield refused("verdict", found, wanted, cure)

    def _shown(self, facet: Facet, shown: ShownLabels, column: str) -> _Labels:
        """Return the labels that the row shows, under the ids that their categories have today."""
        values: list[str] = []
        for value in shown.categories[facet.id]:
            category = facet.resolve(value)
            if category is None:
                cure = f"Write the full list into {self._column(facet)}."
                wanted = f"labels that facet {facet.id} still has"
                raise _CellError(
                    column, f"'{value}', which is gone, among the labels shown", wanted, cure
                )
            values.append(category.id)
        top = facet.resolve(shown.primary) if facet is self._first else None
        return _Labels(_with_tops(facet, values), facet.top_of(top.id) if top else "")

    def _trusted(self, facet: Facet, shown: ShownLabels) -> tuple[str, ...]:
        """Return the labels shown under today's ids; none where they may be somebody's own."""
        known = map(facet.resolve, shown.categories[facet.id] if shown.trusted else ())
        return _with_tops(facet, (category.id for category in known if category))

    def _decided(self, facet: Facet, cells: Mapping[str, str], shown: ShownLabels) -> _Labels:
        """Return the labels that the review cells of a facet give."""
        column = self._column(facet)
        primary = self._primary(facet, cells)
        items = self._items(facet, column, cells.get(column, ""))
        if not items:
            assert primary
            return self._refiled(facet, primary, shown)
        said = [_said(items)]
        if any(item.sign for item in items):
            labels = self._changed(facet, column, items, shown, primary)
        else:
            labels = _Labels(_with_tops(facet, [str(item.category) for item in items]))
        if facet is self._first:
            of_changes = any(item.sign for item in items)
            labels, filed = self._filed(facet, labels, primary, shown, of_changes)
            said.append(filed)
        self._check(facet, labels, column)
        return _Labels(labels.values, labels.primary, "; ".join(filter(None, said)))

    def _filed(
        self, facet: Facet, labels: _Labels, primary: str, shown: ShownLabels, of_changes: bool
    ) -> tuple[_Labels, str]:
        """Return labels with the category that the paper is filed under, and how it was chosen."""
        tops = _tops(facet, labels.values)
        if primary:
            top = facet.top_of(primary)
            if top not in tops:
                wanted = f"one of the topics given ({JOINER.join(tops)})"
                cure = "Add it in review_topics, or file the paper under one of them."
                raise _CellError("review_primary", f"'{primary}'", wanted, cure)
            return _Labels(_with_tops(facet, [*labels.values, primary]), top), ""
        before = facet.resolve(shown.primary) if shown.trusted and shown.primary else None
        if not of_changes:  # a sheet shows the primary first, and so does who fills it
            top, how = tops[0], "the first given"
        elif before is not None and facet.top_of(before.id) in tops:
            top, how = facet.top_of(before.id), "as shown"
        else:
            found = f"'drop {shown.primary}', under which the paper is filed"
            cure = "Write where it is filed now into review_primary."
            raise _CellError("review_topics", found, "a new primary beside it", cure)
        return _Labels(labels.values, top), f"filed under {top}, {how}" if len(tops) > 1 else ""

    def _refiled(self, facet: Facet, primary: str, shown: ShownLabels) -> _Labels:
        """Return the labels shown, filed under `primary`; it is added where it is not among them.

        Where there is room for one, and where one of the two is out of scope, it takes their place.
        In a row that was drawn without labels it is the only one given.
        """
        if shown.blank:
            labels = _Labels(_with_tops(facet, [primary]), facet.top_of(primary))
            return replace(labels, said="the only topic given")
        self._require_shown(facet, "review_primary", shown)
        before = self._shown(facet, shown, "review_primary")
        outside = facet.out_of_scope.id if facet.out_of_scope else ""
        alone = facet.kind == "single" or outside in (*before.values, primary)
        kept = () if alone else before.values
        top = facet.top_of(primary)
        if facet.at_most == 1:
            kept = tuple(value for value in kept if facet.top_of(value) == top)
        labels = _Labels(_with_tops(facet, [*kept, primary]), top)
        self._check(facet, labels, "review_primary")
        dropped = [value for value in before.values if value not in labels.values]
        return _Labels(
            labels.values, labels.primary, f"without {JOINER.join(dropped)}" if dropped else ""
        )

    def _changed(
        self, facet: Facet, column: str, items: Sequence[Item], shown: ShownLabels, primary: str
    ) -> _Labels:
        """Return the labels shown after `add` and `drop`, and `primary` unless it is dropped."""
        if not all(item.sign for item in items):
            bare = next(item.text for item in items if not item.sign)
            wanted = f"either a full list, or changes such as '{_RIGHT_CHANGES}'"
            raise _CellError(column, f"'{bare}' beside add or drop", wanted)
        self._require_shown(facet, column, shown)
        values = list(self._shown(facet, shown, column).values)
        for item in items:
            category = str(item.category)
            if item.sign == "add":
                values.append(category)
            elif category in values:
                values = [each for each in values if not _is_within(each, category)]
            else:
                wanted = f"one of the labels shown ({JOINER.join(values)})"
                raise _CellError(column, f"'drop {item.text}'", wanted)
        dropped = {facet.top_of(str(item.category)) for item in items if item.sign == "drop"}
        if primary and facet.top_of(primary) not in dropped:
            values.append(primary)
        if not values:
            cure = f"Write {NOT_STATED} if nothing is stated." if facet.may_be_unstated else ""
            raise _CellError(column, "changes that leave no label", "at least one category", cure)
        return _Labels(_with_tops(facet, values))

    def _require_shown(self, facet: Facet, column: str, shown: ShownLabels) -> None:
        if not shown.trusted or not shown.categories[facet.id]:
            found = "a change to labels that the row does not show as Fieldguide wrote them"
            full = self._column(facet)
            raise _CellError(column, found, f"the full list in {full}", "Or use a new sheet.")

    def _check(self, facet: Facet, labels: _Labels, column: str) -> None:
        """Raise where labels cannot stand together."""
        tops = _tops(facet, labels.values)
        outside = facet.out_of_scope
        listed = f"'{JOINER.join(tops)}'"
        if outside and outside.id in tops and len(tops) > 1:
            wanted = f"'{outside.id}' alone: it says that the paper does not belong"
            raise _CellError(column, listed, wanted, "Delete it, or the others.")
        if facet.kind == "single" and (len(tops) > 1 or len(_leaves(labels.values)) > 1):
            raise _CellError(
                column, f"'{JOINER.join(labels.values)}'", f"one value of facet {facet.id}"
            )
        if facet.at_most and len(tops) > facet.at_most:
            found = f"{listed}, {len(tops)} top categories"
            cure = f"Write the list that you want into {self._column(facet)}."
            raise _CellError(column, found, f"at most {facet.at_most}", cure)

    def _primary(self, facet: Facet, cells: Mapping[str, str]) -> str:
        """Return the category in `review_primary`, "" where the cell is empty."""
        cell = cells.get("review_primary", "") if facet is self._first else ""
        items = self._items(facet, "review_primary", cell)
        if len(items) > 1 or any(item.sign for item in items):
            cure = "The other topics go into review_topics."
            raise _CellError("review_primary", f"'{cell.strip()}'", "one category", cure)
        return str(items[0].category) if items else ""

    def _items(self, facet: Facet, column: str, cell: str) -> list[Item]:
        """Return the entries of a cell; raises where one of them is no category."""
        if not cell.strip():
            return []
        spellings = self._spellings[facet.id]
        items = spellings.read(cell)
        unknown = [item.text for item in items if item.category is None]
        if not unknown and items:
            return items
        found = ", ".join(f"'{text}'" for text in unknown) or f"'{cell.strip()}'"
        noun = "categories" if len(unknown) > 1 else "a category"
        others = {
            self._column(other): self._spellings[other.id]
            for other in self.taxonomy.facets.values()
            if other is not facet
        }
        cure = cure_of(cell, unknown, spellings, others)
        wanted = f"{noun} of facet {facet.id}"
        if facet.may_be_unstated:
            wanted += f", or {NOT_STATED} alone where nothing is stated"
        raise _CellError(column, found, wanted, cure)

    def _column(self, facet: Facet) -> str:
        """Return the column that takes the full list of a facet."""
        return "review_topics" if facet is self._first else f"review_{facet.id}"

    def _is_filled(self, facet: Facet, cells: Mapping[str, str]) -> bool:
        """Say whether the row gives a facet labels of its own."""
        of_first = ("review_primary",) if facet is self._first else ()
        return any(cells.get(each, "").strip() for each in (*of_first, self._column(facet)))

    def _answer(self, facet: Facet, labels: _Labels) -> RowDecision:
        """Return labels as an answer, in the order in which a sheet shows them."""
        order = self._order[facet.id]

        def place(value: str) -> tuple[bool, int]:
            return facet.top_of(value) != labels.primary, order[value]

        values = tuple(sorted(labels.values, key=place))
        return RowDecision(facet.id, values, labels.primary, labels.said)

    @cached_property
    def _first(self) -> Facet:
        return self.taxonomy.first

    @cached_property
    def _order(self) -> dict[str, dict[str, int]]:
        """Facet id -> category id -> its place in the taxonomy."""
        return {
            facet.id: {category.id: place for place, category in enumerate(facet.walk())}
            for facet in self.taxonomy.facets.values()
        }

    @cached_property
    def _spellings(self) -> dict[str, Spellings]:
        return {facet.id: Spellings(facet) for facet in self.taxonomy.facets.values()}


def _with_tops(facet: Facet, values: Iterable[str]) -> tuple[str, ...]:
    """Return categories, each child behind its top category, none twice."""
    return tuple(dict.fromkeys(each for value in values for each in (facet.top_of(value), value)))


def _tops(facet: Facet, values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(facet.top_of(value) for value in values))


def _leaves(values: Sequence[str]) -> list[str]:
    """Return the values that are not above another."""
    return [v for v in values if not any(other != v and _is_within(other, v) for other in values)]


def _is_within(value: str, category: str) -> bool:
    return value == category or value.startswith(f"{category}/")


def _said(items: Sequence[Item]) -> str:
    """Name the retired categories in whose place others were taken."""
    moved = (f"{i.instead_of} is now {i.category}" for i in items if i.instead_of)
    return "; ".join(dict.fromkeys(moved))

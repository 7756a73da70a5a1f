"""Convert the `y` of scikit-learn, with one entry per paper, to decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classifier.errors import UsageError, listed
from classifier.labelling.labels import Decision, Decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import did_you_mean, title_id

_MAX_ERRORS = 10


@dataclass(frozen=True, slots=True)
class AlignedDecisions:
    """The decisions in `y`, and the columns of an indicator table."""

    decisions: Decisions
    """Decisions by paper id and facet id."""
    columns: tuple[str, ...] = ()
    """The categories of an indicator table; () for any other `y`."""


def papers_of(X: Sequence[Any]) -> list[Paper]:  # noqa: N803 - scikit-learn's name
    """Return the entries of `X` as papers with ids. A text becomes a paper without a title.

    Raises UsageError if an entry is neither a paper nor a text.
    """
    papers = []
    for row, each in enumerate(X):
        if isinstance(each, str):
            each = Paper("", abstract=each, abstract_kind="abstract", id=title_id(each))
        if not isinstance(each, Paper):
            raise UsageError(
                f"X, row {row}: found {_describe(each)}; expected a Paper or a text per row."
            )
        papers.append(each if each.id else each.with_id(title_id(each.full_text)))
    return papers


def aligned_decisions(
    y: Any, papers: Sequence[Paper], taxonomy: Taxonomy, facet: Facet
) -> AlignedDecisions:
    """Convert `y` to decisions.

    y: None; a mapping of paper id -> facet id -> Decision; an indicator table with one column per
    category; or one entry per paper. An entry is None, a category (id, name or alias), several
    categories with the primary first, a Decision on `facet`, or a mapping of facet id -> Decision.
    Raises UsageError with all unknown categories and facets.
    """
    if y is None:
        return AlignedDecisions({})
    if isinstance(y, Mapping):
        _raise_errors([error for paper_id, by_facet in y.items()
                 for error in _decision_errors(paper_id, by_facet, taxonomy)])  # fmt: skip
        return AlignedDecisions(y)
    columns: tuple[str, ...] = ()
    entries: Sequence[Any] = list(y) if not hasattr(y, "columns") else []
    if hasattr(y, "columns"):
        columns = _indicator_columns(list(y.columns), facet)
        entries = [_decision_of_row(row, columns, facet) for row in y.to_numpy(dtype=float)]
    elif isinstance(y, np.ndarray) and y.ndim == 2:
        if y.shape[1] != len(facet.ids):
            raise UsageError(
                f"y: found {y.shape[1]} columns; expected {len(facet.ids)}, one for each category "
                "of the facet, or a DataFrame whose columns are categories."
            )
        columns = facet.ids
        entries = [_decision_of_row(row, columns, facet) for row in y.astype(float)]
    if len(entries) != len(papers):
        raise UsageError(
            f"y: found {len(entries)} entries for {len(papers)} papers; expected one per paper."
        )
    decisions: dict[str, Mapping[str, Decision]] = {}
    errors: list[str] = []
    for row, (paper, entry) in enumerate(zip(papers, entries, strict=True)):
        try:
            by_facet = _decisions_of_entry(entry, facet)
        except UsageError as error:
            errors.append(f"y, row {row}: {error}")
            continue
        errors += _decision_errors(f"y, row {row}", by_facet, taxonomy)
        if by_facet:
            decisions[paper.id] = by_facet
    _raise_errors(errors)
    return AlignedDecisions(decisions, columns)


def _decisions_of_entry(entry: Any, facet: Facet) -> Mapping[str, Decision]:
    """Return the decisions in one entry of `y`, by facet id; raise UsageError if it is invalid."""
    if isinstance(entry, Mapping):
        return entry
    if isinstance(entry, Decision):
        return {facet.id: entry}
    if entry is None or entry == "" or entry != entry:  # NaN differs from itself
        return {}
    if isinstance(entry, str):
        category = facet.resolve(entry)
        if category is None:
            hint = did_you_mean(entry, facet.ids)
            raise UsageError(f"found '{entry}'; expected a category of {facet.id}. {hint}".rstrip())
        top = facet.top_id_of(category.id)
        return {facet.id: Decision(tuple(sorted({top, category.id})), top)}
    if isinstance(entry, list | tuple | set | frozenset):
        found = [_decisions_of_entry(each, facet)[facet.id] for each in entry if each]
        values = {value for each in found for value in each.values}
        return {facet.id: Decision(tuple(sorted(values)), found[0].primary)} if found else {}
    hint = (
        " scikit-learn numbers the classes for method='predict_proba': pass an indicator DataFrame "
        "as y there."
        if isinstance(entry, int | np.integer)
        else ""
    )
    raise UsageError(f"found {_describe(entry)}; expected a category, a Decision or None.{hint}")


def _decision_errors(
    place: str, by_facet: Mapping[str, Decision], taxonomy: Taxonomy
) -> Iterator[str]:
    """Yield a message for each facet and category that is not in the taxonomy."""
    for facet_id, decision in by_facet.items():
        facet = taxonomy.facets.get(facet_id)
        if facet is None:
            known = [*taxonomy.facets]
            expected, hint = listed(known), did_you_mean(facet_id, known)
            yield f"{place}: found the facet '{facet_id}'; expected {expected}. {hint}".rstrip()
            continue
        values = dict.fromkeys((*decision.values, *filter(None, [decision.primary])))
        for value in values:
            if facet.get(value) is None:
                hint = did_you_mean(value, [each.id for each in facet.walk()])
                message = f"{place}: found '{value}'; expected a category of {facet_id}. {hint}"
                yield message.rstrip()


def _indicator_columns(names: Sequence[Any], facet: Facet) -> tuple[str, ...]:
    """Return the category of each column of an indicator table."""
    found = [facet.resolve(str(name)) for name in names]
    _raise_errors([
        f"y: found the column '{name}'; expected a category of {facet.id}. "
        f"{did_you_mean(str(name), facet.ids)}".rstrip()
        for name, category in zip(names, found, strict=True)
        if category is None or category.id not in facet.ids
    ])  # fmt: skip
    return tuple(category.id for category in found if category)


def _decision_of_row(row: Any, columns: Sequence[str], facet: Facet) -> Decision | None:
    """Return the decision in a row of an indicator table; None if it has a gap, or no 1."""
    if np.isnan(row).any() or not row.any():
        return None
    values = {name for name, value in zip(columns, row, strict=True) if value}
    return Decision(tuple(sorted(values)), facet.top_ids_of(values)[0])


def _raise_errors(errors: Sequence[str]) -> None:
    """Raise UsageError with the first messages, if there are any."""
    if len(errors) > _MAX_ERRORS:
        errors = [*errors[:_MAX_ERRORS], f"… and {len(errors) - _MAX_ERRORS} more"]
    if errors:
        raise UsageError("\n".join(errors))


def _describe(value: object) -> str:
    """Describe a value for a message."""
    return f"{value!r} ({type(value).__name__})" if np.isscalar(value) else type(value).__name__

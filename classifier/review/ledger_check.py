"""Check the ledger against the taxonomy and the papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from classifier.errors import Fault, Severity, sort_faults
from classifier.papers.paper import Paper
from classifier.review.ledger import (
    ADJUDICATED,
    EXPECTED_DATE,
    NO_NAME,
    Entry,
    Group,
    Groups,
    Ledger,
    answer_text,
    current_decision,
    decision_of,
    decision_sort_key,
)
from classifier.review.sheet import typed_columns
from classifier.taxonomy.columns import TYPED, parse_typed_cell
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy, spelling_key
from classifier.taxonomy.versions import Versions
from classifier.text.links import dead_links
from classifier.text.normalise import CONTROL_CHARACTERS, did_you_mean, title_id, title_key

EDITORIAL_FACETS = ("exclude", "remark", "key", "note")
"""Facets of the ledger that are not labels: editorial acts, and notes, which are not published."""
DRAWN_BY = ("queue", "audit", "volunteer", "imported")
"""Ways in which a paper is selected for review; an empty cell means unknown."""
_ONE = "one per paper, facet, date and reviewer"
_UNUSED = "The row is kept and not used"
_MIN_UNKNOWN = 3
"""Minimum number of categories, all unknown, that suggests another taxonomy and not a typo."""
Finding = tuple[Severity, Entry, str, str, str]
"""Severity, row of the ledger, and the texts `actual`, `expected` and `hint` of a fault."""


def ledger_faults(
    ledger: Ledger,
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    aliases: Mapping[str, str],
    file: str,
    versions: Versions | None = None,
) -> list[Fault]:
    """Return the faults of a ledger, in the order of its lines.

    An impossible decision is an error, a doubtful or unused row a warning, and a conflict of
    reviewers a notice. aliases: other id of a paper -> its id. file: name of the ledger in
    messages. versions: recorded taxonomies; None to accept every digest.
    """
    groups = ledger.groups(aliases, taxonomy)
    found: list[Finding] = [*_check_papers(ledger.entries, papers, aliases)]
    for entry in ledger.entries:
        found += _check_cells(entry, taxonomy)
    found += _check_values(ledger.entries, taxonomy)
    found += _check_digests(groups, versions)
    found += _check_acts(ledger.entries, aliases)
    for (_, facet_id), decisions in groups.items():
        facet = taxonomy.facet(facet_id)
        for rows in decisions.values():
            rows = sorted(rows, key=lambda entry: entry.line)
            found += _check_decision(facet, rows, is_first=facet is taxonomy.first)
        found += _find_conflicts(facet, decisions, is_first=facet is taxonomy.first)
    return sort_faults(
        [Fault(severity, file, entry.line, *texts) for severity, entry, *texts in found]
    )


def _check_papers(
    entries: Sequence[Entry], papers: Sequence[Paper], aliases: Mapping[str, str]
) -> Iterator[Finding]:
    by_id = {paper.id: paper for paper in papers}
    reported: set[tuple[str, str]] = set()
    for entry in entries:
        paper = by_id.get(aliases.get(entry.id, entry.id))
        key = (entry.id, entry.title if paper else "")
        if key in reported:
            continue
        reported.add(key)
        if paper is None:
            found = f"id '{entry.id}'" + (f" of '{entry.title}'" if entry.title else "")
            hint = (
                f"{_UNUSED}; if it has another id now, add that to taxonomy/identity.csv; else "
                "restore the paper, or delete the row if you removed the paper."
            )
            yield "warning", entry, found, "the id of a paper", hint
        elif (
            entry.title
            and title_key(entry.title) != title_key(paper.title)
            and aliases.get(title_id(entry.title)) != paper.id  # title of a merged record
        ):
            expected = f"'{paper.title_display}', the title of {paper.id}"
            hint = "Check the id: the decision counts for the paper with that id."
            yield "warning", entry, f"the title '{entry.title}'", expected, hint


def _check_cells(entry: Entry, taxonomy: Taxonomy) -> Iterator[Finding]:
    if not entry.reviewer:
        yield "notice", entry, "an empty reviewer", "the name of the reviewer", ""
    if not entry.reviewed_on:
        hint = "Every dated decision counts as newer."
        yield "notice", entry, "an empty reviewed_on", EXPECTED_DATE, hint
    if entry.drawn_by and entry.drawn_by not in DRAWN_BY:
        expected = f"one of {', '.join(DRAWN_BY)}, or an empty cell"
        hint = did_you_mean(entry.drawn_by, DRAWN_BY)
        yield "notice", entry, f"drawn_by '{entry.drawn_by}'", expected, hint
    if character := CONTROL_CHARACTERS.search(f"{entry.value}{entry.reviewer}"):
        found = f"the character U+{ord(character[0]):04X}, which is invisible"
        yield "warning", entry, found, "printable text", "It is not printed."
    known = [*taxonomy.facets, *EDITORIAL_FACETS, *typed_columns(taxonomy)]
    if entry.facet not in known:
        hint = did_you_mean(entry.facet, known)
        yield "warning", entry, f"facet '{entry.facet}'", f"one of {', '.join(known)}", hint
    elif column := taxonomy.columns.get(entry.facet.removeprefix(TYPED)):
        form = parse_typed_cell(column, entry.value) if entry.value else ()
        if isinstance(form, str):
            yield "warning", entry, f"'{entry.value}' as {entry.facet}", form, f"{_UNUSED}."
    elif entry.facet == "key" and entry.value.casefold() not in ("yes", ""):
        expected = "yes, or an empty cell, which withdraws it"
        yield "warning", entry, f"key '{entry.value}'", expected, "The row has no effect."


def _check_values(entries: Sequence[Entry], taxonomy: Taxonomy) -> Iterator[Finding]:
    """Yield one warning per value that the taxonomy does not have, for all of its rows.

    If the taxonomy has none of the values of a facet, yield one warning for the facet.
    """
    for facet in taxonomy.facets.values():
        by_value: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.facet == facet.id:
                by_value.setdefault(entry.value, []).append(entry)
        unknown = {
            value: rows for value, rows in by_value.items() if not facet.is_valid_answer(value)
        }
        if len(unknown.keys() - {""}) == len(by_value.keys() - {""}) >= _MIN_UNKNOWN:
            found = f"none of the {len(unknown)} categories of facet {facet.id} in decisions"
            hint = (
                "If you replaced them all, start a new ledger: move taxonomy/reviews.csv away "
                "(git keeps it). If you renamed them, list each old id under `aliases`."
            )
            row = min((row for rows in by_value.values() for row in rows), key=lambda row: row.line)
            yield "warning", row, found, "categories of the taxonomy", hint
            continue
        spellings = [text for category in facet.walk() for text in (category.id, category.name)]
        for value, rows in unknown.items():
            found, unused = f"value '{value}'", _UNUSED
            if len(rows) > 1:
                found, unused = f"{found} in {len(rows)} rows", "The rows are kept and not used"
            hint = (
                f"{did_you_mean(value, spellings)} {unused}; list the old id under `aliases` of "
                "the category that replaced it."
            )
            yield "warning", rows[0], found, f"a category of facet {facet.id}", hint.lstrip()


def _check_digests(groups: Groups, versions: Versions | None) -> Iterator[Finding]:
    """Yield a warning per digest whose categories are not recorded."""
    decisions: dict[str, list[Entry]] = {}
    for by_group in groups.values() if versions else ():
        for rows in by_group.values():
            for digest, row in {row.taxonomy_digest: row for row in reversed(rows)}.items():
                decisions.setdefault(digest, []).append(row)
    for digest, rows in sorted(decisions.items()):
        if digest and versions is not None and not versions.has_version(digest):
            plural = "" if len(rows) == 1 else "s"
            found = f"taxonomy_digest '{digest}' on {len(rows)} decision{plural}"
            hint = (
                "Categories added since then count as rejected. Restore the digest's rows in "
                "taxonomy/versions.csv, or empty the cells."
            )
            expected = "a digest in taxonomy/versions.csv"
            yield "warning", min(rows, key=lambda row: row.line), found, expected, hint


def _check_acts(entries: Iterable[Entry], aliases: Mapping[str, str]) -> Iterator[Finding]:
    """Yield warnings on editorial rows.

    They are on a reason or remark that differs from an earlier one of the same reviewer and date,
    and on links in remarks that do not lead to the web.
    """
    first: dict[tuple[str, ...], Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.line):
        if entry.facet not in EDITORIAL_FACETS:
            continue
        for address in dict.fromkeys(dead_links(entry.value) if entry.facet == "remark" else ()):
            found, hint = f"a link to '{address}'", "The link is printed as text."
            yield "warning", entry, found, "an http or https address", hint
        paper_id = aliases.get(entry.id, entry.id)
        key = (paper_id, entry.facet, entry.reviewed_on, entry.reviewer)
        if first.setdefault(key, entry).value != entry.value:
            found = f"a second {entry.facet} (first on line {first[key].line})"
            hint = "Delete all but one of the rows; the last one in alphabetical order is used."
            yield "warning", entry, found, _ONE, hint


def _check_decision(facet: Facet, rows: Sequence[Entry], *, is_first: bool) -> Iterator[Finding]:
    """Yield contradictions within one decision.

    is_first: whether this is the first facet, in which each paper has a primary category.
    """
    by_value = {spelling_key(entry.value): entry for entry in reversed(rows) if entry.primary}
    primaries = sorted(by_value.values(), key=lambda entry: entry.line)
    for entry in primaries[1:]:
        found = f"a second primary (first on line {primaries[0].line})"
        yield "error", entry, found, _ONE, "Empty the cell of all but one."
    stated = _first_row_by_category(facet, rows)
    lines = f" (lines {', '.join(str(entry.line) for entry in stated.values())})"
    for entry in rows:
        if stated and facet.is_not_stated(entry.value):
            expected = f"'{NOT_STATED}' alone, for a paper that states nothing"
            found = f"'{entry.value}' together with a category{lines}"
            yield "error", entry, found, expected, "Delete it, or the others."
    if len(stated) < 2:
        return
    tops, clash = facet.top_ids_of(stated), facet.violated_rule(stated)
    if clash == "single":
        found = f"{len(stated)} values of facet {facet.id}{lines}"
        yield "error", rows[0], found, _ONE, "Delete all but one of the rows."
    elif clash == "out of scope" and facet.out_of_scope:
        outside = facet.out_of_scope.id
        found = f"'{outside}' together with another category{lines}"
        expected = f"'{outside}' alone, for a paper that is out of scope"
        yield "error", stated[outside], found, expected, ""
    elif clash:
        found = f"{len(tops)} top categories of facet {facet.id}{lines}"
        expected = f"at most {facet.at_most} per paper, date and reviewer"
        hint = f"Set `at_most: {len(tops)}` in the taxonomy, or delete rows."
        yield "error", next(iter(stated.values())), found, expected, hint
    if is_first and len(tops) > 1 and not primaries:
        found = f"no primary among {len(tops)} categories{lines}"
        hint = f"The paper is filed under '{tops[0]}', the first in the taxonomy's order."
        yield "warning", rows[0], found, "yes on one of the rows", hint


def _find_conflicts(
    facet: Facet, decisions: Mapping[Group, Sequence[Entry]], *, is_first: bool
) -> Iterator[Finding]:
    """Yield a notice per unsettled conflict: on one day, or newer than the adjudicated decision."""
    answers: dict[Group, str] = {}
    for group, rows in decisions.items():
        decision = decision_of(facet, rows)
        if decision is not None and not is_first:
            decision = replace(decision, primary="")
        answers[group] = answer_text(facet, decision) if decision else NOT_STATED
    current = current_decision(answers, lambda of_day: len(set(of_day)) == 1)
    is_adjudicated = current is not None and current[1] == ADJUDICATED
    other = current if current and is_adjudicated else max(decisions, key=decision_sort_key)
    when = "on one date"
    hint = (
        "The earlier decision is used; `fieldguide review agreement` writes a sheet to settle it."
    )
    if is_adjudicated:
        when = f"although adjudicated on {other[0] or 'no date'}"
        hint = "The adjudicated decision is used; adjudicate again to change it."
    for group in sorted(decisions):
        date, reviewer = group
        is_settled = is_adjudicated and date == other[0]
        is_older = decision_sort_key(group)[:2] < decision_sort_key(other)[:2]
        if not (is_older or is_settled or answers[group] == answers[other]):
            found = (
                f"'{answers[group]}' by {reviewer or NO_NAME} and '{answers[other]}' by "
                f"{other[1] or NO_NAME} for facet {facet.id} of one paper {when}"
            )
            yield "notice", decisions[group][0], found, "one answer", hint


def _first_row_by_category(facet: Facet, rows: Iterable[Entry]) -> dict[str, Entry]:
    """Return the first row by category id, without categories that have a child in the rows."""
    by_category: dict[str, Entry] = {}
    for entry in rows:
        category = facet.resolve(entry.value)
        if category is not None:
            by_category.setdefault(category.id, entry)
    leaves = facet.leaves(by_category)
    return {value: entry for value, entry in by_category.items() if value in leaves}

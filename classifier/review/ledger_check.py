"""Check the ledger against the taxonomy and the papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rapidfuzz import fuzz, process

from classifier.errors import Fault, Severity, sort_faults
from classifier.papers.paper import Paper, is_well_formed_id
from classifier.review.ledger import (
    ADJUDICATED,
    EXPECTED_DATE,
    Entry,
    Group,
    Groups,
    Ledger,
    answer_text,
    by_time,
    current_decision,
    decision_of,
)
from classifier.review.sheet import typed_columns
from classifier.taxonomy.columns import TYPED, read_typed
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy, spelling_key
from classifier.taxonomy.versions import Versions
from classifier.text.links import dead_links
from classifier.text.normalise import ACTS, did_you_mean, title_id, title_key

EDITORIAL_FACETS = ("exclude", "remark", "key", "note")
"""Facets of the ledger that are editorial acts, not labels; notes are not published."""
DRAWN_BY = ("queue", "audit", "volunteer", "imported")
"""How a paper was selected for review; an empty cell means unknown."""
_ONE = "one per paper, facet, date and reviewer"
_MIN_TITLE_RATIO = 80
"""Minimum similarity of two titles, 0 to 100, that may be of one paper."""
_UNUSED = "The row is kept and not used"
_MIN_UNKNOWN = 3
"""Minimum number of categories, all unknown, that suggests another taxonomy and not a typo."""
Found = tuple[Severity, Entry, str, str, str]
"""Severity, row, what was found, what was expected, hint."""


def ledger_faults(
    ledger: Ledger,
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    aliases: Mapping[str, str],
    file: str,
    versions: Versions | None = None,
) -> list[Fault]:
    """Return the faults of a ledger, in the order of its lines.

    An error is an impossible decision, a warning a doubtful or unused row. aliases: other id of a
    paper -> its id. file: its name in messages. versions: if given, unrecorded digests are
    faults.
    """
    groups = ledger.groups(aliases, taxonomy)
    found: list[Found] = [*_papers(ledger.entries, papers, aliases)]
    for entry in ledger.entries:
        found += _cells(entry, taxonomy)
    found += _values(ledger.entries, taxonomy)
    found += _digests(groups, versions)
    found += _acts(ledger.entries, aliases)
    for (_, facet_id), decisions in groups.items():
        facet = taxonomy.facet(facet_id)
        for rows in decisions.values():
            rows = sorted(rows, key=lambda entry: entry.line)
            found += _decision(facet, rows, files=facet is taxonomy.first)
        found += _disagreements(facet, decisions, is_first=facet is taxonomy.first)
    return sort_faults([Fault(bad, file, entry.line, *text) for bad, entry, *text in found])


def _papers(
    entries: Sequence[Entry], papers: Sequence[Paper], aliases: Mapping[str, str]
) -> Iterator[Found]:
    """Yield a warning per unknown id and per title of another paper."""
    by_id = {paper.id: paper for paper in papers}
    decided = {aliases.get(entry.id, entry.id) for entry in entries}
    undecided = {
        form: paper
        for paper in papers
        if paper.id not in decided
        for title in (paper.title, paper.title.partition(": ")[0])
        if (form := title_key(title))
    }
    reported: set[tuple[str, str]] = set()
    for entry in entries:
        paper = by_id.get(aliases.get(entry.id, entry.id))
        key = (entry.id, entry.title if paper else "")
        if key in reported:
            continue
        reported.add(key)
        if paper is None:
            found = f"id '{entry.id}'" + (f" of '{entry.title}'" if entry.title else "")
            hint = f"{_UNUSED}; {_renamed(entry, undecided)}restore the paper, or delete "
            hint += "the row if you removed the paper."
            yield "warning", entry, found, "the id of a paper", hint
        elif (
            entry.title
            and title_key(entry.title) != title_key(paper.title)
            and aliases.get(title_id(entry.title)) != paper.id  # of a record merged into it
        ):
            expected = f"'{paper.title_display}', the title of {paper.id}"
            hint = "Check the id: the decision counts for the paper of that id."
            yield "warning", entry, f"the title '{entry.title}'", expected, hint


def _renamed(entry: Entry, undecided: Mapping[str, Paper]) -> str:
    """Return a hint if the paper of a row may have another title or id now, or "".

    undecided: papers without a decision, by the key of their title and of its part before a colon.
    """
    if not is_well_formed_id(entry.id):
        return ""
    for title in (entry.title, entry.title.partition(": ")[0]):
        near = process.extractOne(
            title_key(title), undecided.keys(), scorer=fuzz.ratio, score_cutoff=_MIN_TITLE_RATIO
        )
        if near is not None:
            paper = undecided[near[0]]
            row = f"{paper.id},{entry.id},same"
            return f"if it is '{paper.title_display}', add {row} to taxonomy/identity.csv; else "
    return "if it has another id now, add that to taxonomy/identity.csv; else "


def _cells(entry: Entry, taxonomy: Taxonomy) -> Iterator[Found]:
    """Yield faults of single cells: empty or unknown values, invisible characters."""
    if not entry.reviewer:
        yield "notice", entry, "an empty reviewer", "the name of the reviewer", ""
    if not entry.reviewed_on:
        hint = "Every dated decision counts as newer."
        yield "notice", entry, "an empty reviewed_on", EXPECTED_DATE, hint
    if entry.drawn_by and entry.drawn_by not in DRAWN_BY:
        expected = f"one of {', '.join(DRAWN_BY)}, or an empty cell"
        hint = did_you_mean(entry.drawn_by, DRAWN_BY)
        yield "notice", entry, f"drawn_by '{entry.drawn_by}'", expected, hint
    if sign := ACTS.search(f"{entry.value}{entry.reviewer}"):
        found = f"the character U+{ord(sign[0]):04X}, which is invisible"
        yield "warning", entry, found, "printable text", "It is not printed."
    known = [*taxonomy.facets, *EDITORIAL_FACETS, *typed_columns(taxonomy)]
    if entry.facet not in known:
        hint = did_you_mean(entry.facet, known)
        yield "warning", entry, f"facet '{entry.facet}'", f"one of {', '.join(known)}", hint
    elif column := taxonomy.columns.get(entry.facet.removeprefix(TYPED)):
        form = read_typed(column, entry.value) if entry.value else ()
        if isinstance(form, str):
            yield "warning", entry, f"'{entry.value}' as {entry.facet}", form, f"{_UNUSED}."
    elif entry.facet == "key" and entry.value.casefold() not in ("yes", ""):
        expected = "yes, or an empty cell, which withdraws it"
        yield "warning", entry, f"key '{entry.value}'", expected, "The row has no effect."


def _values(entries: Sequence[Entry], taxonomy: Taxonomy) -> Iterator[Found]:
    """Yield a warning per value that the taxonomy does not have, for all of its rows.

    If it has none of several values of a facet, yield one warning for the facet.
    """
    for facet in taxonomy.facets.values():
        by_value: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.facet == facet.id:
                by_value.setdefault(entry.value, []).append(entry)
        unknown = {value: rows for value, rows in by_value.items() if not facet.knows(value)}
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
            found, kept = f"value '{value}'", _UNUSED
            if len(rows) > 1:
                found, kept = f"{found} in {len(rows)} rows", "The rows are kept and not used"
            hint = (
                f"{did_you_mean(value, spellings)} {kept}; list the old id under `aliases` of the "
                "category that replaced it."
            )
            yield "warning", rows[0], found, f"a category of facet {facet.id}", hint.lstrip()


def _digests(groups: Groups, versions: Versions | None) -> Iterator[Found]:
    """Yield a warning per digest whose categories are not recorded."""
    decisions: dict[str, list[Entry]] = {}
    for by_person in groups.values() if versions else ():
        for rows in by_person.values():
            for digest, row in {row.taxonomy_digest: row for row in reversed(rows)}.items():
                decisions.setdefault(digest, []).append(row)
    for digest, rows in sorted(decisions.items()):
        if digest and versions is not None and not versions.records(digest):
            plural = "" if len(rows) == 1 else "s"
            found = f"taxonomy_digest '{digest}' on {len(rows)} decision{plural}"
            hint = (
                "Categories added since then count as rejected; restore the digest's rows of "
                "taxonomy/versions.csv, or empty the cells."
            )
            expected = "a digest in taxonomy/versions.csv"
            yield "warning", min(rows, key=lambda row: row.line), found, expected, hint


def _acts(entries: Iterable[Entry], aliases: Mapping[str, str]) -> Iterator[Found]:
    """Yield a warning per second reason or remark of one reviewer and date, and per dead link."""
    first: dict[tuple[str, ...], Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.line):
        if entry.facet not in EDITORIAL_FACETS:
            continue
        for address in dict.fromkeys(dead_links(entry.value) if entry.facet == "remark" else ()):
            found, hint = f"a link to '{address}'", "It is printed as text."
            yield "warning", entry, found, "an http or https address", hint
        paper_id = aliases.get(entry.id, entry.id)
        key = (paper_id, entry.facet, entry.reviewed_on, entry.reviewer)
        if first.setdefault(key, entry).value != entry.value:
            found = f"a second {entry.facet} (first on line {first[key].line})"
            hint = "Delete all but one of the rows; now the last one in alphabetical order is used."
            yield "warning", entry, found, _ONE, hint


def _decision(facet: Facet, rows: Sequence[Entry], *, files: bool) -> Iterator[Found]:
    """Yield contradictions within one decision.

    files: whether the facet is the first, so that papers are filed under its categories.
    """
    by_value: dict[str, Entry] = {}
    for entry in rows:
        if entry.primary:
            by_value.setdefault(spelling_key(entry.value), entry)
    primaries = list(by_value.values())
    for entry in primaries[1:]:
        found = f"a second primary (first on line {primaries[0].line})"
        yield "error", entry, found, _ONE, "Empty the cell of all but one."
    stated = _stated(facet, rows)
    lines = f" (lines {', '.join(str(entry.line) for entry in stated.values())})"
    for entry in rows:
        if stated and facet.says_unstated(entry.value):
            expected = f"'{NOT_STATED}' alone, which means that nothing is stated"
            found = f"'{entry.value}' together with a category{lines}"
            yield "error", entry, found, expected, "Delete it, or the others."
    if len(stated) < 2:
        return
    tops, clash = facet.tops_of(stated), facet.clash(stated)
    if clash == "single":
        found = f"{len(stated)} values of facet {facet.id}{lines}"
        yield "error", rows[0], found, _ONE, "Delete all but one of the rows."
    elif clash == "out of scope" and facet.out_of_scope:
        outside = facet.out_of_scope.id
        found = f"'{outside}' together with another category{lines}"
        expected = f"'{outside}' alone, which means that the paper is out of scope"
        yield "error", stated[outside], found, expected, ""
    elif clash:
        found = f"{len(tops)} top categories of facet {facet.id}{lines}"
        expected = f"at most {facet.at_most} per paper, date and reviewer"
        hint = f"Set `at_most: {len(tops)}` in the taxonomy, or delete rows."
        yield "error", next(iter(stated.values())), found, expected, hint
    if files and len(tops) > 1 and not primaries:
        found = f"no primary among {len(tops)} categories{lines}"
        hint = f"The paper is filed under '{tops[0]}', the first in the taxonomy's order."
        yield "warning", rows[0], found, "yes on one of the rows", hint


def _disagreements(
    facet: Facet, decisions: Mapping[Group, Sequence[Entry]], *, is_first: bool
) -> Iterator[Found]:
    """Yield a notice per unsettled conflict: on one day, or newer than the adjudicated decision."""
    known = {group: decision_of(facet, rows) for group, rows in decisions.items()}
    answers = dict.fromkeys(known, NOT_STATED)
    for group, decision in known.items():
        if decision is not None:
            counted = decision if is_first else replace(decision, primary="")
            answers[group] = answer_text(facet, counted)
    chosen = current_decision(answers, lambda of_day: len(set(of_day)) == 1)
    newest = max(decisions, key=by_time)
    against = chosen if chosen and chosen[1] == ADJUDICATED else newest
    when = "on one date"
    hint = (
        "The earlier decision is used; `fieldguide review agreement` writes a sheet to settle it."
    )
    if against[1] == ADJUDICATED:
        when = f"although adjudicated on {against[0] or 'no date'}"
        hint = "The adjudicated decision is used; adjudicate again to change it."
    for group in sorted(decisions):
        date, reviewer = group
        is_settled = against[1] == ADJUDICATED and date == against[0]
        is_older = by_time(group)[:2] < by_time(against)[:2]
        if not (is_older or is_settled or answers[group] == answers[against]):
            found = (
                f"'{answers[group]}' by {reviewer or 'nobody'} and '{answers[against]}' by "
                f"{against[1] or 'nobody'} for facet {facet.id} of one paper {when}"
            )
            yield "notice", decisions[group][0], found, "one answer", hint


def _stated(facet: Facet, rows: Iterable[Entry]) -> dict[str, Entry]:
    """Return category id -> its row, without parents of stated children."""
    known: dict[str, Entry] = {}
    for entry in rows:
        category = facet.resolve(entry.value)
        if category is not None:
            known.setdefault(category.id, entry)
    leaves = facet.leaves(known)
    return {value: entry for value, entry in known.items() if value in leaves}

"""What is wrong in the ledger, told against the taxonomy and the papers that it speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz, process

from classifier.errors import Fault, sort_faults
from classifier.papers.paper import Paper, is_well_formed_id
from classifier.review.ledger import (
    ADJUDICATED,
    WANTED_DATE,
    Entry,
    Group,
    Groups,
    Ledger,
    by_time,
    in_force,
)
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy, spelling_key
from classifier.taxonomy.versions import Versions
from classifier.text.links import dead_links
from classifier.text.normalise import ACTS, title_id, title_key

EDITORIAL_FACETS = ("exclude", "remark", "key", "note")
"""Facets of the ledger that are acts of the editors, not labels; a note is published nowhere."""
DRAWN_BY = ("queue", "audit", "volunteer", "imported")
"""How a paper may have come to be reviewed; an empty cell says that nobody knows."""
_ONE = "one for a paper, facet, date and reviewer"
_LIKE_TITLE = 80
"""How alike two titles are, of 100, before one is told to be perhaps the other, changed."""
_UNUSED = "The row is kept and not used"
_SEVERAL = 3
"""Categories that decisions name, from which on none of them known is no slip of one name."""


def ledger_faults(
    ledger: Ledger,
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    aliases: Mapping[str, str],
    shown: str,
    versions: Versions | None = None,
) -> list[Fault]:
    """Return what is wrong in a ledger against taxonomy and papers, in reading order.

    An error is a decision that cannot be meant as written, a warning a row that is doubtful or
    not used. `aliases` leads from every other id of a paper to its id; `shown` is the file's name
    for messages; with `versions`, digests that they do not record are named.
    """
    check = _LedgerCheck(taxonomy, papers, aliases, shown, versions)
    return check.faults(ledger.entries, ledger.groups(taxonomy, aliases))


@dataclass(frozen=True)
class _LedgerCheck:
    taxonomy: Taxonomy
    papers: Sequence[Paper]
    aliases: Mapping[str, str]
    """Every other id by which a paper is known -> its id."""
    shown: str
    """The ledger's name, for messages."""
    versions: Versions | None = None
    """Which categories the taxonomy had; None where that is not asked."""

    def faults(self, entries: Sequence[Entry], groups: Groups) -> list[Fault]:
        """Return every fault, in reading order."""
        found = [*self._papers(entries)]
        for entry in entries:
            found += self._cells(entry)
        found += [*self._facets(entries), *self._values(entries), *self._digests(groups)]
        found += self._acts(entries)
        for (_, facet_id), decisions in groups.items():
            facet = self.taxonomy.facet(facet_id)
            for rows in decisions.values():
                found += self._decision(facet, sorted(rows, key=lambda entry: entry.line))
            found += self._disagreements(facet, decisions)
        return sort_faults(found)

    def _papers(self, entries: Sequence[Entry]) -> Iterator[Fault]:
        """Warn of ids that no paper has and of titles of other papers, once each."""
        told: set[tuple[str, str]] = set()
        undecided: dict[str, Paper] | None = None
        for entry in entries:
            paper = self._by_id.get(self.aliases.get(entry.id, entry.id))
            key = (entry.id, entry.title if paper else "")
            if key in told:
                continue
            told.add(key)
            if paper is None:
                if undecided is None:
                    undecided = self._undecided(entries)
                found = f"id '{entry.id}'" + (f" of '{entry.title}'" if entry.title else "")
                cure = f"{_UNUSED}; {_renamed(entry, undecided)}put the paper back, or delete "
                cure += "the row if it is gone for good."
                yield self._warning(entry, found, "the id of a paper", cure)
            elif not self._is_title_of(entry.title, paper):
                found = f"the title '{entry.title}'"
                wanted = f"'{paper.title_display}', the title of {paper.id}"
                cure = "Check the id: the decision counts for the paper of that id."
                yield self._warning(entry, found, wanted, cure)

    def _undecided(self, entries: Iterable[Entry]) -> dict[str, Paper]:
        """Return the papers of which the ledger says nothing, by what titles are compared by."""
        decided = {self.aliases.get(entry.id, entry.id) for entry in entries}
        papers = (paper for paper in self.papers if paper.id not in decided)
        return {key: paper for paper in papers for key in _keys(paper.title)}

    def _is_title_of(self, title: str, paper: Paper) -> bool:
        """Say whether `title` is the paper's, or that of a record merged into it; or empty."""
        if not title or title_key(title) == title_key(paper.title):
            return True
        return self.aliases.get(title_id(title)) == paper.id

    def _cells(self, entry: Entry) -> Iterator[Fault]:
        """Note cells that say less than they should."""
        if not entry.reviewer:
            yield self._notice(entry, "an empty reviewer", "the name of who decided")
        if not entry.reviewed_on:
            cure = "Until then every dated decision counts as newer."
            yield self._notice(entry, "an empty reviewed_on", WANTED_DATE, cure)
        if entry.drawn_by and entry.drawn_by not in DRAWN_BY:
            wanted = f"one of {', '.join(DRAWN_BY)}, or an empty cell"
            cure = _nearest(entry.drawn_by, DRAWN_BY)
            yield self._notice(entry, f"drawn_by '{entry.drawn_by}'", wanted, cure)
        if sign := ACTS.search(f"{entry.value}{entry.reviewer}"):
            found = f"the character U+{ord(sign[0]):04X}, which is not seen"
            yield self._warning(entry, found, "printable text", "It is left out where it shows.")

    def _facets(self, entries: Iterable[Entry]) -> Iterator[Fault]:
        """Warn of facets that the taxonomy does not know, and of marks that mark nothing."""
        known = [*self.taxonomy.facets, *EDITORIAL_FACETS]
        for entry in entries:
            if entry.facet not in known:
                cure = _nearest(entry.facet, known)
                wanted = f"one of {', '.join(known)}"
                yield self._warning(entry, f"facet '{entry.facet}'", wanted, cure)
            elif entry.facet == "key" and entry.value.casefold() not in ("yes", ""):
                wanted = "yes, or an empty cell, which withdraws it"
                yield self._warning(entry, f"key '{entry.value}'", wanted, "It marks no key paper.")

    def _values(self, entries: Iterable[Entry]) -> Iterator[Fault]:
        """Warn of each value that the taxonomy does not know, once for all of its rows."""
        unknown: dict[tuple[str, str], list[Entry]] = {}
        for entry in entries:
            facet = self.taxonomy.facets.get(entry.facet)
            if facet is not None and not facet.knows(entry.value):
                unknown.setdefault((entry.facet, entry.value), []).append(entry)
        for facet_id in self._replaced(entries := list(entries), unknown):
            rows = [
                row for (facet, _), some in unknown.items() if facet == facet_id for row in some
            ]
            values = sum(facet == facet_id for facet, _ in unknown)
            found = f"none of the {values} categories of facet {facet_id} that decisions name"
            wanted = "categories that the taxonomy has"
            cure = (
                "If you replaced them all, start the ledger anew: move taxonomy/reviews.csv away "
                "(git keeps it). If you renamed them, list each old id under `aliases`."
            )
            yield self._warning(min(rows, key=lambda row: row.line), found, wanted, cure)
            unknown = {key: some for key, some in unknown.items() if key[0] != facet_id}
        for (facet_id, value), rows in unknown.items():
            spellings = [
                text for c in self.taxonomy.facet(facet_id).walk() for text in (c.id, c.name)
            ]
            found, kept = f"value '{value}'", _UNUSED
            if len(rows) > 1:
                found, kept = f"{found} in {len(rows)} rows", "The rows are kept and not used"
            cure = (
                f"{_nearest(value, spellings)} {kept}; list the old id under `aliases` of the "
                "category that took its place."
            )
            wanted = f"a category of facet {facet_id}"
            yield self._warning(rows[0], found, wanted, cure.lstrip())

    def _replaced(
        self, entries: Iterable[Entry], unknown: Mapping[tuple[str, str], Sequence[Entry]]
    ) -> list[str]:
        """Return the facets of whose decided values, several, the taxonomy knows none."""
        named: dict[str, set[str]] = {}
        for entry in entries:
            if entry.facet in self.taxonomy.facets and entry.value:
                named.setdefault(entry.facet, set()).add(entry.value)
        return [
            facet_id
            for facet_id, values in named.items()
            if len(values) >= _SEVERAL and all((facet_id, value) in unknown for value in values)
        ]

    def _digests(self, groups: Groups) -> Iterator[Fault]:
        """Warn of each digest of which nobody knows what categories it stands for, once."""
        decisions: dict[str, list[Entry]] = {}
        for by_person in groups.values():
            for rows in by_person.values():
                for digest, row in {row.taxonomy_digest: row for row in reversed(rows)}.items():
                    decisions.setdefault(digest, []).append(row)
        for digest, rows in sorted(decisions.items()):
            if digest and self.versions is not None and not self.versions.records(digest):
                plural = "" if len(rows) == 1 else "s"
                found = f"taxonomy_digest '{digest}' on {len(rows)} decision{plural}"
                cure = (
                    "Categories that were added since count as not given there; restore the "
                    "digest's rows of taxonomy/versions.csv, or empty the cells."
                )
                wanted = "a digest that taxonomy/versions.csv records"
                first = min(rows, key=lambda row: row.line)
                yield self._warning(first, found, wanted, cure)

    def _acts(self, entries: Iterable[Entry]) -> Iterator[Fault]:
        """Warn of a second reason or remark of one reviewer and date: which one is meant?"""
        first: dict[tuple[str, ...], Entry] = {}
        for entry in sorted(entries, key=lambda entry: entry.line):
            if entry.facet not in EDITORIAL_FACETS:
                continue
            if entry.facet == "remark":
                yield from self._links(entry)
            paper_id = self.aliases.get(entry.id, entry.id)
            key = (paper_id, entry.facet, entry.reviewed_on, entry.reviewer)
            if first.setdefault(key, entry).value != entry.value:
                found = f"a second {entry.facet} (first on line {first[key].line})"
                cure = "Delete all but one of the rows; until then the last by its text is used."
                yield self._warning(entry, found, _ONE, cure)

    def _links(self, entry: Entry) -> Iterator[Fault]:
        """Warn of links in a remark that do not lead to the web."""
        for address in dict.fromkeys(dead_links(entry.value)):
            found, cure = f"a link to '{address}'", "It is printed as it is typed."
            yield self._warning(entry, found, "an http or https address", cure)

    def _decision(self, facet: Facet, rows: Sequence[Entry]) -> Iterator[Fault]:
        """Find what one reviewer cannot mean of one paper and facet on one date."""
        yield from self._primaries(rows)
        stated = _stated(facet, rows)
        yield from self._unstated(facet, rows, stated)
        if len(stated) < 2:
            return
        if facet.kind == "single":
            found = f"{len(stated)} values of facet {facet.id}{_lines(stated)}"
            yield self._error(rows[0], found, _ONE, "Delete all but one of the rows.")
        else:
            yield from self._categories(facet, stated)
            yield from self._unfiled(facet, rows, stated)

    def _primaries(self, rows: Sequence[Entry]) -> Iterator[Fault]:
        by_value: dict[str, Entry] = {}
        for entry in rows:
            if entry.primary:
                by_value.setdefault(spelling_key(entry.value), entry)
        primaries = list(by_value.values())
        for entry in primaries[1:]:
            found = f"a second primary (first on line {primaries[0].line})"
            yield self._error(entry, found, _ONE, "Empty the cell of all but one.")

    def _unstated(
        self, facet: Facet, rows: Sequence[Entry], stated: Mapping[str, Entry]
    ) -> Iterator[Fault]:
        """Find that nothing is stated, beside what is."""
        for entry in rows:
            if stated and facet.says_unstated(entry.value):
                found = f"'{entry.value}' beside a category{_lines(stated)}"
                wanted = f"'{NOT_STATED}' alone: it says that nothing is stated"
                yield self._error(entry, found, wanted, "Delete it, or the others.")

    def _categories(self, facet: Facet, stated: Mapping[str, Entry]) -> Iterator[Fault]:
        """Find categories that exclude each other, or are too many."""
        outside = facet.out_of_scope
        if outside and outside.id in stated:
            found = f"'{outside.id}' beside another category{_lines(stated)}"
            wanted = f"'{outside.id}' alone: it says that the paper does not belong"
            yield self._error(stated[outside.id], found, wanted)
        tops = _tops(facet, stated)
        if facet.at_most and len(tops) > facet.at_most:
            found = f"{len(tops)} top categories of facet {facet.id}{_lines(stated)}"
            wanted = f"at most {facet.at_most} for a paper, date and reviewer"
            cure = f"Set `at_most: {len(tops)}` in the taxonomy, or delete rows."
            yield self._error(next(iter(stated.values())), found, wanted, cure)

    def _unfiled(
        self, facet: Facet, rows: Sequence[Entry], stated: Mapping[str, Entry]
    ) -> Iterator[Fault]:
        """Warn where nobody said under which of several categories the paper is filed."""
        tops = _tops(facet, stated)
        if facet is self.taxonomy.first and len(tops) > 1 and not any(e.primary for e in rows):
            found = f"no primary among {len(tops)} categories{_lines(stated)}"
            cure = f"The paper is filed under '{tops[0]}', the first in the taxonomy's order."
            yield self._warning(rows[0], found, "yes on one of the rows", cure)

    def _disagreements(
        self, facet: Facet, decisions: Mapping[Group, Sequence[Entry]]
    ) -> Iterator[Fault]:
        """Note decisions that wait to be settled: of one day, or newer than what is adjudicated."""
        answers = {group: _answer(facet, rows) for group, rows in decisions.items()}
        chosen = in_force(answers, lambda of_day: len(set(of_day)) == 1)
        newest = max(decisions, key=by_time)
        against = chosen if chosen and chosen[1] == ADJUDICATED else newest
        when = "on one date"
        cure = (
            "What stood before is used; `fieldguide review agreement` makes a sheet to settle it."
        )
        if against[1] == ADJUDICATED:
            when = f"though adjudicated on {against[0] or 'no date'}"
            cure = "What is adjudicated is used; adjudicate again to change it."
        for group in sorted(decisions):
            date, reviewer = group
            is_settled = against[1] == ADJUDICATED and date == against[0]
            is_older = by_time(group)[:2] < by_time(against)[:2]
            if is_older or is_settled or answers[group] == answers[against]:
                continue
            found = (
                f"'{answers[group]}' by {reviewer or 'nobody'} and '{answers[against]}' by "
                f"{against[1] or 'nobody'} for facet {facet.id} of one paper {when}"
            )
            yield self._notice(decisions[group][0], found, "one answer", cure)

    @cached_property
    def _by_id(self) -> dict[str, Paper]:
        return {paper.id: paper for paper in self.papers}

    def _error(self, entry: Entry, found: str, wanted: str, cure: str = "") -> Fault:
        return Fault("error", self.shown, entry.line, found, wanted, cure)

    def _warning(self, entry: Entry, found: str, wanted: str, cure: str = "") -> Fault:
        return Fault("warning", self.shown, entry.line, found, wanted, cure)

    def _notice(self, entry: Entry, found: str, wanted: str, cure: str = "") -> Fault:
        return Fault("notice", self.shown, entry.line, found, wanted, cure)


def _renamed(entry: Entry, undecided: Mapping[str, Paper]) -> str:
    """Return what to do where the paper of a row has another title or id now, or ""."""
    if not is_well_formed_id(entry.id):
        return ""
    found = (
        process.extractOne(key, list(undecided), scorer=fuzz.ratio, score_cutoff=_LIKE_TITLE)
        for key in _keys(entry.title)
    )
    near = max(filter(None, found), key=lambda match: (match[1], match[0]), default=None)
    if near is None:
        return "where it has another id now, taxonomy/identity.csv can say so; else "
    paper = undecided[near[0]]
    row = f"{paper.id},{entry.id},same"
    return f"if it is '{paper.title_display}', add {row} to taxonomy/identity.csv; else "


def _keys(title: str) -> list[str]:
    """Return what a title is compared by: all of it, and what stands before a subtitle."""
    keys = (title_key(title), title_key(title.partition(": ")[0]))
    return list(filter(None, dict.fromkeys(keys)))


def _stated(facet: Facet, rows: Iterable[Entry]) -> dict[str, Entry]:
    """Return category id -> its row; a category whose child is stated, too, goes without saying."""
    known: dict[str, Entry] = {}
    for entry in rows:
        category = facet.resolve(entry.value)
        if category is not None:
            known.setdefault(category.id, entry)
    return {
        value: entry
        for value, entry in known.items()
        if not any(other.startswith(f"{value}/") for other in known)
    }


def _tops(facet: Facet, values: Iterable[str]) -> list[str]:
    """Return the top categories of `values`, in the taxonomy's order."""
    tops = {facet.top_of(value) for value in values}
    return [top for top in facet.ids if top in tops]


def _answer(facet: Facet, rows: Sequence[Entry]) -> str:
    """Return a decision as text: the primary first, the rest in the taxonomy's order."""
    stated = _stated(facet, rows)
    filed = _tops(facet, _stated(facet, (entry for entry in rows if entry.primary)))
    order = [category.id for category in facet.walk()]
    listed = sorted(stated, key=lambda v: (facet.top_of(v) not in filed, order.index(v)))
    return "; ".join(listed) or NOT_STATED


def _lines(stated: Mapping[str, Entry]) -> str:
    return f" (lines {', '.join(str(entry.line) for entry in stated.values())})"


def _nearest(text: str, known: Iterable[str]) -> str:
    """Return "Did you mean …?" for the name that is spelled most like `text`, or ""."""
    nearest = process.extractOne(text, list(known), processor=spelling_key, score_cutoff=70)
    return f"Did you mean '{nearest[0]}'?" if nearest else ""

"""Fill the typed columns of a taxonomy from the sentences of a text.

Each possible value in a sentence is replaced by one placeholder word, so that a cue such as `dose~
of VALUE` matches like any other cue. A list of values ("1B, 3B and 8B") is also replaced by one
word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from classifier.labelling.labels import PaperLabels
from classifier.papers.paper import Paper
from classifier.review.acts import EditorialActs
from classifier.survey.names import NameFinder
from classifier.survey.paper_names import short_name
from classifier.taxonomy.columns import SLOT, Value, Values, column_cue, dates_in, numbers_in
from classifier.taxonomy.cue import CueMatcher, Match
from classifier.taxonomy.model import Taxonomy, TypedColumn, mark_as_promised
from classifier.text.normalise import tokens
from classifier.text.roles import RoledSentence, roled_sentences

_NOT_READ = frozenset({"problem", "limit"})
_BETWEEN = re.compile(r"\s*(?:,|/|,?\s*(?:and|or|to))\s*")
_REST_OF_NAME = re.compile(r"(?:[-.]?\w+)*(?:-\w[\w.]*)*(?:\s\d+(?:\.\d+)?[BM]\b)?")
_NAME_BEFORE = re.compile(r"[A-Za-z][\w.-]*-$")
_NAME_AFTER = re.compile(r"(?:-\w[\w.]*\w)*")


class ColumnFiller:
    """Finds the values of all typed columns in a text."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._columns = [_ValueFinder.of(column, taxonomy) for column in taxonomy.columns.values()]

    def fill(self, sentences: Sequence[RoledSentence], own_name: str = "") -> Values:
        """Return the values that the sentences state, by column id; empty columns are omitted.

        own_name: the name that a paper gives its work. A number in a name that begins with it
        (“Crumb-8B”) needs no cue.
        """
        found: dict[str, tuple[Value, ...]] = {}
        for finder in self._columns:
            values = {
                value.key: value
                for sentence in reversed(sentences)
                if finder.column.cues or sentence.role not in _NOT_READ
                for value in reversed([*finder.values(sentence, own_name)])
            }
            for value in finder.column.values:
                if value in values:
                    values.pop(mark_as_promised(value), None)
            declared = list(finder.column.choices)  # in one sentence, in the taxonomy's order
            stated = sorted(
                values.values(),
                key=lambda value: (value.start, declared.index(value.key) if declared else 0),
            )
            if stated:
                found[finder.column.id] = tuple(stated if finder.column.several else stated[:1])
        return found


@dataclass(frozen=True, slots=True)
class _ValueFinder:
    """Finds the values of one column in a sentence."""

    column: TypedColumn
    names: NameFinder | None
    """Finder for the names of the column's lexicon, if it has one."""
    cues: CueMatcher
    against: CueMatcher
    """Cues that exclude a value."""
    choices: CueMatcher
    """Cues of the values of a column with fixed values (`one of`)."""
    choice_of: tuple[str, ...]
    """Value of each cue in `choices`."""
    promised: CueMatcher
    """Cues of values that are only announced."""

    @classmethod
    def of(cls, column: TypedColumn, taxonomy: Taxonomy) -> _ValueFinder:
        """Create the finder for a column."""
        pairs = [(value, cue) for value, cues in column.values.items() for cue in cues]
        names = None
        if column.lexicon:
            lexicon = taxonomy.lexicons.get(column.lexicon, {})
            names = NameFinder({column.lexicon: lexicon}, taxonomy.roles)
        return cls(
            column,
            names,
            CueMatcher([column_cue(cue) for cue in column.cues]),
            CueMatcher([column_cue(cue) for cue in column.against]),
            CueMatcher([column_cue(cue) for _, cue in pairs]),
            tuple(value for value, _ in pairs),
            CueMatcher([column_cue(cue) for cue in column.promised]),
        )

    def values(self, sentence: RoledSentence, own_name: str = "") -> Iterator[Value]:
        """Yield the values that a sentence states."""
        from classifier.labelling.cue_index import negated_positions  # late: numpy

        text, offset = sentence.words, sentence.span.start + sentence.heading
        groups = _group_values(text, sorted(self._candidates(text), key=lambda value: value.start))
        if not groups and not self.choice_of:
            return
        slotted = _replace_values_by_slots(text, groups)
        words = tokens(slotted)
        denied = negated_positions(slotted)
        if self.choice_of:
            yield from self._values_with_cues(sentence, words, denied)
            return
        slots = [at for at, word in enumerate(words) if word == SLOT]
        out = {
            slot
            for match in self.against.find(words)
            for slot in _slots_in(match.start, match.end, slots)
        }
        found: dict[int, None] = {}
        for match in self.cues.find(words):
            if denied.intersection(range(match.start, match.end)):
                continue
            found |= dict.fromkeys(_slots_in(match.start, match.end, slots))
        if not self.column.cues:
            found = dict.fromkeys(slots)
        for slot, group in zip(slots, groups, strict=False):
            if slot in out or slot in denied:
                continue
            values = group if slot in found else _own_sizes(text, group, own_name)
            for value in values:
                # "built on X, Crumb scores 81 %" is read as a list of two names.
                if self.column.kind == "text" and _is_own(text, value, own_name):
                    continue
                yield replace(
                    value,
                    start=offset + value.start,
                    end=offset + value.end,
                    sentence=sentence.span.text,
                )

    def _values_with_cues(
        self, sentence: RoledSentence, words: Sequence[str], denied_positions: Collection[int]
    ) -> Iterator[Value]:
        """Yield the values whose cues are in the sentence together with a cue of the column."""
        choices = self.choices.find(words)
        if not choices or self.against.find(words):
            return
        stated = self.cues.find(words)
        if self.column.cues and not stated:
            return
        announced = self.promised.find(words)
        span = sentence.span
        for match in choices:
            if not any(at in denied_positions for at in range(match.start, match.end)):
                value = self.choice_of[match.cue_index]
                verb = _next_match(stated, match) if announced else None
                if any(_overlap(verb or match, each) for each in announced):
                    value = mark_as_promised(value)
                start = span.start + sentence.heading
                yield Value(value, value, start=start, end=span.end, sentence=span.text)

    def _candidates(self, text: str) -> Iterator[Value]:
        """Yield all possible values in a text."""
        column = self.column
        if column.kind == "number":
            yield from numbers_in(column, text)
        elif column.kind == "date":
            yield from dates_in(text)
        elif self.names:
            kinds = {column.lexicon, f"lexicon {column.lexicon}"}
            for mention in self.names.mentions(text):
                if mention.kind in kinds:
                    rest = _REST_OF_NAME.match(text, mention.end)
                    end = rest.end() if rest else mention.end
                    yield Value(
                        text[mention.start : end], mention.name, start=mention.start, end=end
                    )


def _group_values(text: str, values: Sequence[Value]) -> list[list[Value]]:
    """Group the values of a sentence; the values of a list form one group."""
    groups: list[list[Value]] = []
    for value in values:
        before = groups[-1][-1] if groups else None
        if before and value.start < before.end:
            continue
        ends = _name_bounds(text, before)[1] if before else 0
        if before and _BETWEEN.fullmatch(text, ends, _name_bounds(text, value)[0]):
            groups[-1].append(value)
        else:
            groups.append([value])
    return groups


def _next_match(matches: Sequence[Match], match: Match) -> Match | None:
    """Return the first of `matches` after a match, else the last one before it."""
    return next((each for each in matches if each.end > match.start), next(reversed(matches), None))


def _overlap(one: Match, other: Match) -> bool:
    return one.start < other.end and other.start < one.end


def _replace_values_by_slots(text: str, groups: Sequence[Sequence[Value]]) -> str:
    """Replace each group of values in a sentence by `SLOT`."""
    parts, end = [], 0
    for group in groups:
        start, _ = _name_bounds(text, group[0])
        parts += [text[end : max(start, end)], f" {SLOT} "]
        _, end = _name_bounds(text, group[-1])
    return "".join([*parts, text[end:]])


def _name_bounds(text: str, value: Value) -> tuple[int, int]:
    """Return where the hyphenated name around a number starts and ends, else where it does."""
    name = _NAME_BEFORE.search(text, max(0, value.start - 60), value.start)
    if value.number is None or not name:
        return value.start, value.end
    after = _NAME_AFTER.match(text, value.end)
    return name.start(), after.end() if after else value.end


def _is_own(text: str, value: Value, own_name: str) -> bool:
    """Return whether a value is, or is part of, a name that begins with the paper's own name."""
    start, _ = _name_bounds(text, value)
    return bool(own_name) and text[start : value.end].lower().startswith(own_name.lower())


def _own_sizes(text: str, values: Sequence[Value], own_name: str) -> Sequence[Value]:
    """Return the numbers of a list that are sizes of the paper's own work: “Crumb-8B and 14B”."""
    if values[0].number is None or not _is_own(text, values[0], own_name):
        return ()

    def is_bare(value: Value) -> bool:
        return _name_bounds(text, value)[0] == value.start

    return (values[0], *takewhile(is_bare, values[1:]))


def _slots_in(start: int, end: int, slots: Sequence[int]) -> list[int]:
    """Return the slots within a match; all slots if the match contains none."""
    return [slot for slot in slots if start <= slot < end] or list(slots)


def current_values(
    taxonomy: Taxonomy,
    topics: Collection[str],
    stated_values: Values,
    actions: EditorialActs,
    paper_id: str,
) -> Values:
    """Return the values of a paper by column id: typed by a person, else stated by its text.

    topics: the paper's categories in the first facet. A value typed by a person is used even if the
    column does not apply to these categories.
    """
    found: dict[str, tuple[Value, ...]] = {}
    for column in taxonomy.columns.values():
        typed = actions.values_of(column, paper_id)
        values = stated_values.get(column.id, ()) if typed is None else typed
        if values and (typed is not None or column.applies_to_topics(topics)):
            found[column.id] = values
    return found


def paper_values(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    actions: EditorialActs | None = None,
) -> dict[str, Values]:
    """Return the values of papers by paper id, for a sheet outside a build; {} without columns."""
    if not taxonomy.columns:
        return {}
    filler, actions = ColumnFiller(taxonomy), actions or EditorialActs()
    found = {}
    for paper, label in zip(papers, labels, strict=True):
        own = short_name(paper.title_display)
        stated = filler.fill(roled_sentences(paper.abstract_display), own)
        topics = label.facets[taxonomy.first.id].categories
        found[paper.id] = current_values(taxonomy, topics, stated, actions, paper.id)
    return found

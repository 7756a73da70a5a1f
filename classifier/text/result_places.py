"""Where a number was measured, and of what: the names that its clause gives it.

The benchmark named behind a number holds for it, else the one before it in its clause, else the one
that leads the sentence, or that of the number it is held against. The system is the one named
behind it, else the subject of its clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from classifier.text.mentions import MODEL, NAME, NEAR, OWN, Mention, lists_of
from classifier.text.numbers import Number

_OF_A_SYSTEM = re.compile(
    r"(?:\s(?!(?:and|or|than|over|compared)\b)[\w@-]+){0,3}?\s\(?(?:for|by|with|using|on)\s"
    r"(?:(?!(?:than|compared|over|against|with)\b)[a-z][\w-]*\s){0,3}|\s\("
)
_CHANGES = r"(?:improv|rais|lift|boost|cut|reduc|enabl|help)\w*"
_NO_SUBJECT = re.compile(
    r"(?:^|\s)(?:and\s|or\s|(?:than|over|above|below|against|with|on|in|of|from|by|to|as|for|like"
    r"|using|including|versus|vs|an?|\w+ing|(?:beat|outperform|exceed|surpass|lead|pass)\w*|"
    rf"{_CHANGES})\s(?:(?!\w+s\s)[a-z-]+\s){{0,2}})$",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    rf"\b(?:(?<!performance )of|with|{_CHANGES}(?! on))\s(?:[a-z-]+\s){{0,2}}$", re.IGNORECASE
)
_OWNS = ("'s", "’s")
_OF_A_KIND = re.compile(r"\s(?:agents|baselines|methods|models|systems)\b")
_WITH = re.compile(r"\b(?:with|on|by|using)\s$")
_TO = re.compile(r"\s?(?:to|→)\s")
_ACTS = re.compile(
    r"[\"”]?(?:,\swhich|,\s[^,]{3,60},)?(?:\s(?!it\b)[a-z]+){0,2}?\s"
    r"(?!results|tests|experiments|studies)(?:is|can|[a-z]{3,}(?<!s)s|[a-z]{4,}ed)\s"
)
"""What follows a name that does something: “SSR improves”, “the CORAL paradigm achieves”."""
_IN_BRACKETS = re.compile(r"[^()]*\)")
_RELATIVE = re.compile(r"(?:,\swhich|\sthat)\s(?=[a-z]+s\s)")


def systems_of(
    text: str,
    numbers: Sequence[Number],
    whose: Sequence[str],
    mentions: Sequence[Mention],
    clauses: Sequence[int],
) -> list[str]:
    """Return the system of each number of a sentence, or "".

    whose: each number is; mentions: of models, the paper's own name and unknown names; clauses:
    where the clause of each number begins.
    """
    lists = lists_of(text, mentions)
    ends = [*(number.start for number in numbers[1:]), len(text)]
    found = []
    since = 0
    for number, one, edge, end in zip(numbers, whose, clauses, ends, strict=True):
        is_other = one in ("baseline", "rival")
        known = [each for each in mentions if is_other or each.kind == MODEL]
        behind = next((each for each in known if number.end <= each.start < end), None)
        before = [each for each in lists if edge <= each[0].start < number.start]
        if behind and _is_behind(text, number, behind):
            named = [behind]
        elif not is_other:
            named = _subject(text, number, edge, before) or _own(text, number, mentions)
        else:
            models = [each for each in before if each[0].kind == MODEL]
            beside = next((each for each in models[::-1] if each[0].start >= since), [])
            became = _TO.match(text, number.end)
            named = _subject(text, number, edge, models) if became else beside
        found.append(named[0].name if len(named) == 1 else "")
        since = number.end
    return found


def _is_behind(text: str, number: Number, named: Mention) -> bool:
    found = _OF_A_SYSTEM.fullmatch(text, number.end, named.start)
    is_kind = named.kind == NAME and named.name.isupper() and _OF_A_KIND.match(text, named.end)
    return bool(found) and not is_kind and not text.startswith(_OWNS, named.end)


def _is_object(text: str, named: Mention, words: str) -> bool:
    is_owner = text.startswith(_OWNS, named.end)
    return named.kind == MODEL and bool(_OBJECT.search(words)) and not is_owner


def _subject(
    text: str, number: Number, edge: int, before: Sequence[list[Mention]]
) -> list[Mention]:
    """Return who does what the number says, else the model that it is done to; [] for nobody."""
    here = [e for e in before if not _IN_BRACKETS.match(text, e[-1].end, number.start)]
    for pronoun in _RELATIVE.finditer(text, edge, number.start):
        earlier = [each for each in here if each[0].start < pronoun.start()]
        here = here[max(0, len(earlier) - 1) :]
    led = [(each, text[max(edge, each[0].start - NEAR) : each[0].start]) for each in here]
    subjects = [
        each
        for each, words in led
        if not _NO_SUBJECT.search(words)
        and (each[0].kind != NAME or _ACTS.match(text, each[0].end))
    ]
    subjects += [each for each, words in led[::-1] if _is_object(text, each[0], words)]
    return next((each for each in subjects if len(each) == 1), [])


def _own(text: str, number: Number, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the paper's own name where it stands before a number and not beside a "with"."""
    edge = text.rfind("; ", 0, number.start)
    own = [each for each in mentions if each.kind == OWN and edge < each.start < number.start]
    return [each for each in own if not _WITH.search(text[max(0, each.start - NEAR) : each.start])][
        :1
    ]


_FAR = 40
"""Letters between two numbers of one run: “from 11 % to 34 %”, “18.9 % (15 steps) and 32.7 %”."""
_DOING = (MODEL, OWN, NAME)
_CLAUSE = re.compile(
    r"[;.]\s|,\s(?=(?:while|whereas|but)\b|(?:and\s)?(?:on|in)\s(?:[\w-]+\s){0,2}(?:[A-Zτ]|tasks))"
    r"|\sand\s(?=[A-Z][\w.-]*,?\s(?:(?:from|at)\s\d|[a-z]{3,}s\s))"
)
_PLACE = r"\b(?:on|in|over|across|for|of|using|under)\s"
_AT = re.compile(
    rf"(?:{_PLACE}(?:(?!{_PLACE}|(?:by|and|with|than)\b)[\w'’-]+\s){{0,4}}|\s?\()$", re.IGNORECASE
)
_ON_A_NAME = re.compile(r"\b(?:on|in|across)\s(?:[a-z-]+\s)?$", re.IGNORECASE)
_NO_PLACE = re.compile(
    r"\b(?:train\w*|tun\w+|based|learned|built|data)\s(?:on|in)\s(?:[\w-]+\s){0,3}$"
    r"|\b(?:from|than|top of|outperform\w*|surpass\w*|beat\w*|exceed\w*)\s(?:the\s)?$"
)
_PART_OF = re.compile(r"\s(?:(?:[a-z]+\s){0,2}of\s(?:the\s)?|\()")
_ANOTHER = re.compile(rf"[:,]|\b(?:and|but)\s(?:(?:on|in|over|by)\b|[a-z]+s\s)|{_CLAUSE.pattern}")
_HELD = re.compile(
    r"(?:^|\W)(?:against|versus|vs|than|compared|surpassing|from|(?<!up )to|while|whereas"
    r"|(?:improvement|gain|increase)s? of)\b[^,;(]{0,40}$|^\s?[^\s,;]*\s?\($"
)
_ELSEWHERE = re.compile(r"\)|\b(?:on|in)\s(?!average|total|accuracy)|[;:]\s|,.*,|,\swith\b")
_ONE_BY_ONE = re.compile(r"\bto\b|[(→]|\b(?:from|vs|against)\b")
_JUDGED = re.compile(r"\b(?:agree\w*|annotation study)\b|\bhuman performance\b")
_ONE_OF_MANY = re.compile(
    r"\b(?:including|such as|e\.g\.)\s(?:[^;,)]{1,40}(?:,\s|\sand\s)){0,4}(?:the\s)?$"
)
_SET = r"(?:test|dev(?:elopment)?|val(?:idation)?|train(?:ing)?|held-out|hidden|public|private)"
_BESIDE = re.compile(r"\s?\((\d+[- ]steps?|[a-z-]+[- ](?:set|split|sample|shot|turn))\)")
_SET_BEHIND = re.compile(rf"[^\d,;]{{0,40}}?\b((?:{_SET} )?{_SET}[ -](?:set|split))\b")
_BRACKET_BEHIND = re.compile(r"\s\(([A-Za-z][\w -]*)\)")
_SOME_BEFORE = re.compile(
    r"\b(two|three|four|five|six|seven|eight|nine|ten|\d+|particular|selected|hard)\s$"
)
_THINGS_BEHIND = re.compile(r"\s((?:[a-z-]+\s)?[a-z-]+s)\b")
_PART_BEFORE = re.compile(
    r"\b(?:[Oo]n|[Oo]ver|[Ii]n|[Aa]cross)\s"
    r"((?:[\w-]+\s){1,5}?(?=of\s)|(?:[A-Z]\w+\s){1,4}(?=\())(?:of\s(?:the\s)?|\()$"
)
_TASKS = re.compile(
    r"[^,;]{0,80}?\b(?:on|in)\s((?!nearly|all|most)(?:[a-z-]+\s){1,4}(?:tasks|generation))\b"
)


@dataclass(frozen=True, slots=True)
class Place:
    """What a clause says of a number; "" where it says nothing."""

    benchmark: str = ""
    split: str = ""
    system: str = ""


def places_of(
    text: str, numbers: Sequence[Number], whose: Sequence[str], mentions: Sequence[Mention]
) -> list[Place]:
    """Return the place of each number of a sentence; whose: each number is."""
    if not numbers:
        return []
    spans = [(number.start, number.end) for number in numbers]
    named = [e for e in mentions if all(e.end <= start or end <= e.start for start, end in spans)]
    cuts = [0, *(cut.end() for cut in _CLAUSE.finditer(text))]
    clauses = [max(cut for cut in cuts if cut <= number.start) for number in numbers]
    places = [each for each in lists_of(text, named) if _is_place(text, each)]
    doing = [each for each in named if each.kind in _DOING and all(each not in p for p in places)]
    systems = systems_of(text, numbers, whose, doing, clauses)
    benchmarks = _benchmarks(text, numbers, places)
    return [
        Place(
            benchmark.name if benchmark else "",
            _split(text, number, benchmark, clause) if benchmark else _set(text, number, clause),
            system,
        )
        for number, benchmark, system, clause in zip(
            numbers, benchmarks, systems, clauses, strict=True
        )
    ]


def _is_place(text: str, names: Sequence[Mention]) -> bool:
    before = text[max(0, names[0].start - NEAR) : names[0].start]
    kinds = {each.kind for each in names}
    if _NO_PLACE.search(before):
        return False
    return not kinds <= set(_DOING) or (kinds == {NAME} and bool(_ON_A_NAME.search(before)))


def _benchmarks(
    text: str, numbers: Sequence[Number], places: Sequence[list[Mention]]
) -> Iterator[Mention | None]:
    """Yield the benchmark of each number; what is part of a next place is none."""
    places = [
        each
        for each, following in zip_longest(places, places[1:])
        if not (following and _PART_OF.fullmatch(text, each[-1].end, following[0].start))
    ]
    runs = _runs(text, numbers, places)
    ends = [*(run[0].start for run in runs[1:]), len(text)]
    last: list[Mention] = []
    lead: list[Mention] = []
    earlier, free, is_behind = runs[0][:0], 0, False
    for run, following in zip(runs, ends, strict=True):
        start, end = run[0].start, run[-1].end
        since = text[earlier[-1].end if earlier else 0 : start]
        near = [e for e in places if max(free, start - len(since)) <= e[0].start < start]
        if near:
            lead = near[0] if len(near) == 1 else []
        behind = next((each for each in places if end <= each[0].start < following), None)
        between = text[end : behind[0].start] if behind else ""
        is_held = earlier and earlier[0].unit_kind == run[0].unit_kind
        if behind and _AT.search(between[-NEAR:]) and not _ANOTHER.search(between):
            last, free, is_behind = behind, behind[-1].end, True
        elif near or not (is_held and _HELD.search(since[-NEAR:])):
            last, is_behind = lead, False
        judged = _JUDGED.search(text[end : end + 30]) or "annotation study" in since
        is_paired = len(last) == len(run) > 1 and not _ONE_BY_ONE.search(text[start:end])
        is_paired = is_paired and (is_behind or "respectively" in text[end:])
        for index in range(len(run)):
            names = [last[index]] if is_paired else last
            is_one = len(names) == 1 and names[0].kind not in _DOING and not judged
            is_one = is_one and not _ONE_OF_MANY.search(
                text[max(0, names[0].start - 2 * NEAR) : names[0].start]
            )
            yield names[0] if is_one else None
        earlier = run


def _runs(
    text: str, numbers: Sequence[Number], lists: Sequence[Sequence[Mention]]
) -> list[list[Number]]:
    """Return the numbers, those together between which no name stands."""
    runs: list[list[Number]] = []
    for number in numbers:
        last = runs[-1][-1] if runs else number
        between = text[last.end : number.start]
        named = any(last.end <= each[0].start < number.start for each in lists)
        bare = re.sub(r"\([^()]*\)", "", between)
        alike = last.unit_kind == number.unit_kind or "(" in between
        if runs and alike and not named and len(bare) <= _FAR and not _ELSEWHERE.search(bare):
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _set(text: str, number: Number, edge: int) -> str:
    """Return the test set or the like of a number on no benchmark that is known."""
    found = (_SET_BEHIND.match(text, place) for place in (number.end, edge, 0))
    return next((each[1] for each in found if each), "")


def _split(text: str, number: Number, benchmark: Mention, edge: int) -> str:
    """Return the part of a benchmark that is named beside it, beside the number, or in between."""
    before = text[max(0, benchmark.start - NEAR) : benchmark.start]
    some, things = _SOME_BEFORE.search(before), _THINGS_BEHIND.match(text, benchmark.end)
    if some and things:
        return f"{some[1]} {things[1]}"
    found = (
        _BESIDE.match(text, number.end)
        or _SET_BEHIND.match(text, benchmark.start)
        or _BRACKET_BEHIND.match(text, benchmark.end)
        or _PART_BEFORE.search(before)
        or (benchmark.end < edge and _TASKS.match(text, edge))
        or (benchmark.end < number.start and _TASKS.match(text, number.end))
    )
    return found[1].strip() if found else ""

"""What was measured: the system named behind a number, else the subject of its clause."""

from __future__ import annotations

import re
from collections.abc import Sequence

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

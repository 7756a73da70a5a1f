"""Find names, lists of names, and abbreviations in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BENCHMARK, MODEL, OWN, NAME = "benchmarks", "models", "own", "name"
"""The lexicon of a name; a name of the paper's own; a capitalised name in no lexicon."""
NEAR = 80
"""Number of characters that are read before a name."""
_NO_NAME = (
    "A|Across|After|Against|Among|An|Applied|As|At|Both|But|By|Compared|Each|Evaluated|Even"
    "|Experiments|For|From|Given|In|Its?|On|Of|Our|Over|Results|Several|Tested|The|Their|These"
    "|They|This|Those|Through|To|Under|Using|We|When|While|With|Without|[A-Z]+s|F1\\S*|Pass\\S*"
    "|SOTA|LLM|VLM|RL|AI|GPU|ASR|QA|Soft|[A-Z][a-z]+(?=,)"
)
_NAME = re.compile(
    rf"(?<![\w@^.-])(?!(?:{_NO_NAME})(?![\w-]))[A-Z][\w*+³²'’]*(?:-[A-Z\d][\w*+³²]*)*(?![\w-])"
    r"(?:\s(?:[A-Z][\w*+³²]*(?:-[A-Z\d]\w*)*|\d+(?:\.\d+)?B?)(?![\w.%×-]))*"
)
_PLAIN = re.compile(r"[A-Z][a-z]+")
_TAIL = re.compile(
    r"-(?!(?:based|style|like|derived|level|type|trained|tuned|generated|powered)\b)[\w.-]*\w"
    r"|\s\d+(?:\.\d+)?B\b|\sv?\d\.\d(?![\d%×]|\s(?:points?|%))|\sv\d+\b"
)
_HEAD = re.compile(r"\b(?:\w+-)+$|(?<=[a-z]\s)[A-Z][a-z]\w*(?:-\w+)*\s$")
_CONTEXT = re.compile(r"(?:(?:such|as|like|in|on|of|the|with|benchmarks?)\s)+", re.IGNORECASE)
"""Words before a name in a spelling of a lexicon: “such as o3”."""
_NEXT = re.compile(
    r"(?:\s[a-z-]+)?(?:\s\([^()]*\))?(?:(?P<last>,?\s(?:and|or|&)|\s?/)|,)"
    r"\s?(?:(?:the|an?|on|in)\s)?(?:[a-z]+\s)?"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text."""

    start: int
    end: int
    kind: str
    name: str
    """The spelling of the lexicon, with a suffix of the text: `Qwen3-32B`, `AlpacaEval 2.0`."""


def mentions_in(text: str, known_names: Sequence[Mention]) -> list[Mention]:
    """Return in order the known names in a text (with suffixes) and other capitalised names."""
    found = []
    for each in known_names:
        tail = _TAIL.match(text, each.end)
        head = _HEAD.search(text[: each.start]) if each.kind == BENCHMARK else None
        context = _CONTEXT.match(text, each.start, each.end)
        start = head.start() if head else context.end() if context else each.start
        end = tail.end() if tail else each.end
        stem = each.name.removesuffix(" benchmark") if tail else each.name
        name = text[start : each.start] + stem + text[each.end : end]
        found.append(Mention(start, end, each.kind, name))
    known_places = {place for each in found for place in range(each.start, each.end)}
    found += [
        Mention(*match.span(), NAME, match.group())
        for match in _NAME.finditer(text)
        if known_places.isdisjoint(range(*match.span()))
        and (match.start() or not _PLAIN.fullmatch(match.group()))
    ]
    return sorted(found, key=lambda each: each.start)


def group_by_list(text: str, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Group the mentions by lists such as “A, B and C”."""
    lists: list[list[Mention]] = []
    first = 0  # the first name of a series with commas, which is a list if "and" follows
    for index, each in enumerate(mentions):
        joined = index and _NEXT.fullmatch(text, mentions[index - 1].end, each.start)
        lists.append([each])
        if not joined:
            first = len(lists) - 1
        elif joined["last"]:
            lists[first:] = [[name for names in lists[first:] for name in names]]
    return lists


_IN_PARENTHESES = re.compile(r"\((?<=\w \()(\w*[A-Z]\w*[A-Z]\w*?)s?\)")
_CAPITALS = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*")
_LONGEST = 10


def abbreviations(
    texts: Iterable[str], known_pairs: Iterable[tuple[str, str]] = ()
) -> dict[str, str]:
    """Return the lower-case long form of each abbreviation that several texts use.

    The rule of Schwartz & Hearst, "A Simple Algorithm for Identifying Abbreviation Definitions in
    Biomedical Text" (PSB 2003): the letters of the abbreviation in parentheses are found in the
    words before it, from the last letter to the first, which must begin a word. If several long
    forms occur, the most common one is returned.

    known_pairs: further pairs of abbreviation and long form.

    >>> abbreviations(["We use Monte Carlo Tree Search (MCTS).", "MCTS is slow."])
    {'MCTS': 'monte carlo tree search'}
    """
    introduced: dict[str, Counter[str]] = {}
    used: Counter[str] = Counter()
    for short, long in known_pairs:
        introduced.setdefault(short, Counter())[long] += 1
    for text in texts:
        for match in _IN_PARENTHESES.finditer(text):
            if len(match[1]) <= _LONGEST and (long := _long_form(match[1], text[: match.start()])):
                introduced.setdefault(match[1], Counter())[long] += 1
        used.update({word.removesuffix("s") for word in _CAPITALS.findall(text)})
    return {
        short: min(longs, key=lambda long: (-longs[long], long))
        for short, longs in sorted(introduced.items())
        if used[short] > 1
    }


def defines_abbreviation(text: str, abbreviation: str) -> bool:
    """Return whether a text has an abbreviation in parentheses after its long form.

    >>> defines_abbreviation("Health information technology (HIT) spreads.", "HIT")
    True
    >>> defines_abbreviation("We ask nurses what they think of HIT.", "HIT")
    False
    """
    places = re.finditer(rf"\({re.escape(abbreviation)}s?\)", text)
    return any(_long_form(abbreviation, text[: match.start()]) for match in places)


def _long_form(abbreviation: str, preceding_text: str) -> str:
    """Return the long form of an abbreviation at the end of `preceding_text`, or ""."""
    words = " ".join(
        preceding_text.lower().split()[-min(len(abbreviation) + 5, 2 * len(abbreviation)) :]
    )
    place = len(words)
    for letter in reversed(abbreviation[1:].lower()):
        place = words.rfind(letter, 0, max(place, 0))
    starts = [
        match.start() for match in re.finditer(rf"\b{abbreviation[0].lower()}", words[:place])
    ]
    long = re.sub(r"[-\s]+", " ", words[starts[-1] :]) if place > 0 and starts else ""
    return long if " " in long and not re.search(r"[.;:,()]", long) else ""

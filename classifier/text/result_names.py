"""Find the benchmark, its subset and the system named in the same clause as a number.

A benchmark is a name in the taxonomy's lexicons. The benchmark that the number leads to ("81 % on
LoafBench") comes first, then the nearest one before the number, then the only one in the clause. If
the clause is ambiguous, no benchmark is returned.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from classifier.text.mentions import MODEL, NAME, NEAR, OWN, Mention, group_by_list
from classifier.text.numbers import Number

_CLAUSE = re.compile(r";\s")
_ON = r"\b(?:on|in|over|across|for|of|using|under)\s"
_LEADS_TO = re.compile(
    r"(?:\([^()]{0,60}\)|(?!,|:|\)|\b(?:and|but|than|versus|vs)\b(?!\s(?:by\s)?\d)).)*?"
    rf"(?:{_ON}(?:[\w'’-]+\s){{0,4}}\(?|\s?\()"
)
_ON_A_NAME = re.compile(r"\b(?:on|in|across)\s(?:[a-z-]+\s)?$", re.IGNORECASE)
_NO_BENCHMARK = re.compile(
    r"\b(?:train\w*|tun\w+|based|learned|built|data)\s(?:on|in)\s(?:[\w-]+\s){0,3}$"
    r"|\bannotation study on\s(?:the\s)?$"
    r"|\b(?:from|than|top of|outperform\w*|surpass\w*|beat\w*|exceed\w*)\s(?:the\s)?$"
    r"|\b(?:including|such as|e\.g\.)\s(?:[^;,)]{1,40}(?:,\s|\sand\s)){0,4}(?:the\s)?$"
)
_NO_SCORE = re.compile(r"[^,;]{0,15}\bagree\w*|\s(?:of\s)?human performance\b")
_ON_ANOTHER = re.compile(r"\son\s(?:the|its|their|our)\s")
_SET = r"(?:test|dev(?:elopment)?|val(?:idation)?|train(?:ing)?|held-out|hidden|public|private)"
_PART = re.compile(
    rf"\s?\((\d+[- ]steps?|[a-z-]+[- ](?:set|split|sample|shot|turn))\)"
    rf"|[^\d,;]{{0,40}}?\b((?:{_SET} )?{_SET}[ -](?:set|split))\b"
)
_PART_IN_BRACKETS = re.compile(r"\s\(([A-Za-z][\w -]*)\)")
_PART_BEFORE = re.compile(r"\b[Oo]n\s((?:[\w-]+\s){1,4})(?:of\s(?:the\s)?|\()$")
# "In five LoafBench baking environments": five of them, of an unknown number.
_SOME_BEFORE = re.compile(
    r"\b(?:in|on|over|across)\s(\d+|two|three|four|five|six|seven|eight|nine|ten)\s$", re.IGNORECASE
)
_SOME_AFTER = re.compile(
    r"\s((?:[a-z-]+\s){0,2}(?:apps|domains|environments|games|scenarios|sites|tasks|websites))\b"
)

_AFTER_NUMBER = re.compile(
    r"(?:\s(?!(?:and|or|than|over|compared)\b)[\w@-]+){0,3}?\s\(?(?:for|by|with|using|on)\s"
    r"(?:(?!(?:than|compared|over|against|with)\b)[a-z][\w-]*\s){0,3}|\s\("
)
_NO_SUBJECT = re.compile(
    r"(?:^|\s)(?:and|or|than|over|above|below|against|with|on|in|of|from|by|to|as|for|like|using"
    r"|including|versus|vs|an?|(?!resulting)\w+ing|(?:beat|outperform|exceed|surpass|improv|rais|lift|boost"
    r"|cut|reduc|help)\w*)\s(?:(?!\w+s\s)[a-z-]+\s){0,2}$",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"[\"”]?(?:,\s[^,]{3,60},)?(?:\s(?!it\b)[a-z]+){0,2}?\s"
    r"(?!results|tests|experiments|studies)(?:is|can|[a-z]{3,}(?<!s)s|[a-z]{4,}ed"
    r"|(?:achieve|attain|beat|gain|improve|outperform|reach|score|surpass))\s"
)
# "Qwen3 trained with Crumb", "Qwen3-8B with CRUMB": the method, which the model stands for.
_TRAINED = re.compile(
    r"(?:\s(?:model|agent))?\s(?P<how>trained|fine-?tuned|post-trained|tuned)\s(?:with|by|using|via)\s"
)
_METHOD_BEFORE = re.compile(
    r"(?:\s(?:model|agent))?\s(?:(?:trained|fine-?tuned|post-trained|tuned|equipped|augmented)\s)?"
    r"(?:with|by|using|via)\s(?:the\s)?"
)
_COINED = re.compile(r"[A-Z]\S*[A-Z]")
_AND_FROM = re.compile(r"\sfrom\s")
_AND_CLAUSE = re.compile(r",\sand\s(?:the\s)?$")
_BASED = re.compile(r"-(?:based|driven|powered)(?:\s(?:agent|assistant|model|system))?\b")
_BECOMES = re.compile(r"\bbecomes\s$")
_KIND_AFTER = re.compile(r"\s(?:agents|baselines|methods|models|systems)\b")
_WITH = re.compile(r"\b(?:with|on|by|using)\s$")


@dataclass(frozen=True, slots=True)
class Names:
    """The benchmark, subset and system of a number; "" for each that its clause does not name."""

    benchmark: str = ""
    split: str = ""
    system: str = ""


def names_of(
    text: str, numbers: Sequence[Number], owners: Sequence[str], mentions: Sequence[Mention]
) -> list[Names]:
    """Return the names that belong to each number in a sentence.

    Args:
        numbers: results in `text`; owners: `own`, `baseline` and so on, one per number.
        mentions: names in `text`, see `mentions_in`.
    """
    spans = [(number.start, number.end) for number in numbers]
    free = [m for m in mentions if all(m.end <= start or end <= m.start for start, end in spans)]
    lists = group_by_list(text, free)
    found = []
    for index, (number, owner) in enumerate(zip(numbers, owners, strict=True)):
        start, end = clause_bounds(text, number)
        inside = [names for names in lists if start <= names[0].start < end]
        places = _benchmark_lists(text, inside)
        previous_end = max(start, numbers[index - 1].end) if index else start
        benchmark = _find_benchmark(text, numbers, index, places)
        next_start = numbers[index + 1].start if index + 1 < len(numbers) else end
        systems = [names for names in inside if names not in places]
        found.append(
            Names(
                benchmark.name if benchmark else "",
                _find_subset(text, number, benchmark),
                _find_system(text, number, owner, systems, (previous_end, next_start)),
            )
        )
    return found


def clause_bounds(text: str, number: Number) -> tuple[int, int]:
    """Return start and end of a number's clause, which is separated by semicolons."""
    cuts = [cut.end() for cut in _CLAUSE.finditer(text)]
    start = max((cut for cut in cuts if cut <= number.start), default=0)
    end = min((cut for cut in cuts if cut > number.start), default=len(text))
    return start, end


def _benchmark_lists(text: str, lists: Sequence[list[Mention]]) -> list[list[Mention]]:
    """Return the lists that name benchmarks; for "Moral Scenarios (MMLU)" the name in brackets."""
    places: list[list[Mention]] = []
    for names in filter(partial(_is_benchmark, text), lists):
        if places and text[places[-1][-1].end : names[0].start] == " (":
            places.pop()
        places.append(names)
    return places


def _is_benchmark(text: str, names: Sequence[Mention]) -> bool:
    """Return whether a list names benchmarks; an unknown name after "on" counts as a benchmark."""
    before = text[max(0, names[0].start - NEAR) : names[0].start]
    if _NO_BENCHMARK.search(before):
        return False
    kinds = {each.kind for each in names}
    return bool(kinds - {MODEL, OWN, NAME}) or (
        kinds == {NAME} and _ON_A_NAME.search(before) is not None
    )


def _find_benchmark(
    text: str, numbers: Sequence[Number], index: int, places: Sequence[list[Mention]]
) -> Mention | None:
    """Return the known benchmark to which a number belongs, or None."""
    number = numbers[index]
    if _NO_SCORE.match(text, number.end):
        return None
    after = [names for names in places if names[0].start >= number.end]
    before = [names for names in places if names[0].start < number.start]
    if after and _LEADS_TO.fullmatch(text, number.end, after[0][0].start):
        names = after[0]
    elif _ON_ANOTHER.match(text, number.end):
        return None
    elif before:
        # Two lists between the same two numbers: it is not clear which of them is meant.
        ends = [each.end for each in numbers[:index] if each.end <= before[-1][0].start]
        if len([names for names in before if names[0].start >= max(ends, default=0)]) > 1:
            return None
        names = before[-1]
    elif len(after) == 1 and "," not in text[number.end : after[0][0].start]:
        names = after[0]
    else:
        return None
    is_known = len(names) == 1 and names[0].kind not in (MODEL, OWN, NAME)
    return names[0] if is_known else None


def _find_subset(text: str, number: Number, benchmark: Mention | None) -> str:
    """Return the subset of a benchmark that a clause names, such as `test set`, or ""."""
    found = _PART.match(text, number.end)
    if benchmark and not found:
        before = text[max(0, benchmark.start - NEAR) : benchmark.start]
        some, kind = _SOME_BEFORE.search(before), _SOME_AFTER.match(text, benchmark.end)
        if some and kind:
            return f"{some[1]} {kind[1]}"
        found = (
            _PART.match(text, benchmark.end)
            or _PART_IN_BRACKETS.match(text, benchmark.end)
            or _PART_BEFORE.search(before)
        )
    return next(filter(None, found.groups()), "").strip() if found else ""


def _find_system(
    text: str, number: Number, owner: str, systems: Sequence[list[Mention]], bounds: tuple[int, int]
) -> str:
    """Return the system to which a number belongs, or ""; `bounds` are those of its neighbours."""
    previous_end, next_start = bounds
    before = [names for names in systems if names[0].start < number.start]
    is_other = owner in ("baseline", "rival")
    for names in systems:
        is_name = is_other and not _KIND_AFTER.match(text, names[-1].end)
        is_system = names[0].kind == MODEL or is_name
        follows = number.end <= names[0].start < next_start
        if is_system and follows and _AFTER_NUMBER.fullmatch(text, number.end, names[0].start):
            # "By 13 points for A, and B beats C" is no list.
            last = names[-1].end
            is_list = len(names) > 1 and not (_VERB.match(text, last) or _TRAINED.match(text, last))
            base = "" if is_list else names[0].name
            method = _find_method(text, before) if base and not is_other else ""
            return f"{method} on {base}" if method else base
    if is_other:
        models = [names for names in before if names[0].kind == MODEL]
        near = [names for names in models if names[0].start >= previous_end]
        chosen = [n for n in near if "," not in text[n[-1].end : number.start]][-1:]
    else:
        chosen = _possible_subjects(text, before)
    if not chosen or len(chosen[0]) > 1:
        return ""
    name = chosen[0][0]
    return name.name if is_other else _with_method(text, name, systems)


def _possible_subjects(text: str, before: Sequence[list[Mention]]) -> list[list[Mention]]:
    """Return the lists before a number that may be its subject, the likeliest first."""
    # "Crumb rises from 3 % to 5 % and Qwen3 from 4 % to 9 %", "Qwen3 becomes Crumb, which".
    later = [
        names
        for names in before
        if (_AND_FROM.match(text, names[-1].end) and text.endswith("and ", 0, names[0].start))
        or (_AND_CLAUSE.search(text, 0, names[0].start) and _VERB.match(text, names[-1].end))
        or _BECOMES.search(text, 0, names[0].start)
    ]
    own = [names for names in before if names[0].kind == OWN]
    return (
        later[-1:]
        or [names for names in before if _is_subject(text, names)]
        or [names for names in own if not _WITH.search(text, 0, names[0].start)]
    )


def _find_method(text: str, before: Sequence[list[Mention]]) -> str:
    """Return the method that is the subject before a number, or ""."""
    chosen = _possible_subjects(text, [names for names in before if names[0].kind != MODEL])
    return chosen[0][0].name if chosen and len(chosen[0]) == 1 else ""


def _with_method(text: str, name: Mention, systems: Sequence[list[Mention]]) -> str:
    """Return a system with the method applied to it: `Crumb on Qwen3`, `Qwen3 (trained)`."""
    if name.kind != MODEL:
        return name.name
    if based := _BASED.match(text, name.end):
        return name.name + based.group()
    for names in systems:
        method = names[0]
        is_method = method.kind == OWN or (method.kind != MODEL and _COINED.match(method.name))
        if is_method and _METHOD_BEFORE.fullmatch(text, name.end, max(name.end, method.start)):
            return f"{method.name} on {name.name}"
    trained = _TRAINED.match(text, name.end)
    return f"{name.name} ({trained['how']})" if trained else name.name


def _is_subject(text: str, names: Sequence[Mention]) -> bool:
    """Return whether a list is its clause's subject; an unknown name must have a verb after it."""
    before = text[max(0, names[0].start - NEAR) : names[0].start]
    end = names[0].end
    if before.endswith(", ") and text.startswith(",", end):  # "the model, Crumb, scores"
        end += 1
    is_known = names[0].kind != NAME or _VERB.match(text, end) is not None
    return is_known and not _NO_SUBJECT.search(before)

"""Find the names of lexicons (benchmarks, models) and open problems in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from classifier.taxonomy.cue import CueMatcher, parse_cue
from classifier.taxonomy.model import DEFAULT_ROLES, Roles
from classifier.text.mentions import BENCHMARK, MODEL, OWN, Mention
from classifier.text.normalise import format_for_display, tokens, tokens_with_offsets
from classifier.text.roles import RoledSentence

Lexicons = Mapping[str, Mapping[str, Sequence[str]]]

_GENERIC_PART = re.compile(r"^Hendrycks | (?:benchmark|dataset)$")
_CAPITALIZED = re.compile(r"(?<![\w-])[A-Z][\w-]*")
NO_OTHER_NAME = r"(?<!also named )(?<!also called )(?<!also known as )"
"""Lookbehind before a name: in “R2E-Gym (also named AgentGym)” AgentGym is not another paper."""
_NO_OTHER_NAME = re.compile(NO_OTHER_NAME)
_PROBLEM_ROLES = frozenset(["problem", "limit"])
NAMES_CHALLENGES = re.compile(
    r"\b(?:(?:the|key|main|open|remaining) ){0,4}(?:challenges|limitations)(?: named)?"
    r" (?:are|include|includ\w+)\b",
    re.IGNORECASE,
)
"""“The challenges named are …” always states problems."""
_OPEN_PROBLEMS = re.compile(r"\bopen (?:problems|questions|challenges)\b", re.IGNORECASE)
# A sentence with a cue states a problem only if it also has one of these words.
_LACK_WORD = re.compile(
    r"\b(?:fail\w*|hard|difficult\w*|struggl\w*|lack\w*|limit\w*|unclear|unknown|poor\w*|badly"
    r"|brittle|costly|expensive|inefficien\w*|little|few|rare\w*|scarce|sparse|no|not|cannot|never"
    r"|without|only|neglect\w*|overlook\w*|ignor\w*|bottleneck\w*|challeng\w*|risk\w*"
    r"|concerns?|narrow\w*|slow\w*|unstable|weak\w*|suffer\w*|handcrafted|by hand|hand-\w+"
    r"|closed-source|proprietary|exploit\w*|malicious|harm\w*|too|far behind|trail|open question"
    r"|privacy problems|depend\w*(?! on how)|saturat\w*|lose|overwhelm\w*|fall\w* short|held back"
    r"|hold\w* (?:back|down)|insufficien\w*|in(?:complete|consistent|effective)|unable|hardly"
    r"|static|isolated|seldom|neither|nothing|less|much|manual|skip\w*|wast\w+|overhead"
    r"|threat\w*|vulnerab\w*"
    r"|attack\w*|expos\w+ .{0,30}\bto|hallucinat\w*|destabili\w*|errors?|fragmented|outgrown"
    r"|handful|missing|(?:leav|remain)\w* open)\b",
    re.IGNORECASE,
)


class NameFinder:
    """Finds lexicon names in texts: the leftmost longest match among all lexicons.

    All lexicons are searched together, so that `GAIA-1` (a model) is not also found as `GAIA` (a
    benchmark).
    """

    def __init__(self, lexicons: Lexicons, roles: Roles = DEFAULT_ROLES) -> None:
        self.lexicons = tuple(lexicons)
        self.benchmarks = roles.benchmarks
        self._kinds = {roles.benchmarks: BENCHMARK, roles.models: MODEL}
        self._starting: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
        for lexicon, names in lexicons.items():
            if lexicon == roles.unsolved:
                continue
            for name, spellings in names.items():
                for spelling in {
                    tuple(tokens(format_for_display(form))) for form in (name, *spellings)
                }:
                    if spelling:
                        rows = self._starting.setdefault(spelling[0], [])
                        rows.append((spelling, lexicon, name))
        for rows in self._starting.values():
            rows.sort(key=lambda row: (-len(row[0]), row))
        benchmarks = lexicons.get(roles.benchmarks, {})
        self._bare = {_GENERIC_PART.sub("", name): name for name in benchmarks}

    def find(self, text: str) -> dict[str, tuple[str, ...]]:
        """Return the distinct names in `text` by lexicon, in order of appearance."""
        found: dict[str, dict[str, None]] = {lexicon: {} for lexicon in self.lexicons}
        for _, _, lexicon, name in self._lexicon_mentions(format_for_display(text)):
            found[lexicon][name] = None
        return {lexicon: tuple(names) for lexicon, names in found.items()}

    def finder_for(self, title: str, short_name: str) -> Callable[[str], list[Mention]]:
        """Return `mentions` as a function for the texts of one paper.

        title, short_name: title and short name of the paper. `short_name` is ignored if it is the
        name of a benchmark.
        """
        in_title = self.find(title).get(self.benchmarks, ())
        is_benchmark = (
            self.find(short_name).get(self.benchmarks) or self._bare.get(short_name) in in_title
        )
        return partial(self.mentions, short_name="" if is_benchmark else short_name)

    def mentions(self, text: str, short_name: str = "") -> list[Mention]:
        """Return the mentions of names in a text (display form), by position.

        short_name: the short name of the text's paper, which is also searched for.
        """
        found = []
        if short_name and short_name in text:
            whole = rf"(?<![\w-]){re.escape(short_name)}(?!\w)"
            found = [Mention(*match.span(), OWN, short_name) for match in re.finditer(whole, text)]
        listed = [
            Mention(start, end, self._kinds.get(lexicon, f"lexicon {lexicon}"), name)
            for start, end, lexicon, name in self._lexicon_mentions(text)
        ]
        for each in (*listed, *self.exact_mentions(text)):
            if all(each.end <= other.start or other.end <= each.start for other in found):
                found.append(each)
        return sorted(found, key=lambda each: each.start)

    def exact_mentions(self, text: str) -> list[Mention]:
        """Return the mentions of benchmarks in exactly their own spelling, such as "TRAIL"."""
        return [
            Mention(*match.span(), BENCHMARK, self._bare[match.group()])
            for match in _CAPITALIZED.finditer(text)
            if match.group() in self._bare
        ]

    def _lexicon_mentions(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """Yield start, end, lexicon and name for each name in a text, in any spelling."""
        words, places = tokens_with_offsets(text)
        spans: list[tuple[int, int]] = []
        free = 0
        for position, word in enumerate(words):
            if word in self._starting and position >= free:  # not within an earlier name
                for spelling, lexicon, name in self._starting[word]:
                    free = position + len(spelling)
                    if tuple(words[position:free]) == spelling:
                        spans = spans or places()
                        start = spans[position][0]
                        if _NO_OTHER_NAME.match(text, start):
                            yield start, spans[free - 1][1], lexicon, name
                        break
                else:
                    free = position + 1


class ProblemFinder:
    """Finds open problems: cues of a lexicon in sentences about problems and limits.

    The sentence must also contain a word such as "fails" or "lacks".
    """

    def __init__(self, problems: Mapping[str, Sequence[str]]) -> None:
        cues = [(cue, problem) for problem, cues in problems.items() for cue in cues]
        self._problems = [problem for _, problem in cues]
        self._matcher = CueMatcher([parse_cue(cue) for cue, _ in cues])

    def find(self, sentences: Sequence[RoledSentence]) -> dict[str, RoledSentence]:
        """Return the first sentence that states each problem, by problem, in text order."""
        found: dict[str, RoledSentence] = {}
        for sentence in sentences:
            words = sentence.words
            is_list = NAMES_CHALLENGES.search(words) or _OPEN_PROBLEMS.search(words)
            if is_list or (sentence.role in _PROBLEM_ROLES and _LACK_WORD.search(words)):
                for match in self._matcher.find(tokens(format_for_display(sentence.words))):
                    found.setdefault(self._problems[match.cue_index], sentence)
        return found

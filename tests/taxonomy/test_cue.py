from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.taxonomy.cue import CueError, CueMatcher, Match, inflections, parse_cue
from classifier.text.normalise import tokens

# cue | text | what of the text matches, one match behind the other
MATCHES = """
reward model            | A Reward Model, and reward-model tuning    | reward model; reward model
reward model            | rewarding models                           |
a _ benchmark           | a new benchmark, a benchmark               | a new benchmark
a _ _ benchmark         | a very hard benchmark                      | a very hard benchmark
_ agents                | agents help; web agents help               | web agents
agents _                | agents help; web agents                    | agents help
benchmark~              | benchmarks benchmarked benchmarking        | benchmarks; benchmarked; benchmarking
benchmark~              | benchmarker                                |
propose~ a              | we propose a, it proposes a, proposing a   | propose a; proposes a; proposing a
study~                  | this study studies what was studied        | study; studies; studied
multi-agent             | multi agent, Multi-Agent, multiagent       | multi agent; multi agent; multiagent
text-to-sql~            | text-to-SQL and texttosqls                 | text to sql; texttosqls
multi-agent _ self-play | multiagent deep selfplay                   | multiagent deep selfplay
multi agent             | multiagent                                 |
very very               | very very very very very                   | very very; very very
benchmarks & tools      | benchmarks and tools; benchmarks (tools)   | benchmarks tools
LLM's                   | an LLM                                     | llm
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().split("\n")]


@pytest.mark.parametrize(("cue", "text", "expected"), rows(MATCHES))
def test_matches(cue: str, text: str, expected: str) -> None:
    words = tokens(text)
    found = CueMatcher([parse_cue(cue)]).find(words)
    assert "; ".join(" ".join(words[match.start : match.end]) for match in found) == expected


INFLECTIONS = """
benchmark | benchmark benchmarked benchmarking benchmarks
propose   | propose proposed proposes proposing
study     | studied studies study studying
survey    | survey surveyed surveying surveys
policy    | policied policies policy policying
approach  | approach approached approaches approaching
plan      | plan planed planing planned planning plans
agree     | agree agreed agreeing agrees
analysis  | analyses analysis analysised analysising analysissed analysissing
"""


@pytest.mark.parametrize(("word", "expected"), rows(INFLECTIONS))
def test_inflections(word: str, expected: str) -> None:
    assert " ".join(sorted(inflections(word))) == expected


FAULTS = """
             | found an empty cue ''. Write a phrase of at least one word.
&            | found an empty cue '&'. Write a phrase of at least one word.
_            | found the cue '_' with only open words. Add a required word.
_ _          | found the cue '_ _' with only open words. Add a required word.
~            | found a stray '~' in the cue '~'. Write '~' directly after a word.
a ~ b        | found a stray '~' in the cue 'a ~ b'. Write '~' directly after a word.
a~b          | found a stray '~' in the cue 'a~b'. Write '~' directly after a word.
_~ a         | found a stray '~' in the cue '_~ a'. Write '~' directly after a word.
tool_use     | found '_' inside a word of the cue 'tool_use'. Put blanks around '_', or replace it with a blank.
"""


@pytest.mark.parametrize(("cue", "message"), rows("\n" + FAULTS.strip("\n").replace("   ", " ")))
def test_faults(cue: str, message: str) -> None:
    with pytest.raises(CueError) as caught:
        parse_cue(cue)
    assert str(caught.value) == message


def test_matches_of_different_cues_overlap_and_are_sorted_by_place() -> None:
    matcher = CueMatcher([parse_cue("agent benchmark"), parse_cue("web agent"), parse_cue("web")])
    assert matcher.find(["web", "agent", "benchmark"]) == [
        Match(cue_index=2, start=0, end=1),
        Match(cue_index=1, start=0, end=2),
        Match(cue_index=0, start=1, end=3),
    ]


def naive_find(cues: Sequence[str], words: Sequence[str]) -> list[Match]:
    """Try every pattern of every cue at every place."""
    matches = []
    for index, cue in enumerate(cues):
        behind = 0
        patterns = parse_cue(cue)
        for start in range(len(words)):
            for pattern in patterns:
                piece = words[start : start + len(pattern)]
                fits = len(piece) == len(pattern) and all(
                    place is None or word in place
                    for place, word in zip(pattern, piece, strict=True)
                )
                if fits and start >= behind:
                    behind = start + len(pattern)
                    matches.append(Match(index, start, behind))
    return sorted(matches, key=lambda match: (match.start, match.end, match.cue_index))


WORDS = st.sampled_from(["a", "b", "ab", "bs", "abs", "abed", "bing", "baing", "c"])
CUE_WORDS = st.sampled_from(["a", "b", "ab", "c", "_", "_", "b~", "ab~", "a-b", "a-b~", "b-a"])
CUES = (
    st.lists(CUE_WORDS, min_size=1, max_size=4)
    .filter(lambda words: set(words) != {"_"})
    .map(" ".join)
)


@given(st.lists(CUES, max_size=6), st.lists(WORDS, max_size=12))
def test_the_matcher_finds_what_a_naive_one_finds(cues: list[str], words: list[str]) -> None:
    matcher = CueMatcher([parse_cue(cue) for cue in cues])
    assert matcher.find(words) == naive_find(cues, words)


@given(st.text(alphabet="ab_~- &'é", max_size=12))
def test_a_cue_that_is_accepted_can_match(text: str) -> None:
    try:
        cue = parse_cue(text)
    except CueError:
        return
    for pattern in cue:
        words = ["x" if place is None else min(place) for place in pattern]
        assert CueMatcher([cue]).find(words) != []

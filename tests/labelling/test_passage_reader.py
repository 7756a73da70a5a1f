from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier.labelling.passage_reader import PassageReader
from classifier.labelling.passages import Passages, Vocabulary, passages_of
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import CueMatcher, parse_cue
from classifier.text.acronyms import definition_at
from tests.text.bulk.odd_texts import texts

CUES = [
    "large language model~", "language model agent~", "agent~", "group relative", "llm judge",
    "a _ method~", "introduce~ _ _ benchmark", "use _ agent~", "_ judge", "rl", "multi-agent",
    "bake at _", "x agent",
]  # fmt: skip
WORDS = sorted(
    {
        word
        for cue in CUES
        for way in parse_cue(cue).alternatives
        for place in way
        for word in place or ()
    }
)
READER = PassageReader(Vocabulary([*WORDS, "bread", "naïve", "don’t"]), CUES)
MATCHER = CueMatcher([parse_cue(cue) for cue in CUES])
DEFINED = [
    "large language model (LLM)", "large language models (LLMs)", "LLM (large language model)",
    "LLM", "LLMs agent", "multi-agent system (MAS)", "MAS", "multi-agent systems", "use", "a",
    "method", "group relative policy optimization (GRPO)", "GRPO judge", "rl", ".", "introduce",
    "benchmark", "reinforcement learning (RL)", "RL", "RL-agent", "language model", "LM",
    "language model (LM)",
]  # fmt: skip
ACRONYMS = """
large language model models LLM LLMs (LLM) (LLMs) [LLMs, agents method judge use a introduce
Group Relative Policy Optimization (GRPO) GRPO GRPO's reinforcement learning (RL) RL RL-agents
multi-agent system (MAS) systems (MASs) MAS X-Agent (X-Agent) bake at x agent naïve ﬁeld (FI)
benchmark BENCH (Bench Mark) BM (Bench Mark) . : ;
""".split()


def assert_equal(
    read: Passages,
    papers: Sequence[Paper],
    reader: PassageReader = READER,
    matcher: CueMatcher = MATCHER,
) -> None:
    """`read` says what the definition says; other spellings at least where a cue fires."""
    wanted = passages_of([text_views(paper) for paper in papers], reader.vocabulary)
    assert read.papers == wanted.papers
    for name in ("words", "negated", "starts", "owners", "headings", "stated"):
        ours, theirs = getattr(read, name), getattr(wanted, name)
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist(), name
    same = zip(read.hashes.tolist(), wanted.hashes.tolist(), strict=True)
    assert len(set(same)) == len(set(read.hashes.tolist())) == len(set(wanted.hashes.tolist()))
    assert read.respelled.items() <= wanted.respelled.items()
    assert set(firing(wanted, matcher)) <= set(read.respelled)


def firing(wanted: Passages, matcher: CueMatcher) -> Iterator[int]:
    """Yield the passages in which a cue covers a whole form that was put in."""
    for passage, spelling in wanted.respelled.items():
        matches = matcher.find(spelling.words)
        if any(spelling.covers_place(match.start, match.end) for match in matches):
            yield passage


def papers(parts: st.SearchStrategy[str]) -> st.SearchStrategy[list[Paper]]:
    paper = st.builds(lambda title, abstract: Paper(title, abstract=abstract), parts, parts)
    return st.lists(paper, max_size=4)


@settings(max_examples=150)
@given(papers(texts()))
def test_papers_are_read_as_one_by_one(some: list[Paper]) -> None:
    assert_equal(READER.read(some), some)


@settings(max_examples=400)
@given(papers(st.lists(st.sampled_from(ACRONYMS), max_size=40).map(" ".join)))
def test_acronyms_are_spelled_out_wherever_a_cue_fires(some: list[Paper]) -> None:
    assert_equal(READER.read(some), some)


PLACES = st.sampled_from([*"a use method benchmark agent judge rl mas llm".split(), "_", "_"])
WAYS = st.lists(st.lists(PLACES, min_size=1, max_size=4), min_size=1, max_size=5)
SOME = st.lists(st.sampled_from([*DEFINED, *ACRONYMS]), max_size=25).map(" ".join)


@settings(max_examples=250)
@given(papers(SOME), WAYS)
def test_cues_of_any_words_and_open_places(some: list[Paper], ways: list[list[str]]) -> None:
    spoken = "large language model system reinforcement learning group policy".split()
    cues = [" ".join(way) for way in ways if set(way) != {"_"}]
    cues += [f"{first} {second}" for first in spoken[::2] for second in (*spoken[1::2], "_")]
    vocabulary = Vocabulary(word for cue in cues for word in cue.split())
    matcher = CueMatcher([parse_cue(cue) for cue in cues])
    reader = PassageReader(vocabulary, cues)
    assert_equal(reader.read(some), some, reader, matcher)


def told(words: Sequence[str], count: int) -> list[Paper]:
    """Papers of some words at random."""
    generator = Random(0)

    def text(most: int) -> str:
        return " ".join(generator.choices(words, k=generator.randint(0, most)))

    return [Paper(text(6), abstract=text(30)) for _ in range(count)]


PROSE = [
    *DEFINED,
    *ACRONYMS,
    *"we do this in a new way and it is good with care for all".split() * 4,
]


@pytest.mark.parametrize(
    ("cues", "read", "spelled"),
    [
        pytest.param(CUES, 780, 141, id="any cues"),
        pytest.param([cue for cue in CUES if "_" not in cue], 722, 129, id="without an open word"),
    ],
)
def test_little_is_read_in_vain(
    monkeypatch: pytest.MonkeyPatch, cues: Sequence[str], read: int, spelled: int
) -> None:
    """Of 1,158 brackets and 213 other spellings; a cue fires in 115 of these, or in 113."""
    looked_at = []

    def noted(text: str, begin: int, end: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
        looked_at.append(text[begin:end])
        return definition_at(text, begin, end)

    monkeypatch.setattr("classifier.labelling.paper_acronyms.definition_at", noted)
    some, reader = told(PROSE, 500), PassageReader(READER.vocabulary, cues)
    found = reader.read(some)
    assert_equal(found, some, reader, CueMatcher([parse_cue(cue) for cue in cues]))
    assert len(looked_at) <= read
    assert len(found.respelled) <= spelled


def test_a_passage_is_spelled_anew_where_a_cue_wants_it() -> None:
    abstract = "We ask a large language model (LLM). An LLM is asked. The RL is hot."
    read = READER.read([Paper("A Lid"), Paper("Pan Lids (PL)", abstract=abstract)])
    assert {passage: text.words for passage, text in read.respelled.items()} == {
        3: ("an", "large", "language", "model", "is", "asked")
    }


@pytest.mark.parametrize(
    ("abstract", "spelled"),
    [
        ("A large language model (LLM) rises. Is a large language model judge fair?",
         ["is a llm judge fair"]),
        ("Large Language Models (LLMs) rise. Is one of the large language models judge?",
         ["is one of the llms judge"]),
        ("A large language model (LLM) rises. Is a large old model judge fair?", []),
        ("A large language model (LLM) rises. LLM (large language model) judge.",
         []),
        ("A large language model (LLM) rises. LLM (a large new model) judge.",
         ["large language model a large new model judge"]),
        ("We have RL (reinforcement learning) at hand. Reinforcement learning is RL.",
         ["rl is reinforcement learning"]),
    ],
)  # fmt: skip
def test_a_form_is_put_in_where_all_of_the_other_one_stands(
    abstract: str, spelled: list[str]
) -> None:
    read = READER.read([Paper("A Lid", abstract=abstract)])
    assert [" ".join(text.words) for text in read.respelled.values()] == spelled


def test_a_definition_in_the_sentence_behind_is_none_of_this_one() -> None:
    paper = Paper("A Lid for LLMs", abstract="Large language models (LLMs) bake. They rise.")
    assert list(READER.read([paper]).respelled) == [0]


def test_chunks_change_nothing(shared: object) -> None:
    from tools.benchmarks.passages import papers_of

    some = papers_of("arxiv_20k.jsonl.gz", 120)
    whole = READER.read(some)
    assert_equal(whole, some)
    parts = [READER.read(some[:50]), READER.read(some[50:])]
    for name in ("words", "hashes", "negated", "headings", "stated"):
        assert np.array_equal(
            getattr(whole, name), np.concatenate([getattr(part, name) for part in parts])
        )


@pytest.mark.parametrize("count", [0, 1])
def test_few_papers_and_a_reader_that_was_sent(count: int) -> None:
    some = [Paper("Bread")] * count
    sent = pickle.loads(pickle.dumps(READER))
    assert_equal(sent.read(some), some)

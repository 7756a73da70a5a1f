"""Every number that the golden survey prints, counted again from papers.json.

Nothing of the code that counts is used here: a query is read anew, and each term of it is asked of
the published paper.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl

import pytest

from classifier.pipeline import BuildResult
from tests.survey.recount import Recount, Term, searched_terms

Paper = dict[str, Any]
Papers = list[Paper]

WORDS = dict(
    zip(
        "no one two three four five six seven eight nine none".split(),
        [*range(10), 0],
        strict=True,
    )
)
INPUT = {
    "records.read": 17,
    "records.quarantined": 1,
    "files.read": 3,
    "papers.distinct": 16,
    "papers.left_out": 1,
    "papers.left_out_reviewed": 0,
    "months.dated": 13,
    "benchmarks.distinct": 3,
    "flours.distinct": 1,
}
SPELLINGS = {
    "Rapeseed test": r"rapeseed test(?! for rolls)",
    "Rapeseed test for rolls": "rapeseed test for rolls",
    "Windowpane test": "window ?pane",
    "Type 550": "type 550",
}


BENCHMARKS = ("Rapeseed test", "Rapeseed test for rolls", "Windowpane test")


def topic(paper: Paper) -> dict[str, Any]:
    labels: dict[str, Any] = paper["labels"]["topic"]
    return labels


def has_code(paper: Paper) -> bool:
    return bool(paper["code_urls"]) or "available" in paper["abstract"]


def has_figure(paper: Paper) -> bool:
    """Return whether a number follows the sentence on the contribution."""
    return bool(re.search(r"\. .*\d(%|\.\d| of 15)", paper["abstract"]))


def is_several(paper: Paper) -> bool:
    return len([category for category in topic(paper)["categories"] if "/" not in category]) > 1


def in_lexicon(paper: Paper, value: str) -> bool:
    text = f"{paper['title']} {paper['abstract']}".lower()
    if value == "none":
        return not any(re.search(SPELLINGS[name], text) for name in BENCHMARKS)
    return bool(re.search(SPELLINGS[value], text))


def answers(paper: Paper, facet: str) -> list[str]:
    """Return the categories of a paper in a facet that applies to some papers only."""
    labels = paper["labels"].get(facet)
    return [] if labels is None else labels["categories"] or ["none"]


def month(date: str) -> str:
    return date[:7] if len(date) > 4 else "undated"


def quarter(date: str) -> str:
    return f"{date[:4]}-Q{-(-int(date[5:7]) // 3)}" if len(date) > 4 else "undated"


CONDITIONS: dict[str, Callable[[Paper, str], bool]] = {
    "filed": lambda paper, value: topic(paper)["primary"] == value,
    "topic": lambda paper, value: value in topic(paper)["categories"],
    "contribution": lambda paper, value: value in paper["labels"]["contribution"]["categories"],
    "fed_by": lambda paper, value: value in answers(paper, "fed_by"),
    "status": lambda paper, value: topic(paper)["status"] == value,
    "code": lambda paper, value: has_code(paper) == (value == "yes"),
    "result": lambda paper, value: has_figure(paper) == (value == "stated"),
    "several": lambda paper, value: is_several(paper) == (value == "yes"),
    "key": lambda paper, value: paper["key"] == (value == "yes"),
    "text": lambda paper, value: paper["abstract_kind"] == value,
    "year": lambda paper, value: (paper["published"][:4] or "undated") == value,
    "quarter": lambda paper, value: quarter(paper["published"]) == value,
    "month": lambda paper, value: month(paper["published"]) == value,
    "benchmarks": in_lexicon,
    "flours": in_lexicon,
}
SCOPE = ("sourdough", "flour", "ovens", "keeping")


def pairs(papers: Papers) -> list[int]:
    """Return how many papers belong to both categories of each pair in scope."""
    topics = [set(topic(paper)["categories"]) for paper in papers]
    return [sum({*pair} <= topics_of for topics_of in topics) for pair in combinations(SCOPE, 2)]


def named_once(papers: Papers) -> int:
    counts = [sum(in_lexicon(paper, name) for paper in papers) for name in BENCHMARKS]
    return counts.count(1)


LISTED: dict[str, Callable[[Papers], int]] = {
    "pairs.all": lambda papers: len(pairs(papers)),
    "pairs.met": lambda papers: sum(n > 0 for n in pairs(papers)),
    "benchmarks.once": named_once,
}
NAMED: dict[str, Callable[[Paper], bool]] = {
    "papers.total": lambda paper: True,
    "papers.dated": lambda paper: paper["published"] != "",
    "papers.without_authors": lambda paper: not paper["authors"],
    "papers.dated_to_day": lambda paper: len(paper["published"]) == 10,
    "papers.dated_to_month": lambda paper: len(paper["published"]) == 7,
    "papers.reviewed": lambda paper: topic(paper)["status"] == "reviewed",
    "papers.confident": lambda paper: topic(paper)["status"] == "confident",
    "papers.provisional": lambda paper: topic(paper)["status"] == "provisional",
    "papers.with_abstract": lambda paper: paper["abstract_kind"] == "abstract",
    "papers.with_digest": lambda paper: paper["abstract_kind"] == "digest",
    "papers.title_only": lambda paper: paper["abstract"] == "",
    "papers.with_code": has_code,
    "papers.with_figure": has_figure,
    "papers.key": lambda paper: paper["key"],
    "papers.several_topics": is_several,
}


def recomputed(fact_id: str, papers: Papers) -> object:
    """Return the value of a fact, counted in papers.json and the input files.

    Raises AssertionError if no rule here counts it.
    """
    try:
        return _recomputed(fact_id, papers)
    except (KeyError, ValueError) as error:
        raise AssertionError(
            f"No rule counts the fact '{fact_id}' again. Add one to `NAMED` in {__file__}; for a "
            "new key of queries, to `CONDITIONS`."
        ) from error


def _recomputed(fact_id: str, papers: Papers) -> object:
    """Return the value of a fact; KeyError or ValueError if no rule here counts it."""
    if fact_id in INPUT:
        return INPUT[fact_id]
    if fact_id in NAMED:
        return sum(NAMED[fact_id](paper) for paper in papers)
    if fact_id in LISTED:
        return LISTED[fact_id](papers)
    whose, _, which = fact_id.partition(".")
    if which in ("newest", "oldest"):
        of = [p for p in papers if whose in ("papers", topic(p)["primary"])]
        dates = sorted(paper["published"] for paper in of if paper["published"])
        return dates[-1 if which == "newest" else 0]
    terms = [] if fact_id == "all" else parse_qsl(fact_id, strict_parsing=True)
    return sum(all(holds(paper, term) for term in terms) for paper in papers)


def holds(paper: Paper, term: Term) -> bool:
    """Ask a paper by hand, or the search of the browse page where no rule here does."""
    key, value = term
    return CONDITIONS[key](paper, value)


@pytest.fixture(scope="module")
def bread_papers(bread: BuildResult) -> Papers:
    """papers.json, and of each paper the terms by which the browse page finds it."""
    searched = searched_terms(bread.files["search-index.js"])
    papers: Papers = json.loads(bread.files["papers.json"])
    return [{**paper, "terms": searched[paper["page"]]} for paper in papers]


def numbers(text: str) -> list[int]:
    """Return the counts in a sentence: digits, and words below ten."""
    text = (
        text.replace("more than one category", "")
        .replace("at least one paper", "")
        .replace(",", "")
        .lower()
    )
    found = re.findall(rf"\b(?:\d+|{'|'.join(WORDS)})\b", text)
    return [int(word) if word.isdigit() else WORDS[word] for word in found]


def test_every_fact_matches_papers_json(bread: BuildResult, bread_papers: Papers) -> None:
    facts = json.loads(bread.files["facts.json"])
    checked = {fact_id: fact["value"] for fact_id, fact in facts.items()}
    assert len(checked) > 60
    assert checked == {fact_id: recomputed(fact_id, bread_papers) for fact_id in checked}


def test_every_number_in_a_computed_sentence_is_a_fact_of_its_source(
    bread_sentences: list[dict[str, str]], bread_papers: Papers
) -> None:
    """Also allowed: how many of the source's counts are not zero, and what is left of a total.

    What is out of scope is no category that a count of categories may take in.
    """
    checked = 0
    for sentence in bread_sentences:
        kind, _, ids = sentence["source"].partition(": ")
        if sentence["kind"] not in "CT" or kind != "facts":
            continue
        by_id = {fact_id: recomputed(fact_id, bread_papers) for fact_id in ids.split(", ")}
        values = list(by_id.values())
        counts = [value for value in values if isinstance(value, int)]
        not_zero = [fact_id for fact_id in list(by_id)[1:] if by_id[fact_id] not in (0, "")]
        allowed = {*counts, len([key for key in not_zero if key != "filed=other"]), 0}
        allowed |= {abs(one - other) for one in counts for other in counts}
        allowed |= {int(value[:4]) for value in values if isinstance(value, str)}
        allowed |= {int(year) for year in re.findall(r"\byear=(\d+)", ids)}
        found = numbers(re.sub(r"\\\[.*?\\\]|\]\([^)]*\)", "", sentence["text"]))
        assert set(found) <= allowed, (sentence, allowed)
        checked += len(found)
    assert checked > 20


def test_every_metric_in_a_sentence_is_in_metrics_json(
    bread: BuildResult, bread_sentences: list[dict[str, str]]
) -> None:
    facets = json.loads(bread.files["metrics.json"])["facets"]
    for sentence in bread_sentences:
        kind, _, ids = sentence["source"].partition(": ")
        if kind == "metrics":
            for path in ids.split(", "):
                figures = facets
                for key in path.split("."):
                    assert key in figures, sentence
                    figures = figures[key]


def test_a_fact_without_a_rule_is_named_with_the_place_for_one(bread: BuildResult) -> None:
    for fact_id in ("papers.baked", "oven=hot"):
        with pytest.raises(AssertionError, match=f"No rule counts the fact '{fact_id}' again. Add"):
            recomputed(fact_id, [{}])
    with pytest.raises(AssertionError, match=r"No rule counts the fact 'oven\.hot' again. Add"):
        Recount(bread.files, {}).value("oven.hot")

"""Every number that the golden survey prints, counted again from papers.json."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from classifier.build import BuildResult

Papers = list[dict[str, Any]]

WORDS = dict(
    zip(
        "no one two three four five six seven eight nine none".split(),
        [*range(10), 0],
        strict=True,
    )
)


def topic(paper: dict[str, Any]) -> dict[str, Any]:
    labels: dict[str, Any] = paper["labels"]["topic"]
    return labels


def has_code(paper: dict[str, Any]) -> bool:
    return bool(paper["code_urls"]) or "available" in paper["abstract"]


def has_figure(paper: dict[str, Any]) -> bool:
    """A figure stands behind the sentence that says what the paper does."""
    return bool(re.search(r"\. .*\d(%|\.\d)", paper["abstract"]))


CORPUS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "papers.total": lambda p: True,
    "papers.dated": lambda p: p["published"] != "",
    "papers.dated_to_day": lambda p: len(p["published"]) == 10,
    "papers.dated_to_month": lambda p: len(p["published"]) == 7,
    "papers.reviewed": lambda p: topic(p)["status"] == "reviewed",
    "papers.confident": lambda p: topic(p)["status"] == "confident",
    "papers.provisional": lambda p: topic(p)["status"] == "provisional",
    "papers.with_abstract": lambda p: p["abstract_kind"] == "abstract",
    "papers.with_digest": lambda p: p["abstract_kind"] == "digest",
    "papers.title_only": lambda p: p["abstract"] == "",
    "papers.with_code": has_code,
    "papers.with_figure": has_figure,
    "papers.key": lambda p: p["key"],
    "papers.several_topics": lambda p: len([c for c in topic(p)["categories"] if "/" not in c]) > 1,
}


def recomputed(fact_id: str, papers: Papers) -> object:
    """Return the value of a fact, from papers.json and what the input files hold."""
    if fact_id in CORPUS:
        return sum(CORPUS[fact_id](paper) for paper in papers)
    if fact_id in ("papers.newest", "papers.oldest"):
        dates = sorted(paper["published"] for paper in papers if paper["published"])
        return dates[-1 if fact_id.endswith("newest") else 0]
    if fact_id in INPUT:
        return INPUT[fact_id]
    facet, *rest = fact_id.split(".")
    if facet == "topic":
        return of_topic(rest, papers)
    assert facet == "contribution"
    return sum(paper["labels"]["contribution"]["primary"] == rest[0] for paper in papers)


INPUT = {
    "records.read": 17,
    "records.quarantined": 1,
    "files.read": 3,
    "papers.distinct": 16,
    "papers.left_out": 1,
    "papers.left_out_reviewed": 0,
}


def of_topic(rest: list[str], papers: Papers) -> int:
    filed = [paper for paper in papers if topic(paper)["primary"] == rest[0]]
    having = [paper for paper in papers if rest[0] in topic(paper)["categories"]]
    match rest[1:]:
        case ["papers"]:
            return len(having)
        case ["filed"]:
            return len(filed)
        case ["also"]:
            return len(having) - len(filed)
        case ["in_parts"]:
            return sum(f"{rest[0]}/" in " ".join(topic(paper)["categories"]) for paper in papers)
        case ["and", other]:
            return sum(other in topic(paper)["categories"] for paper in filed)
        case ["contribution", kind]:
            return sum(paper["labels"]["contribution"]["primary"] == kind for paper in filed)
        case [count]:
            return sum(CORPUS[f"papers.{count}"](paper) for paper in filed)
    raise AssertionError(f"no count for {rest}")


def numbers(text: str) -> list[int]:
    """Return the counts in a sentence: digits, and words below ten."""
    text = text.replace("more than one category", "").replace(",", "").lower()
    found = re.findall(rf"\b(?:\d+|{'|'.join(WORDS)})\b", text)
    return [int(word) if word.isdigit() else WORDS[word] for word in found]


def test_every_fact_is_what_papers_json_says(bread: BuildResult, bread_papers: Papers) -> None:
    facts = json.loads(bread.files["facts.json"])
    checked = {key: fact["value"] for key, fact in facts.items() if not is_of_a_lexicon(key)}
    assert len(checked) > 60
    assert checked == {key: recomputed(key, bread_papers) for key in checked}


def is_of_a_lexicon(fact_id: str) -> bool:
    return fact_id.startswith(("benchmarks.", "flours."))


@pytest.mark.parametrize(
    ("fact_id", "wanted"),
    {
        "benchmarks.named": 4,
        "benchmarks.distinct": 3,
        "benchmarks.Rapeseed test.papers": 1,
        "benchmarks.Rapeseed test for rolls.papers": 1,
        "benchmarks.Windowpane test.papers": 2,
        "flours.Type 550.papers": 1,
    }.items(),
)
def test_names_are_counted(fact_id: str, wanted: int, bread: BuildResult) -> None:
    assert bread.edition.facts[fact_id] == wanted


def test_every_number_in_a_computed_sentence_is_a_fact_of_its_source(
    bread_sentences: list[dict[str, str]], bread_papers: Papers
) -> None:
    """Also allowed: how many of the source's counts are not zero, and what is left of a total.

    What is out of scope is no category that a count of categories may take in.
    """
    checked = 0
    for sentence in bread_sentences:
        kind, _, ids = sentence["source"].partition(": ")
        if sentence["kind"] != "C" or kind != "facts":
            continue
        by_id = {fact_id: recomputed(fact_id, bread_papers) for fact_id in ids.split(", ")}
        values = list(by_id.values())
        counts = [value for value in values if isinstance(value, int)]
        not_zero = [fact_id for fact_id in list(by_id)[1:] if by_id[fact_id] not in (0, "")]
        allowed = {*counts, len([key for key in not_zero if key != "topic.other.filed"]), 0}
        allowed |= {counts[0] - count for count in counts}
        allowed |= {int(value[:4]) for value in values if isinstance(value, str)}
        found = numbers(sentence["text"])
        assert set(found) <= allowed, (sentence, allowed)
        checked += len(found)
    assert checked > 40


def test_every_metric_in_a_sentence_stands_in_metrics_json(
    bread: BuildResult, bread_sentences: list[dict[str, str]]
) -> None:
    facets = json.loads(bread.files["metrics.json"])["facets"]
    for sentence in bread_sentences:
        kind, _, ids = sentence["source"].partition(": ")
        if kind == "metrics":
            keys = [key.split(".") for key in ids.split(", ")]
            assert all(key in facets[facet] for facet, key in keys), sentence

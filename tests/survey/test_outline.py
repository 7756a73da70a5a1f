"""The text of the golden survey: kinds, sources, citations."""

from __future__ import annotations

import json
import re
from typing import Any

from classifier.pipeline import BuildResult

PROSE_NOT = re.compile(r"^(#|\||<a id|!\[|\*\*(Table|Figure)( \d+)?\.)")


def body(survey: str) -> list[str]:
    """Return the paragraphs of prose between the contents and the references."""
    text = survey.partition('<a id="abstract"></a>')[2].partition('<a id="reference-list"></a>')[0]
    blocks = [block.strip() for block in text.split("\n\n")]
    return [block for block in blocks if block and not PROSE_NOT.match(block)]


def test_every_sentence_of_the_survey_is_in_sentences_jsonl_and_the_reverse(
    bread: BuildResult, bread_sentences: list[dict[str, str]]
) -> None:
    prose = " ".join(" ".join(body(bread.files["survey.md"].decode())).split())
    listed = " ".join(" ".join(sentence["text"].split()) for sentence in bread_sentences)
    assert prose == listed


def test_every_sentence_has_an_id_a_kind_and_a_source_that_resolves(
    bread: BuildResult,
    bread_papers: list[dict[str, Any]],
    bread_sentences: list[dict[str, str]],
) -> None:
    facts = json.loads(bread.files["facts.json"])
    known = {
        "facts": set(facts),
        "paper": {paper["id"] for paper in bread_papers},
        "fieldguide": {"method"},
        "reviews.csv": {"arxiv:2304.00111", "p-0278e58e9a", "p-c2730ff861"},
    }
    kinds = {"facts": "CT", "metrics": "C", "paper": "PQ", "fieldguide": "H"}
    kinds["reviews.csv"] = "HT"
    ids = [sentence["id"] for sentence in bread_sentences]
    assert len(ids) == len(set(ids))
    for sentence in bread_sentences:
        spanned = ["span"] if sentence["kind"] in "PQ" else []
        assert list(sentence) == ["id", "text", "kind", "source", *spanned]
        source, _, names = sentence["source"].partition(": ")
        assert sentence["kind"] in kinds.get(source, "DH")
        if source in known:
            assert set(names.split(", ")) <= known[source], sentence
        elif source == "taxonomy":
            assert resolves(bread, names, sentence["text"]), sentence


def resolves(bread: BuildResult, path: str, text: str) -> bool:
    """Return whether a text is in the taxonomy at its source."""
    taxonomy = bread.survey.taxonomy
    if path == "survey/scope":
        return text in taxonomy.survey.scope
    facet, category_id, part = path.split("/")
    category = taxonomy.facet(facet).get(category_id)
    assert category is not None
    if part == "definition":
        return text == category.definition
    return any(text == claim.text.strip() for claim in category.claims)


def test_quotes_and_paraphrases_are_in_their_paper(
    bread_papers: list[dict[str, Any]], bread_sentences: list[dict[str, Any]]
) -> None:
    papers = {paper["id"]: paper for paper in bread_papers}
    drawn = [sentence for sentence in bread_sentences if sentence["kind"] in "PQ"]
    assert {sentence["kind"] for sentence in drawn} == {"P", "Q"}
    for sentence in drawn:
        paper = papers[sentence["source"].removeprefix("paper: ")]
        is_digest = paper["abstract_kind"] == "digest"
        assert is_digest == (sentence["kind"] == "P")
        start, end = sentence["span"]
        words = paper["abstract"][start:end].removesuffix(".")
        assert len(words) > 20
        assert f"“{words}" in sentence["text"] or (is_digest and words[1:] in sentence["text"])


def test_every_citation_leads_to_a_reference(bread: BuildResult) -> None:
    survey = bread.files["survey.md"].decode()
    anchors = re.findall(r'<a id="([^"]+)">', survey)
    assert len(anchors) == len(set(anchors))
    cited = set(re.findall(r"\]\(#([^)]+)\)", survey))
    assert cited <= set(anchors)
    assert {f"ref-{number}" for number in range(1, 16)} <= set(anchors)


def test_the_reference_list_has_every_paper_once_in_table_order(
    bread: BuildResult,
) -> None:
    survey = bread.files["survey.md"].decode()
    rows = re.findall(r"^\| \[(\d+)\]\(#ref-", survey, re.MULTILINE)
    assert [int(number) for number in rows] == list(range(1, 16))


def test_each_category_has_a_section_core_first_out_of_scope_last(
    bread: BuildResult,
) -> None:
    ids = [section.id for section in bread.survey.document.sections]
    assert ids == [
        *("abstract", "introduction", "method", "method-labels", "method-rules", "taxonomy"),
        *("landscape", "sourdough", "flour", "ovens", "keeping", "other"),
        *("left-out", "how-to-cite"),
    ]

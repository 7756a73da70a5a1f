"""The explanation of a paper: its fields, its labels, and invalid queries."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from classifier.commands.explain import explain_paper
from classifier.errors import UsageError
from classifier.evaluation.report import text_lines
from classifier.explanation.explanation import Explanation
from classifier.explanation.report import explanation_json, explanation_report
from classifier.project import Project


def lines_of(*told: Any, **options: Any) -> list[str]:
    return text_lines(explanation_report(*told, **options))


GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "project"

KITCHEN = """\
{"title": "Proofing in the Dark", "abstract": "Introduces proofing without a starter."}
{"title": "A Toaster for Crust", "abstract": ""}
"""


@pytest.fixture(scope="module")
def bread(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The golden project, with a paper that negates a cue, one without abstract, and a facet."""
    root = tmp_path_factory.mktemp("bread")
    shutil.copytree(GOLDEN, root, dirs_exist_ok=True)
    (root / "papers" / "kitchen.jsonl").write_text(KITCHEN, encoding="utf-8")
    taxonomy = root / "taxonomy" / "taxonomy.yaml"
    fuel = (
        "  fuel:\n    kind: multi\n    applies_to: [ovens]\n    categories:\n"
        "      - {id: wood, cues: {anywhere: [wood]}}\n"
    )
    text = taxonomy.read_text(encoding="utf-8").replace("lexicons:\n", f"{fuel}\nlexicons:\n")
    taxonomy.write_text(text, encoding="utf-8")
    return Project(root)


@pytest.fixture(scope="module")
def proofing(bread: Project) -> Explanation:
    return explain_paper(bread, "proofing by sound")


def test_a_merged_paper_shows_the_record_of_each_field(proofing: Explanation) -> None:
    origins = {
        origin.field: [str(source) for source in origin.sources] for origin in proofing.origins
    }
    assert origins["abstract"] == ["papers/page.txt:13"]
    assert origins["published"] == ["papers/bread.jsonl:3", "papers/page.txt:13"]
    assert lines_of(proofing)[:7] == snapshot(
        [
            "Proofing by Sound",
            "  p-ac982c6689 · 2024-11-30",
            "  from papers/bread.jsonl:3 (jsonl): title, published",
            "  from papers/page.txt:13 (daily-papers): abstract, author_count, comment_count",
            "  another abstract, not kept: papers/bread.jsonl:3",
            "  papers/page.txt:13 was merged with papers/bread.jsonl:3 by title",
            "  missing in all inputs: authors, organisation, venue, arxiv_id, doi, url, code_urls, keywords, "
            "collections, reference",
        ]
    )


def test_each_facet_is_explained_or_listed_as_not_applicable(proofing: Explanation) -> None:
    assert [facet.facet.id for facet in proofing.facets] == ["topic", "contribution", "fed_by"]
    assert proofing.not_asked == ("fuel",)
    assert lines_of(proofing)[-1] == snapshot("fuel: does not apply to papers with these topics")


def test_the_printed_column_adds_up_to_the_printed_logit(proofing: Explanation) -> None:
    column: list[Decimal] = []
    sums = 0
    for line in lines_of(proofing):
        number, _, rest = line.strip().partition("  ")
        if not line.startswith("    ") or number[:1] not in "+-":
            continue
        if rest.startswith("logit: "):
            assert sum(column) == Decimal(number)
            column, sums = [], sums + 1
        else:
            column.append(Decimal(number))
    assert (sums, column) == (7, [])


def test_a_reviewed_paper_shows_its_reviewer(bread: Project) -> None:
    lines = lines_of(explain_paper(bread, "p-0278e58e9a"))
    decided = lines.index("Topic: ovens, keeping — reviewed") + 1
    assert lines[decided : decided + 2] == snapshot(
        [
            "  Decided by ben on 2025-06-02 (drawn by: queue): the crust is the instrument",
            "  The classifier has learned from this decision. Its reasons after learning:",
        ]
    )


def test_cues_similarity_and_other_categories_are_reasons(proofing: Explanation) -> None:
    lines = [line.strip() for line in lines_of(proofing)]
    assert [
        line for line in lines if "definition" in line or "other categories" in line
    ] == snapshot(
        [
            "-0.39  likeness to its definition",
            "+0.18  likeness to its definition",
            "+0.66  its definition: ‘method’",
            "-0.40  evidence for other categories",
            "-2.10  evidence for other categories",
            "-0.07  likeness to its definition",
        ]
    )


def test_each_probability_has_a_description(proofing: Explanation) -> None:
    lines = [line.strip() for line in lines_of(proofing)]
    words = ("confidence", "Filed under", "logit: probability", "normalised over")
    assert [line for line in lines if any(word in line for word in words)] == snapshot(
        [
            "Topic: sourdough — provisional, confidence 0.63 that the primary is right (no label is confident yet)",
            "Filed under sourdough: share 0.90 of all categories; next ovens 0.05, margin 0.85",
            "+2.15  logit: probability 0.90 that it applies; given from 0.35",
            "-1.43  logit: probability 0.19 that it applies; given from 0.35",
            "-1.70  logit: probability 0.15 that it applies; given from 0.35",
            "Contribution: method — provisional, confidence 0.69 that the primary is right (no label is confident yet)",
            "Filed under method: share 0.81 of all categories; next survey 0.10, margin 0.71",
            "+1.92  logit: probability 0.81 of all categories; the likeliest is given",
            "-2.13  logit: probability 0.10 of all categories; the likeliest is given",
            "+4.50  logit: probability 0.99 that it applies; given from 0.50",
            "-1.50  logit: probability 0.18 that it applies; given from 0.50",
        ]
    )


def test_a_missing_abstract_is_mentioned(bread: Project) -> None:
    lines = lines_of(explain_paper(bread, "toaster"))
    assert (
        "  Without an abstract a label is confident only if the cues in the title are clear."
        in lines
    )


def test_one_category_can_be_chosen_by_name_or_id(bread: Project) -> None:
    asked = explain_paper(bread, "proofing by sound", category="flour & Gluten")
    (facet,) = asked.facets
    (account,) = facet.accounts
    assert (account.category, account.given, asked.not_asked) == ("flour", False, ())
    lines = lines_of(asked)
    assert "  flour (not given)" in lines


def test_a_category_of_a_facet_that_does_not_apply_is_reported(bread: Project) -> None:
    asked = explain_paper(bread, "proofing by sound", category="wood")
    assert (asked.facets, asked.not_asked) == ((), ("fuel",))


def test_a_subcategory_has_its_own_explanation(bread: Project) -> None:
    lines = text_lines(
        explanation_report(explain_paper(bread, "proofing by", category="sourdough/cultures"))
    )
    assert "  sourdough/cultures (not given): votes 0.0 of 2.0: no cue matches" in lines
    assert "  sourdough (the primary)" not in lines


@pytest.mark.parametrize(
    ("query", "category", "message"),
    [
        ("steam", None, "'steam' matches 2 papers. Use an id or more words of the title:"),
        ("qqq", None, "No paper matches 'qqq'; expected an id,"),
        ("toaster", "flower", "'flower' is not a category; expected one of sourdough, flour,"),
    ],
)
def test_an_unknown_paper_or_category_is_an_error(
    bread: Project, query: str, category: str | None, message: str
) -> None:
    with pytest.raises(UsageError) as raised:
        explain_paper(bread, query, category=category)
    assert str(raised.value).startswith(message)


def test_json_has_the_whole_explanation(proofing: Explanation) -> None:
    told = json.loads(json.dumps(explanation_json(proofing)))
    assert list(told) == [
        "paper",
        "fields",
        "joins",
        "not_stated",
        "editorial",
        "facets",
        "not_asked",
    ]
    assert told["fields"]["abstract"]["others"][0]["file"] == "papers/bread.jsonl"
    topic = told["facets"]["topic"]
    assert topic["primary"] == topic["likeliest"][0][0] == "sourdough"
    assert topic["decision"] is None
    for account in (*topic["accounts"], *topic["near_misses"]):
        told = account["account"]
        weights = [reason["weight"] for reason in told["reasons"]]
        assert sum([*weights, told["rest"], told["intercept"]]) == pytest.approx(
            told["logit"], abs=1e-6
        )


def test_the_explanation_is_deterministic(bread: Project, proofing: Explanation) -> None:
    again = explain_paper(bread, "p-ac982c6689")
    assert lines_of(again) == lines_of(proofing)


def test_editorial_acts_are_shown(bread: Project) -> None:
    told = {
        "baking stone": "  left out of the survey by ben on 2025-06-03: paid for by a maker of "
        "stones",
        "crumb firmness": "  remark by ada on 2025-06-03: Its protocol became *the* crumb test of "
        "[the guild](https://bread.example/guild).",
        "rye starter alive": "  marked as a key paper by ada on 2025-06-03",
    }
    for query, line in told.items():
        explanation = explain_paper(bread, query)
        assert line in lines_of(explanation)
    (key,) = explanation_json(explanation)["editorial"].values()  # type: ignore[attr-defined]
    assert (key["text"], key["by"], key["on"]) == ("yes", "ada", "2025-06-03")

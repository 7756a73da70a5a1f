"""Open problems that papers state."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.survey.names import ProblemFinder
from classifier.taxonomy.load import load_taxonomy
from classifier.text.roles import roled_sentences
from tests.survey.conftest import BREAD

CUES = """
  unsolved:
    slow yeast: [slow yeast~]
    uneven ovens: [uneven, heat _ unevenly]
"""
PAPERS = [
    {
        "title": f"Sourdough for bakers, part {n}",
        "abstract": f"Bakers of region {n} still struggle with slow yeasts. "
        "We propose a sourdough that rises in an uneven oven.",
    }
    for n in range(4)
] + [
    {
        "title": "Starters: a survey",
        "abstract": "We survey sourdough starters and bakers, and find that open challenges "
        "include slow yeasts and dull crusts.",
    }
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    root = Path(shutil.copytree(BREAD, tmp_path_factory.mktemp("unsolved") / "bread"))
    taxonomy = root / "taxonomy" / "taxonomy.yaml"
    text = taxonomy.read_text(encoding="utf-8")
    taxonomy.write_text(text.replace("lexicons:", "lexicons:" + CUES.rstrip(), 1), "utf-8")
    lines = "".join(json.dumps(paper) + "\n" for paper in PAPERS)
    (root / "papers" / "unsolved.jsonl").write_text(lines, encoding="utf-8")
    return compute(Project(root))


def test_a_cue_counts_in_a_sentence_on_a_problem_only() -> None:
    finder = ProblemFinder({"slow yeast": ["slow yeast~"], "uneven ovens": ["uneven"]})
    found = finder.find(roled_sentences(PAPERS[0]["abstract"]))
    assert list(found) == ["slow yeast"]
    assert found["slow yeast"].words.startswith("Bakers of region 0")


def test_a_cue_needs_a_word_of_lack_in_its_sentence() -> None:
    finder = ProblemFinder({"uneven ovens": ["oven~"]})
    for text, found in (
        ("Bakers join flour, water and ovens into bread. We propose a loaf.", []),
        ("Bakers still struggle with their ovens. We propose a loaf.", ["uneven ovens"]),
    ):
        sentences = roled_sentences(text)
        assert sentences[0].role == "problem"
        assert list(finder.find(sentences)) == found


def test_named_challenges_are_problems_in_any_role() -> None:
    finder = ProblemFinder({"slow yeast": ["slow yeast~"]})
    text = "Surveys bread. Flours are analysed too. {} slow yeasts and dull crust."
    for words, problems in (("The challenges named are", ["slow yeast"]), ("It presents", [])):
        assert list(finder.find(roled_sentences(text.format(words)))) == problems


def test_the_survey_lists_limits_and_not_motives(built: BuildResult) -> None:
    survey = built.files["survey.md"].decode("utf-8")
    section = survey.split("## What is unsolved")[1].split("\n## ")[0]
    assert "“We survey sourdough starters and bakers, and find that open challenges" in section
    assert "Bakers of region" not in section


def test_problems_are_a_filter_of_the_browse_page(built: BuildResult) -> None:
    assert "Said to be unsolved" in built.files["search-index.js"].decode("utf-8")


def test_without_cues_there_is_no_section(bread: BuildResult) -> None:
    assert "unsolved" not in bread.files["survey.md"].decode("utf-8")


def test_an_invalid_cue_is_reported_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    text = (BREAD / "taxonomy" / "taxonomy.yaml").read_text(encoding="utf-8")
    path.write_text(
        text.replace("lexicons:", "lexicons:\n  unsolved:\n    slow: [_ _]", 1), "utf-8"
    )
    with pytest.raises(InputError, match="open words only"):
        load_taxonomy(path)

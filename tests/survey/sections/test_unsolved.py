"""Open problems that papers state."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from classifier.errors import InputError
from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.survey.entry import SurveyPaper
from classifier.survey.names import ProblemFinder
from classifier.survey.sections.unsolved import open_problem_of
from classifier.taxonomy.load import load_taxonomy
from classifier.text.roles import RoledSentence, roled_sentences
from classifier.text.sentences import Span
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
    with pytest.raises(InputError, match="only open words"):
        load_taxonomy(path)


OPEN = [
    "Even the strongest ovens stay below a 20% success rate on rye.",
    "The best oven bakes only 46% of the loaves.",
    "Tests reveal gaps in kneading and proving.",
    "Most success rates of the ovens are near 0% and the best is 5%.",
    "Old ovens do poorly at rye: the best one bakes 11% of it.",
    "Nurses' alarms prove vulnerable to noise.",
    "Stated limits include slow yeasts and uneven heat.",
    "The survey also reviews flours, and names slow yeasts and uneven heat as open problems.",
    "Open challenges named are slow yeasts and uneven heat.",
    "Sourdough with several starters is left to future work.",
]
CLOSED = [
    "Open challenges are outlined, and a list of bakeries is kept up to date.",
    "The oven reaches 99% of rye at only 30% of the cost of gas.",
    "A loaf on the first try lies well below a loaf on the fifth.",
    "Of ten ovens, Brik does best with 79% of loaves, while several old ones perform poorly.",
    "Brik bakes nearly 100% of rye, where gas ovens clearly fall short.",
    "Main limitations are discussed.",
    "The tasks differentiate ovens and reveal gaps in kneading.",
]


@pytest.mark.parametrize(
    ("sentence", "is_open"), [*((s, 1) for s in OPEN), *((s, 0) for s in CLOSED)]
)
def test_what_a_paper_leaves_open(sentence: str, is_open: int) -> None:
    first = RoledSentence(Span(0, 20, "Presents an oven."), "contribution", main=True)
    later = RoledSentence(Span(21, 21 + len(sentence), sentence), "result")
    paper = SimpleNamespace(abstract_kind="digest", title_display="Ovens")
    entry = SimpleNamespace(sentences=(first, later), paper=paper)
    assert open_problem_of(cast(SurveyPaper, entry)) == (sentence if is_open else "")

"""Every quotation is an exact part of the published abstract."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.papers.paper import Paper
from classifier.survey.entry import SurveyPaper
from classifier.survey.quotation import is_clear_with_title, remove_markup
from classifier.survey.sections.category.quotes import quote_with_lead
from classifier.text.clean import clean_abstract
from classifier.text.sentences import split_sentences

PIECES = (
    "10 times", "4.5times", "--", "---", "->", "12%rightarrow34%", "approx 5", "sim3", "53. 6%",
    r"53\\%", r"$\alpha$", r"$\times$", r"\textbf{rye}", "“crust”", "”", "“", '"', "``crumb''",
    "*", "_", "[1]", "(", ")", "|", "`", "<b>", "&amp;", "#", "~", "\\", "x^2", "ﬁ", "\u00a0",
    "\u2009", "\u00ad", "\n", "  ", "2.1\ufffdeV", "Ünïcode", "面包", "dough", "rises",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map(" ".join))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_quotation_is_a_slice_of_the_published_abstract(
    make_entry: Callable[..., SurveyPaper], words: str
) -> None:
    entry = make_entry(1, "soil", text=f"We bake. We {words} daily. It works.")
    entry = replace(entry, paper=replace(entry.paper, abstract_kind="abstract"))
    published = entry.paper.abstract_display
    for span in split_sentences(published):
        draft = quote_with_lead("a", entry, span.text)
        if draft.kind == "Q":
            assert draft.span
            quoted = published[slice(*draft.span)]
            if "\\" not in quoted:
                assert f"“{quoted}”" in remove_markup(draft.text)


@pytest.mark.parametrize(
    "sentence",
    [
        "They ran the test 10 times, then stopped.",
        "Loaves rose 4.5times, or sim3 of them, by 53. 6%.",
        "It went 12% -> 34%, a 2.5 times larger loaf.",
    ],
)
def test_the_words_of_an_abstract_are_not_changed(sentence: str) -> None:
    assert clean_abstract(f"Abstract We bake. {sentence}") == f"We bake. {sentence}"
    assert Paper("Bread", abstract=sentence).abstract_display == sentence


def test_a_sentence_with_an_unpaired_quotation_mark_is_not_chosen() -> None:
    assert is_clear_with_title("Bread", "We propose a “rye” starter that rises.")
    assert not is_clear_with_title("Bread", "We propose a rye” starter that rises.")


BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
KINDS = (
    "{} 10 times, then stopped.",
    r"{} at 53\\% hydration, with $\\alpha$-amylase.",
    "{} from 12% -> 34% -- twice.",
    "{}: a “dark” crust.",
    "{} 4.5times as long, sim3 hours.",
)


def test_every_quotation_of_a_built_survey_is_in_papers_json(tmp_path: Path) -> None:
    project = shutil.copytree(BREAD, tmp_path / "bread")
    papers = [
        {
            "title": f"A Sourdough Starter Fermentation Method {number}",
            "abstract": (
                f"Abstract Starters die. {kind.format('We propose a sourdough starter method')} "
                f"{kind.format('Results show that it raises the dough')} © 2020 Crumb Press."
            ),
            "authors": [f"Author {number}"],
            "published": f"2024-0{number + 1}",
        }
        for number, kind in enumerate(KINDS)
    ]
    lines = "".join(json.dumps(paper) + "\n" for paper in papers)
    (project / "papers" / "abstracts.jsonl").write_text(lines, encoding="utf-8")
    assert CliRunner().invoke(app, ["build", "--project", str(project)]).exit_code == 0
    out = project / "out"
    published = {
        paper["id"]: paper["abstract"]
        for paper in json.loads((out / "papers.json").read_text(encoding="utf-8"))
    }
    records = map(json.loads, (out / "sentences.jsonl").read_text(encoding="utf-8").splitlines())
    quotations = [record for record in records if record["kind"] == "Q"]
    assert quotations
    for record in quotations:
        abstract = published[record["source"].removeprefix("paper: ")]
        start, end = record["span"]
        assert f"“{abstract[start:end]}”" in remove_markup(record["text"])

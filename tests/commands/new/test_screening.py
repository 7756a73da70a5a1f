"""Verdicts of ASReview and Rayyan are imported with reasons and notes."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from classifier.commands.new.project import NewProject, new_project
from classifier.pipeline import compute
from classifier.project import Project

ABOUT = ("rye bread crusts", "honey bee dances", "steel bridge spans")
TITLES = [f"On {words} {n}" for n in range(6) for words in ABOUT]


def made(tmp_path: Path, text: str, name: str) -> NewProject:
    source = tmp_path / name
    source.write_text(text, encoding="utf-8")
    return new_project(tmp_path / "survey", [source], date(2025, 6, 1))


def asreview() -> str:
    rows = ["title,abstract,asreview_label,exclusion_reason,asreview_note"]
    for n, title in enumerate(TITLES):
        verdict, reason, note = ("1", "", "") if n > 2 else ("0", "wrong bread", "")
        note = '"Read the appendix, too."' if n == 5 else note
        rows.append(f"{title},We study {title[3:-2]}.,{verdict},{reason},{note}")
    return "\n".join(rows) + "\n"


def rayyan(form: str) -> str:
    told = []
    for n, title in enumerate(TITLES):
        said = '"Ada"=>"Included"' if n > 2 else '"Ada"=>"Excluded", "Bo"=>"Excluded"'
        if n == 3:
            said = '"Ada"=>"Included", "Bo"=>"Excluded"'
        notes = f"RAYYAN-INCLUSION: {{{said}}}"
        if n < 3:
            notes += " | RAYYAN-EXCLUSION-REASONS: wrong bread"
        if n == 5:
            notes += ' | USER-NOTES: {"Ada"=>["Read the appendix, too."]}'
        if form == "csv":
            quoted = notes.replace('"', '""')
            told.append(f'{title},We study {title[3:-2]}.,"{quoted}"')
        else:
            told.append(f"TY  - JOUR\nTI  - {title}\nAB  - We study it.\nN1  - {notes}\nER  - \n")
    return "\n".join(["title,abstract,notes", *told] if form == "csv" else told) + "\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (asreview(), "asreview.csv"),
        (rayyan("csv"), "rayyan.csv"),
        (rayyan("ris"), "rayyan.ris"),
    ],
)
def test_excluded_papers_are_left_out_with_their_reason(
    tmp_path: Path, text: str, name: str
) -> None:
    project = made(tmp_path, text, name)
    built = compute(Project(project.folder))
    excluded = built.files["excluded.csv"].decode()
    assert [title for title in TITLES if title in excluded] == TITLES[:3]
    assert excluded.count("wrong bread") == 3
    survey = built.files["survey.md"].decode()
    assert "excluded at screening, before this survey: “wrong bread” (3)" in survey
    assert "Read the appendix, too." in survey
    assert (built.fact("papers.total"), built.fact("papers.screened_out")) == (15, 3)
    assert ">screening</text>" in built.files["figures/flow.svg"].decode()


def test_irrelevant_records_of_asreview_in_ris_are_left_out(tmp_path: Path) -> None:
    text = "".join(
        f"TY  - JOUR\nTI  - {title}\nN1  - ASReview_{'ir' * (n < 3)}relevant\nER  - \n"
        for n, title in enumerate(TITLES)
    )
    project = made(tmp_path, text, "asreview.ris")
    assert compute(Project(project.folder)).fact("papers.total") == 15


def test_a_file_with_only_excluded_papers_is_a_survey_of_them(tmp_path: Path) -> None:
    text = asreview().replace(",1,", ",0,")
    project = made(tmp_path, text, "asreview.csv")
    assert compute(Project(project.folder)).fact("papers.total") == 18


def test_reasons_of_screening_and_editors_are_counted(tmp_path: Path) -> None:
    """Each count has a source, a number within a reason none, else the build is refused."""
    reasons = dict(enumerate(['rye of 40 “mills”, *not* "bread"', "wrong bread", "wrong bread"]))
    rows = ["title,abstract,asreview_label,exclusion_reason"]
    for n, title in enumerate(TITLES):
        reason = reasons.get(n, "").replace('"', '""')
        rows.append(f'{title},We study {title[3:-2]}.,{int(not reason)},"{reason}"')
    project = made(tmp_path, "\n".join(rows) + "\n", "asreview.csv")
    paper = next(paper for paper in project.corpus.papers if paper.title == TITLES[5])
    with (project.folder / "taxonomy/reviews.csv").open("a", encoding="utf-8") as ledger:
        ledger.write(f"{paper.id},{paper.title},exclude,late,,ada,2025-06-02,volunteer,,\n")
    survey = compute(Project(project.folder)).files["survey.md"].decode()
    told = "“wrong bread” (2), “rye of 40 'mills', \\*not\\* \"bread\"” (1)."
    assert f"Three of 18 papers were excluded at screening, before this survey: {told}" in survey
    assert "One of 18 papers is left out by the editors" in survey

"""A reader's report starts on the page of a paper; `review apply --issue` reads it."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from classifier.commands.apply import Applied, apply_sheets
from classifier.pipeline import compose_survey
from classifier.project import Project
from classifier.review.ledger import read_ledger
from classifier.site.issues import (
    evidence_line,
    evidence_report,
    label_report,
    ledger_line,
    paper_request,
)
from classifier.taxonomy.claims import Claim
from classifier.taxonomy.load import load_taxonomy

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
RESTING = "p-ee363f6ee9"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(shutil.copytree(BREAD, tmp_path / "bread"))


def apply_report(project: Project, text: str) -> Applied:
    report = project.root.parent / "issue.txt"
    report.write_text(text, encoding="utf-8")
    applied = apply_sheets(project, issues=[report], reviewer="ada", today=date(2025, 7, 1))
    assert report.read_text(encoding="utf-8") == text
    return applied


def newest(project: Project) -> list[tuple[str, str, str]]:
    ledger = read_ledger(project.ledger_file, "reviews.csv")
    return [(e.id, e.value, e.reviewer) for e in ledger.entries if e.reviewed_on == "2025-07-01"]


def prefilled(project: Project, feedback: str) -> str:
    """Return the start of a report on a paper."""
    text = project.taxonomy_file.read_text(encoding="utf-8")
    text = text.replace("survey:\n", f"survey:\n  feedback: {feedback}\n", 1)
    project.taxonomy_file.write_text(text, encoding="utf-8")
    _, survey = compose_survey(project)
    entry = next(each for each in survey.entries if each.paper.id == RESTING)
    address = label_report(survey.taxonomy, entry)
    assert address.startswith(("https://forge.example/issues/new?", "mailto:bread@example.org?"))
    assert paper_request(survey.taxonomy).startswith(address.partition("?")[0])
    [body] = parse_qs(urlsplit(address).query, keep_blank_values=True)["body"]
    return unquote(body)


@pytest.mark.parametrize("place", ["https://forge.example/issues/new", "bread@example.org"])
def test_a_report_started_by_the_page_is_read(project: Project, place: str) -> None:
    begun = prefilled(project, place)
    assert f"id: {RESTING}\ntitle: " in begun
    assert apply_report(project, begun).answers == ()
    filled = begun.replace("review_primary: ", "review_primary: sourdough")
    applied = apply_report(project, "\n".join(f"> {line}" for line in filled.split("\n")))
    assert applied.is_whole
    assert (RESTING, "sourdough", "ada") in newest(project)


def test_the_line_for_the_ledger_is_a_decision_once_its_words_in_capitals_are_replaced(
    project: Project,
) -> None:
    _, survey = compose_survey(project)
    entry = next(each for each in survey.entries if each.paper.id == RESTING)
    line = ledger_line(survey.whole_taxonomy, entry)
    replaced = (("TOPIC", "sourdough"), ("YOUR NAME", "ada"), ("YYYY-MM-DD", "2025-07-01"))
    for word, value in replaced:
        line = line.replace(word, value)
    with project.ledger_file.open("a", encoding="utf-8") as ledger:
        ledger.write(f"{line}\n")
    assert newest(project) == [(RESTING, "sourdough", "ada")]
    _, decided = compose_survey(project)
    labels = next(each for each in decided.entries if each.paper.id == RESTING).first
    assert (labels.primary, labels.status) == ("sourdough", "reviewed")


def test_missing_evidence_is_reported_with_its_claim_or_as_a_line_for_claims_csv(
    project: Project,
) -> None:
    claim = Claim('Steam, "dry" or wet, helps.', "ovens", "Ada", False, (), 1)
    taxonomy = load_taxonomy(project.taxonomy_file).taxonomy
    assert evidence_report(taxonomy, claim) == ""
    assert evidence_line(claim).startswith('"Steam, ""dry"" or wet, helps.",PAPER ID,')
    settings = taxonomy.survey.model_copy(update={"feedback": "bread@example.org"})
    address = evidence_report(taxonomy.model_copy(update={"survey": settings}), claim)
    [body] = parse_qs(urlsplit(address).query)["body"]
    assert body.splitlines()[:2] == ['claim: Steam, "dry" or wet, helps.', "paper: "]


def test_the_headings_of_an_issue_form_are_read(project: Project) -> None:
    asked = {"id": RESTING, "review_topics": "sourdough", "note": "_No response_"}
    form = "".join(f"### {name}\n\n{value}\n\n" for name, value in asked.items())
    assert apply_report(project, form).is_whole
    assert (RESTING, "sourdough", "ada") in newest(project)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("review_primary: sourdough", "found no line 'id: …'; expected the id of the paper."),
        (
            "add title: Rye",
            ":1: error: found a report of a missing paper; expected a report of a wrong label.",
        ),
        (
            f"id: {RESTING}\nreview_primary: sourdough\nreview_primary: heat",
            ":3: error: found 'sourdough' and 'heat' as review_primary; expected one answer.",
        ),
        (f"id: {RESTING}\nreview_primary: sourdoh", "'sourdoh'"),
        ("id: p-0000000000\ntitle: No such\nreview_primary: sourdough", "p-0000000000"),
    ],
)
def test_an_invalid_report_is_refused(project: Project, text: str, message: str) -> None:
    before = project.ledger_file.read_bytes()
    applied = apply_report(project, text)
    assert not applied.is_whole
    assert message in "".join(map(str, (*applied.faults, *applied.refused)))
    assert project.ledger_file.read_bytes() == before


def test_a_missing_logo_and_an_invalid_colour_are_faults(project: Project) -> None:
    from classifier.errors import InputError

    text = project.taxonomy_file.read_text(encoding="utf-8")
    wrong = "survey:\n  logo: crust.svg\n  accent: red\n  feedback: us\n"
    project.taxonomy_file.write_text(text.replace("survey:\n", wrong, 1), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        compose_survey(project)
    found = [str(fault) for fault in raised.value.faults]
    assert [each.split(":")[1] for each in found] == ["4", "5", "6"]
    assert "found 'crust.svg' for 'logo'; expected a picture in taxonomy/." in found[0]
    assert "found 'red' for 'accent'; expected a colour of six digits." in found[1]
    assert "found 'us' for 'feedback'; expected a web address or a mail address." in found[2]

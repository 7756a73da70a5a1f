"""verify.py passes on a survey, and finds whatever is damaged in it."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from damages import DAMAGES, PROGRAM_DAMAGES, damaged, with_evidence
from fields import FIELDS, make_field
from inline_snapshot import snapshot
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.pipeline import compute
from classifier.project import Project
from classifier.site import verify


def failures(site: dict[str, bytes]) -> list[str]:
    """Return the failures of a site as `file: found …; expected …`."""
    found = verify.verify(site, {*site, "manifest.json"})[1]
    return [f"{file}: found {actual}; expected {expected}" for file, _, actual, expected in found]


def test_the_golden_survey_is_proven(bread_site: dict[str, bytes]) -> None:
    checked, found = verify.verify(bread_site, {*bread_site, "manifest.json"})
    assert found == []
    kinds = [each.partition(" ")[2] for each in checked]
    assert kinds == snapshot(
        [
            "facts stated, not computed",
            "facts",
            "computed sentences",
            "quotations and paraphrases",
            "numbers of papers",
            "quotations on pages",
            "counts on pages",
            "sentences on pages",
            "results on pages",
            "pages with JSON-LD",
            "numbers of captions",
            "blocks of chapters",
            "quotations in tables",
            "references",
            "entries of feeds",
            "links",
        ]
    )


@pytest.mark.parametrize("field", FIELDS)
def test_a_survey_of_another_field_is_proven(field: str, tmp_path: Path) -> None:
    site = dict(compute(make_field(tmp_path, field)).files)
    assert failures(site) == []
    assert json.loads(site["facts.json"])["papers.total"]["value"] == 2 + len(
        FIELDS[field]["papers"]
    )


@pytest.mark.parametrize("file", ["arxiv_multiline_robotics.bib", "jabref_groups.bib"])
def test_a_survey_of_real_papers_is_proven(file: str, shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "inputs" / "bibtex" / file
    root = tmp_path / "survey"
    assert CliRunner().invoke(app, ["new", str(root), str(source)]).exit_code == 0
    assert failures(dict(compute(Project(root)).files)) == []


def test_a_survey_of_abstracts_with_odd_signs_is_proven(shared: Path, tmp_path: Path) -> None:
    """Some of these abstracts of many fields have HTML entities, formulas and lost blanks."""
    source, root = tmp_path / "papers.jsonl", tmp_path / "survey"
    with gzip.open(shared / "data" / "fields" / "background.jsonl.gz", "rb") as abstracts:
        source.write_bytes(b"".join(islice(abstracts, 7000, 7500)))
    assert CliRunner().invoke(app, ["new", str(root), str(source)]).exit_code == 0
    assert failures(dict(compute(Project(root)).files)) == []


@pytest.mark.parametrize("name", DAMAGES | PROGRAM_DAMAGES)
def test_a_damage_is_found(name: str, bread_site: dict[str, bytes]) -> None:
    assert failures(with_evidence(damaged(bread_site, name)))


def test_a_failure_names_its_file_what_was_found_and_what_was_expected(
    bread_site: dict[str, bytes],
) -> None:
    names = ("a digit of a sentence", "a quotation", "a count", "a result on a page", "a link")
    found = [failures(with_evidence(damaged(bread_site, name)))[0] for name in names]
    assert found == snapshot(
        [
            "survey.md: found prose without a source, “This survey sorts 14 of 15 papers into four categories, dated from 2022 to May 2”; expected the text of sentence 'abstract-sorted'",
            "sentences.jsonl: found 'ovens-finding-p-e1267a85a1': “What was found: “A Rapeseed test for rolls shows a loss of 3% for the early schedules” (*Steam Schedules for Deck Ovens* \\[[11](#ref-11)\\]).”; expected Q of p-e1267a85a1: “A Rapeseed test for rolls shows a gain of 3% for the early schedules”",
            "facts.json: found papers.distinct = 16; expected 17: sum(papers.total, papers.left_out)",
            "c/flour.html: found “−1.5 %”; expected “+1.5 % or 1.5%”",
            "survey.html: found a link to 'p/p-ee363f6ee8.html'; expected a file of the site",
        ]
    )


def test_years_as_names_of_rows_are_not_part_of_a_total(bread_site: dict[str, bytes]) -> None:
    caption = b"\n**Figure 99.** Papers and notes per year; n = 977. ([CSV](figures/years.csv))\n"
    site = {
        **bread_site,
        "survey.md": bread_site["survey.md"] + caption,
        "figures/years.csv": b"Year,Papers,Notes\n2024,970,1\n2025,5,1\n",
    }
    assert list(verify.Proof(site).check_captions()) == []
    wrong = {**site, "figures/years.csv": b"Year,Papers,Notes\n2024,970,1\n2025,5,2\n"}
    assert len(list(verify.Proof(wrong).check_captions())) == 1


def test_the_browser_is_given_the_same_evidence(bread_site: dict[str, bytes]) -> None:
    script = bread_site["evidence.js"].replace(b"took up 1.5% more", b"took up 9.5% more")
    assert failures({**bread_site, "evidence.js": script}) == snapshot(
        ["evidence.js: found content that differs from papers.json; expected the same content"]
    )


def test_the_published_program_checks_its_own_folder(
    bread_folder: Path, tmp_path: Path, bread_site: dict[str, bytes]
) -> None:
    assert (bread_folder / "verify.py").read_bytes() == Path(verify.__file__).read_bytes()
    (bread_folder / "manifest.json").touch()
    run = [sys.executable, "-I", "-S", str(bread_folder / "verify.py")]
    good = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("Checked ")
    assert good.stdout.endswith(": 0 failures.\n")
    for path, content in damaged(bread_site, "a count on a page").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    bad = subprocess.run([*run, str(tmp_path)], capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert re.search(r"^index\.html:\d+: found “6”; expected “5”\.$", bad.stdout, re.MULTILINE)


def test_files_of_another_form_are_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "papers.json").write_text("[")
    run = [sys.executable, verify.__file__, str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "found an unknown format" in done.stdout

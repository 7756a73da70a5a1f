"""A survey of another field: from an export to claims with tables of evidence.

The papers of `fields/` are made up.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from classifier.cli.commands import app

FIELDS = Path(__file__).parent / "fields"
WORDS_OF_ANOTHER_FIELD = re.compile(
    r"\b(?:[Aa]gent(?:s|ic)?|[Bb]enchmarks?|[Ll]anguage models?|LLMs?)\b"
)
INVISIBLE = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FieldProject:
    """A built project of another field."""

    root: Path
    claims: list[dict[str, str]]
    candidates: str
    """What `check --claims` printed before any paper was placed."""


def run(*arguments: str) -> str:
    """Run `fieldguide ARGUMENTS` and return its output."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module", params=["medicine.nbib", "materials.csv"])
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> FieldProject:
    """Return a project that `new` made of an export, with five claims, and built."""
    source = FIELDS / request.param
    typed = FIELDS / f"{source.stem}-claims.yaml"
    root = tmp_path_factory.mktemp("field") / source.stem
    claims_file = root / "taxonomy" / "claims.yaml"
    run("new", str(root), str(source))

    # First the propositions alone, then the papers that `check --claims` helps to find.
    claims = yaml.safe_load(typed.read_text(encoding="utf-8"))
    propositions = [{key: claim[key] for key in ("claim", "topic", "by")} for claim in claims]
    claims_file.write_text(yaml.safe_dump(propositions), encoding="utf-8")
    candidates = run("check", "--claims", "--project", str(root))
    shutil.copy(typed, claims_file)
    run("build", "--project", str(root))
    return FieldProject(root, claims, candidates)


def test_check_proposes_every_paper_that_bears_on_a_claim(project: FieldProject) -> None:
    for claim in project.claims:
        _, _, proposed = project.candidates.partition(f"\n{claim['claim']} (")
        proposed = proposed.partition("\n\n")[0]
        for side in ("for", "mixed", "against"):
            for paper in claim.get(side, ()):
                assert f"    {paper}: " in proposed, claim["claim"]


def test_each_claim_is_printed_with_its_evidence(project: FieldProject) -> None:
    survey = (project.root / "out" / "survey.md").read_text(encoding="utf-8")
    assert len(project.claims) == 5
    for claim in project.claims:
        assert claim.get("finding", claim["claim"]) in survey
    rows = re.findall(r"^\| (For|Mixed|Against) \|", survey, re.MULTILINE)
    placed = [
        side
        for claim in project.claims
        for side in ("for", "mixed", "against")
        for _ in claim.get(side, ())
    ]
    assert sorted(rows) == sorted(side.title() for side in placed)


def test_no_page_shows_words_of_another_field(project: FieldProject) -> None:
    out = project.root / "out"
    pages = [*out.rglob("*.html"), out / "survey.md"]
    found = {
        f"{page.relative_to(out)}: {match[0]}"
        for page in pages
        for match in WORDS_OF_ANOTHER_FIELD.finditer(
            unescape(INVISIBLE.sub(" ", page.read_text(encoding="utf-8")))
        )
    }
    assert len(pages) > 10
    assert found == set()


def test_the_survey_verifies(project: FieldProject) -> None:
    verifier = project.root / "out" / "verify.py"
    done = subprocess.run([sys.executable, str(verifier)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout

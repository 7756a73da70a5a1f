"""Roles of facets, categories and lexicons: `survey: roles:` in the taxonomy."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.pipeline import compute
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
MORE = """
  models:
    Type 405: [t405]
  unsolved:
    stale bread: [stale, staling, keep~]
"""
ROLES = {
    "contribution": "sort_of_work",
    "benchmark": "yardstick",
    "study": "inquiry",
    "survey": "overview",
    "benchmarks": "trials",
    "models": "machines",
    "unsolved": "riddles",
}


def copy_of(folder: Path) -> tuple[Path, str]:
    """Copy the bread project; return its taxonomy file and the text with more lexicons."""
    shutil.copytree(BREAD, folder)
    path = folder / "taxonomy" / "taxonomy.yaml"
    text = path.read_text("utf-8").rstrip("\n") + MORE
    kind = "      - id: study\n        name: Study\n        cues: {anywhere: [study of]}\n"
    kind += "      - id: survey\n        name: Overview\n        cues: {anywhere: [overview of]}\n"
    kind += "      - id: benchmark\n        name: Test method\n        cues: {anywhere: [test~]}\n"
    head, name, below = text.partition("  contribution:\n")
    first = re.search(r"    categories:\n", below)
    assert first
    ids = re.findall(r"- id: ([a-z]+)\n", below)
    kinds = [each for each in re.split(r"(?=      - id: )", kind) if each and not any(f"id: {known}\n" in each for known in ids)]  # fmt: skip
    below = below[: first.end()] + "".join(kinds) + below[first.end() :]
    text = head + name + below
    path.write_text(text, encoding="utf-8")
    return path, text


def renamed(text: str) -> str:
    """Give each facet, category and lexicon with a role another id."""
    for old, new in (("contribution", ROLES["contribution"]), *((n, ROLES[n]) for n in ("benchmarks", "models", "unsolved"))):  # fmt: skip
        text = re.sub(rf"^  {old}:", f"  {new}:", text, flags=re.MULTILINE)
    for name in ("benchmark", "study", "survey"):
        text = text.replace(f"- id: {name}\n", f"- id: {ROLES[name]}\n")
    stated = "".join(f"    {role}: {name}\n" for role, name in ROLES.items())
    return text.replace("survey:\n", f"survey:\n  roles:\n{stated}", 1)


def with_first_ids(text: str) -> str:
    for old, new in sorted(ROLES.items(), key=lambda item: -len(item[1])):
        text = text.replace(new, old)
    return text


def survey_of(folder: Path) -> Mapping[str, bytes]:
    return compute(Project(folder)).files


def test_renamed_roles_give_the_same_survey(tmp_path: Path) -> None:
    copy_of(tmp_path / "plain")
    path, text = copy_of(tmp_path / "renamed")
    path.write_text(renamed(text), encoding="utf-8")
    ledger = path.with_name("reviews.csv")
    rows = ledger.read_text("utf-8")
    for name in ("contribution", "benchmark", "study", "survey"):
        rows = re.sub(rf"(?<=,){name}(?=,)", ROLES[name], rows)
    ledger.write_text(rows, encoding="utf-8")
    path.with_name("versions.csv").unlink()
    (tmp_path / "plain" / "taxonomy" / "versions.csv").unlink()
    plain, other = survey_of(tmp_path / "plain"), survey_of(tmp_path / "renamed")
    assert plain.keys() == other.keys()
    for name in ("survey.md", "results.csv", "benchmarks.html"):
        version = re.compile(r"\b[0-9a-f]{12}\b")
        found = version.sub("", with_first_ids(other[name].decode()))
        assert found.splitlines() == version.sub("", plain[name].decode()).splitlines()
    facts, expected = (json.loads(files["facts.json"]) for files in (other, plain))
    assert [fact["value"] for fact in facts.values()] == [
        fact["value"] for fact in expected.values()
    ]


@pytest.mark.parametrize("role", sorted(ROLES))
def test_an_unknown_role_is_refused(role: str, tmp_path: Path) -> None:
    path, text = copy_of(tmp_path / "bread")
    path.write_text(
        text.replace("survey:\n", f"survey:\n  roles: {{{role}: nothing}}\n", 1), "utf-8"
    )
    with pytest.raises(InputError) as error:
        load_taxonomy(path)
    assert f"taxonomy.yaml:4: error: found 'nothing' as the role {role}" in str(error.value)

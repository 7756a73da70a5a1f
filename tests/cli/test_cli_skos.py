"""`fieldguide skos`: out to SKOS tools and in from a thesaurus."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.taxonomy.load import load_taxonomy

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command runs in an empty folder that is no project."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def rdflib() -> None:
    pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")


def run(*arguments: object) -> Result:
    """Run the command in this process; an error that is a bug shows as itself."""
    words = ["skos", *(str(argument) for argument in arguments)]
    return CliRunner().invoke(app, words, catch_exceptions=False)


@pytest.mark.usefixtures("rdflib")
def test_a_taxonomy_goes_out_and_comes_back() -> None:
    out = run("write", "--project", BREAD, "-o", "bread.ttl")
    assert (out.exit_code, out.stdout) == snapshot((0, "3 schemes with 11 concepts: bread.ttl\n"))
    back = run("read", "bread.ttl", "-o", "taxonomy.yaml")
    assert (back.exit_code, back.stdout) == snapshot(
        (0, "3 facets with 11 categories: taxonomy.yaml\n")
    )
    written = load_taxonomy(BREAD / "taxonomy" / "taxonomy.yaml").taxonomy
    found = load_taxonomy(Path("taxonomy.yaml")).taxonomy
    assert {c.name for c in found.first.categories} >= {c.name for c in written.first.categories}
    assert found.facets.keys() == written.facets.keys()


@pytest.mark.usefixtures("rdflib")
def test_without_o_it_goes_to_standard_output() -> None:
    out = run("write", "--project", BREAD, "--facet", "topic")
    Path("topic.ttl").write_text(out.stdout, encoding="utf-8")
    back = run("read", "topic.ttl")
    assert (back.exit_code, back.stderr) == (0, "")
    Path("taxonomy.yaml").write_text(back.stdout, encoding="utf-8")
    assert [*load_taxonomy(Path("taxonomy.yaml")).taxonomy.facets] == ["topic"]


@pytest.mark.usefixtures("rdflib")
def test_a_taxonomy_that_is_there_is_not_overwritten() -> None:
    run("write", "--project", BREAD, "-o", "bread.ttl")
    Path("taxonomy.yaml").write_text("mine", encoding="utf-8")
    back = run("read", "bread.ttl", "-o", "taxonomy.yaml")
    assert (back.exit_code, back.stdout) == (1, "")
    assert back.stderr == (
        snapshot(
            "fieldguide: taxonomy.yaml exists; nothing was written. Choose another file with -o.\n"
        )
    )
    assert Path("taxonomy.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("rdflib")
def test_a_file_that_is_not_there_is_a_fault() -> None:
    result = run("read", "none.ttl")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "none.ttl: error: found no such file; expected a file that exist"
    )


def test_outside_a_project_there_is_nothing_to_write() -> None:
    assert run("write").exit_code == 2


@pytest.mark.parametrize("words", [["read", "any.ttl"], ["write", "--project", BREAD]])
def test_without_rdflib_the_message_names_the_extra(
    words: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*sys.modules]:
        if name.startswith("classifier.extras.skos"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rdflib", None)
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == snapshot(
        "fieldguide: SKOS needs rdflib: pip install 'fieldguide[skos]'.\n"
    )

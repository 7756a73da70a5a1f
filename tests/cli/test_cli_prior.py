"""`--prior` of the commands that start from a prior."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.project import Project
from tools.prior import make_prior, prior_bytes

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
UNSEEN = ("Steam for Home Ovens", "Measuring Gluten")
COLUMNS = ("title", "primary", "topics", "contribution")


@pytest.fixture
def bread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bread project, as the current folder, and its labels as gold.csv."""
    folder = tmp_path / "bread"
    shutil.copytree(GOLDEN / "project", folder)
    with (GOLDEN / "expected" / "labels.csv").open(encoding="utf-8", newline="") as labels:
        rows = [[row[name] for name in COLUMNS] for row in csv.DictReader(labels)]
    with (folder / "gold.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([COLUMNS, *rows])
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="module")
def learned() -> dict[str, bytes]:
    """The files of the prior, once it is made."""
    return {}


@pytest.fixture
def with_prior(bread: Path, learned: dict[str, bytes]) -> Path:
    """The same with a prior, which two of the five reviewed papers are not in."""
    rows = Path("gold.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    unseen = [row for row in rows if not row.startswith(UNSEEN)]
    assert len(unseen) == len(rows) - 2
    Path("most.csv").write_text("".join(unseen), encoding="utf-8")
    prior = Path("taxonomy/prior.npz")
    if learned:
        prior.write_bytes(learned["prior"])
    else:
        make("most.csv")
        learned["prior"] = prior.read_bytes()
    return bread


def run(*words: str) -> Result:
    """Run a command in this process; an error that is a bug shows as itself."""
    return CliRunner().invoke(app, words, catch_exceptions=False)


def make(gold: str) -> None:
    """Learn the prior of the project."""
    papers = [Path("papers", name) for name in ("bread.jsonl", "page.txt", "shelf.csv")]
    prior = make_prior(Project(Path()), papers, gold=[Path(gold)])
    Path("taxonomy/prior.npz").write_bytes(prior_bytes(prior))


def confidences(*words: str) -> list[str]:
    """How sure `label` is of the papers of the project."""
    result = run("label", "papers/page.txt", *words)
    assert (result.exit_code, result.stderr) == (0, "")
    return [row["confidence"] for row in csv.DictReader(io.StringIO(result.stdout))]


def figures(*words: str) -> dict[str, object]:
    """What `evaluate` writes as JSON."""
    result = run("evaluate", *words, "--folds", "2", "--json", "figures.json")
    assert (result.exit_code, result.stderr) == (0, "")
    return dict(json.loads(Path("figures.json").read_text(encoding="utf-8")))


@pytest.mark.usefixtures("with_prior")
def test_labels_start_from_the_prior_unless_told_otherwise() -> None:
    shutil.copy("taxonomy/prior.npz", "other.json")
    with_it, without = confidences(), confidences("--prior", "none")
    assert with_it != without
    Path("taxonomy/prior.npz").unlink()
    assert confidences() == without
    assert confidences("--prior", "other.json") == with_it


@pytest.mark.usefixtures("bread")
@pytest.mark.parametrize("command", [("label", "papers/bread.jsonl"), ("evaluate",)])
def test_a_prior_that_is_not_there_is_wrong_use(command: tuple[str, ...]) -> None:
    result = run(*command, "--prior", "mine.json")
    assert (result.exit_code, result.stdout, result.stderr) == snapshot(
        (
            2,
            "",
            "fieldguide: mine.json: no such file; --prior expects a file that `python -m tools.prior` made.\n",
        )
    )


@pytest.mark.usefixtures("bread")
def test_a_file_that_is_no_prior_stops() -> None:
    result = run("label", "papers/bread.jsonl", "--prior", "gold.csv")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("gold.csv: error: found a file that is not a prior (")


@pytest.mark.usefixtures("with_prior")
def test_figures_say_whether_there_was_a_prior() -> None:
    for words, name, known in (
        ((), "prior.npz", 3),
        (("--prior", "none"), "none", None),
        (("--train", "none"), "none", None),
        (("--train", "none", "--prior", "taxonomy/prior.npz"), "taxonomy/prior.npz", 3),
    ):
        found = figures(*words)
        assert found["provenance"]["prior"] == name, words  # type: ignore[index]
        assert found["left_out_in_prior"] == known, words


@pytest.mark.usefixtures("with_prior")
def test_papers_that_the_prior_was_learned_from_are_not_scored() -> None:
    lines = run("evaluate", "--folds", "2", "--full").stdout.splitlines()
    assert "Scored 2 papers." in lines
    assert "With a prior; 3 papers that it learned from are not scored." in lines
    assert "With a" not in run("evaluate", "--folds", "2", "--full", "--prior", "none").stdout


@pytest.mark.usefixtures("bread")
def test_a_prior_that_knows_every_answer_scores_none() -> None:
    make("gold.csv")
    result = run("evaluate", "--folds", "2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        snapshot(
            "fieldguide: The prior was learned from all 5 papers to score, so they cannot test it. Choose other papers, or use no prior: --prior none.\n"
        )
    )

"""A prior of the bread project is learned from labelled papers and used by builds."""

from __future__ import annotations

import csv
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.commands.label import label_to
from classifier.errors import Fault, InputError, UsageError
from classifier.labelling.prior import Prior
from classifier.pipeline import compute
from classifier.project import Project
from classifier.scale.run import LabelOptions
from classifier.survey.inputs import read_inputs
from tools.prior import make_prior, prior_bytes

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
PAPERS = sorted((GOLDEN / "project" / "papers").iterdir())


def warned(project: Project, prior: str | None = None) -> tuple[Fault, ...]:
    """Return what labelling the papers warns of."""
    return label_to(BytesIO(), project, PAPERS, LabelOptions(prior=prior, workers=1)).warnings


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the golden survey says of its sixteen papers, taken for the truth."""
    path = tmp_path_factory.mktemp("gold") / "gold.csv"
    columns = ["title", "primary", "topics", "contribution"]
    with (GOLDEN / "expected" / "labels.csv").open(encoding="utf-8", newline="") as labels:
        rows = list(csv.DictReader(labels))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def made(gold: Path) -> Prior:
    return make_prior(Project(GOLDEN / "project"), PAPERS, gold=[gold])


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """A copy of the bread project, to be edited."""
    return Project(shutil.copytree(GOLDEN / "project", tmp_path / "bread"))


def test_a_prior_has_its_sources_and_the_command_to_repeat_it(made: Prior) -> None:
    assert list(made.facets) == ["topic", "contribution"]
    assert len(made.papers) == 16
    assert made.provenance["command"] == (
        snapshot("python -m tools.prior bread.jsonl page.txt shelf.csv --gold gold.csv")
    )
    assert made.provenance["background"] == 0
    (source,) = made.provenance["learned_from"]  # type: ignore[misc]
    assert (source["file"], source["papers"]) == ("gold.csv", 16)


def test_the_first_gold_file_with_a_paper_counts(gold: Path, tmp_path: Path, made: Prior) -> None:
    lines = gold.read_text(encoding="utf-8").splitlines(keepends=True)
    own = tmp_path / "own.csv"
    own.write_text("".join(lines[:4]), encoding="utf-8")
    prior = make_prior(Project(GOLDEN / "project"), PAPERS, gold=[own, gold])
    sources = prior.provenance["learned_from"]
    assert [(s["file"], s["papers"]) for s in sources] == [  # type: ignore[attr-defined]
        ("own.csv", 3),
        ("gold.csv", 13),
    ]
    assert prior.papers == made.papers


def test_without_gold_the_ledger_is_used(bread: Project) -> None:
    with pytest.raises(UsageError) as error:
        make_prior(bread, PAPERS)
    assert str(error.value) == (
        snapshot(
            "5 papers with labels; a prior wants 10 at least, and is worth making from hundreds. Are "
            "the gold titles those of the papers?"
        )
    )


def test_without_gold_and_ledger_there_are_no_labels(bread: Project) -> None:
    bread.ledger_file.unlink()
    with pytest.raises(UsageError, match=r"^0 papers with labels; a prior wants 10 at least"):
        make_prior(bread, PAPERS)


def test_a_build_uses_the_prior_and_its_version_depends_on_it(bread: Project, made: Prior) -> None:
    before, version = compute(bread), read_inputs(bread).version
    bread.prior_file.write_bytes(prior_bytes(made))
    after = compute(bread)
    assert after.warnings == before.warnings == ()
    assert read_inputs(bread).version != version
    assert after.files["labels.csv"] != before.files["labels.csv"]
    assert f"`{read_inputs(bread).version}`" in after.files["survey.md"].decode()


def test_a_changed_definition_is_a_warning_of_the_build(bread: Project, made: Prior) -> None:
    bread.prior_file.write_bytes(prior_bytes(made))
    taxonomy = bread.taxonomy_file.read_text(encoding="utf-8")
    bread.taxonomy_file.write_text(taxonomy.replace("Work on **living dough**", "Work on dough"))
    (warning,) = compute(bread).warnings
    assert str(warning).startswith(
        "taxonomy/prior.npz: warning: found weights of sourdough (facet topic), learned "
        "under another definition"
    )


def test_a_damaged_prior_is_reported_with_all_other_faults(bread: Project) -> None:
    bread.prior_file.write_text("{}")
    bread.ledger_file.write_text("id,title\n")
    with pytest.raises(InputError) as error:
        read_inputs(bread)
    cures = {fault.file: fault.hint for fault in error.value.faults}
    assert cures.keys() == {"taxonomy/prior.npz", "taxonomy/reviews.csv"}
    # A build has no --prior, with which one could go without.
    assert cures["taxonomy/prior.npz"].endswith("go without: move taxonomy/prior.npz away.")


def test_a_damaged_prior_is_ignored_with_prior_none(
    bread: Project, gold: Path, made: Prior, tmp_path: Path
) -> None:
    """That is what the message advises: make it again, or go without."""
    bread.prior_file.write_text("{}")
    assert make_prior(bread, PAPERS, gold=[gold]).papers == made.papers
    assert read_inputs(bread, prior="none").prior is None
    assert warned(bread, prior="None") == ()
    (tmp_path / "other.npz").write_bytes(prior_bytes(made))
    told = read_inputs(bread, prior=str(tmp_path / "other.npz")).prior
    assert told is not None
    assert told.papers == made.papers


def test_faults_of_an_unused_prior_are_not_reported(bread: Project, made: Prior) -> None:
    bread.prior_file.write_bytes(prior_bytes(made))
    taxonomy = bread.taxonomy_file.read_text(encoding="utf-8")
    bread.taxonomy_file.write_text(taxonomy.replace("Work on **living dough**", "Work on dough"))
    assert len(warned(bread)) == 1
    assert warned(bread, prior="none") == ()

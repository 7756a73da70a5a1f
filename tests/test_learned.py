"""A rebuild takes the labels of the last build where nothing that they depend on has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from classifier.commands.explain import explain_paper
from classifier.commands.review_page import review_page
from classifier.explanation.report import explanation_json
from classifier.files.built_folder import stamps_of
from classifier.files.cache import BuildCache, digest_line
from classifier.learned import TRAINED_FILE, keep_learned, recall_learned
from classifier.pipeline import BuildResult, build, compute
from classifier.project import Project
from classifier.survey.last_build import BuildOptions

TAXONOMY, LEDGER, PAPERS = "taxonomy/taxonomy.yaml", "taxonomy/reviews.csv", "papers/bread.jsonl"

Edit = Callable[[Project], None]


def replaced(file: str, old: str, new: str) -> Edit:
    def edit(project: Project) -> None:
        path = project.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def template(project: Project) -> None:
    folder = project.root / "templates"
    folder.mkdir(exist_ok=True)
    (folder / "404.html").write_text("gone", encoding="utf-8")


def without_decision(project: Project) -> None:
    path = project.root / LEDGER
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")


# What an edit is, and whether labels must be learned anew.
SHOWN_ONLY: tuple[Edit, ...] = (
    replaced(TAXONOMY, "title: ", "title: New "),
    template,
    replaced(TAXONOMY, "    Type ", "    Type New "),  # a name in a lexicon
)
LEARNED_FROM: dict[str, Edit] = {
    "definition": replaced(TAXONOMY, "definition: ", "definition: Newly, "),
    "name": replaced(TAXONOMY, "name: ", "name: New "),
    "cue": replaced(TAXONOMY, "title: [", "title: [rye bread, "),
    "decision": without_decision,
    "stop words": replaced(TAXONOMY, "survey:\n", "survey:\n  stop_words: none\n"),
    "keywords": replaced(TAXONOMY, "survey:\n", "survey:\n  use_keywords: false\n"),
    "text": replaced(PAPERS, '"abstract": "', '"abstract": "Bread. '),
    "paper's title": replaced(PAPERS, '"title": "', '"title": "New '),
}


@pytest.fixture
def bread(built_bread: Path, tmp_path: Path) -> Project:
    """A project that was built, to be edited."""
    return Project(shutil.copytree(built_bread, tmp_path / "bread"))


def built(project: Project) -> BuildResult:
    return build(project, project.out)


def test_edits_that_only_readers_see(bread: Project) -> None:
    for edit in SHOWN_ONLY:
        edit(bread)
    result = built(bread)
    assert result.is_cached
    assert result.files == compute(bread).files


@pytest.mark.parametrize("edit", LEARNED_FROM.values(), ids=LEARNED_FROM)
def test_an_edit_that_labels_depend_on(edit: Edit, bread: Project) -> None:
    edit(bread)
    assert not built(bread).is_cached


def test_what_was_learned_survives_the_disk(bread: Project, tmp_path: Path) -> None:
    learned = built(bread).learned
    cache = BuildCache(tmp_path / "cache")
    keep_learned(cache, "key", learned)
    assert recall_learned(cache, "key") == learned
    assert recall_learned(cache, "another key") is None


@pytest.mark.parametrize("damage", [None, b"x", b"\xff\n\xff", b"key 0\n{}"])
def test_a_cache_that_is_damaged_or_gone_changes_nothing(
    damage: bytes | None, bread: Project
) -> None:
    cached = list((bread.root / ".fieldguide").glob("*.json"))
    assert bread.root / ".fieldguide" / "learned.json" in cached
    assert (bread.root / ".fieldguide" / ".gitignore").read_text() == "*\n"
    for file in cached:
        if damage is None:
            file.unlink()
        else:
            file.write_bytes(file.read_bytes()[:-9] if damage == b"x" else damage)
    published = stamps_of(bread.out)
    assert not built(bread).is_cached
    assert stamps_of(bread.out) == published


def test_the_cache_may_lie_elsewhere_or_nowhere(bread: Project, tmp_path: Path) -> None:
    shutil.rmtree(bread.root / ".fieldguide")
    elsewhere = BuildOptions(cache=tmp_path / "cache")
    build(bread, bread.out, elsewhere)
    assert not (bread.root / ".fieldguide").exists()
    assert build(bread, bread.out, elsewhere).is_cached
    (tmp_path / "file").write_text("mine", encoding="utf-8")  # no folder can be made there
    build(bread, bread.out, BuildOptions(cache=tmp_path / "file"))
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_scikit_learn_is_not_imported_where_nothing_is_learned(bread: Project) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from classifier.pipeline import build; from classifier.project import Project\n"
        f"assert build(Project(Path({str(bread.root)!r})), Path({str(bread.out)!r})).is_cached\n"
        "print('sklearn' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "False"


def answers(project: Project) -> tuple[object, ...]:
    """Return what the commands answer that read the trained classifier of the last build."""
    explained = [
        explanation_json(explain_paper(project, paper_id, category=category))
        for paper_id in ("p-ac982c6689", "p-0278e58e9a")
        for category in (None, "flour", "sourdough/cultures")
    ]
    return explained, review_page(project).data, review_page(project, "sourdough").data


def test_commands_answer_the_same_with_and_without_a_build(
    bread: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.commands.review_page.MAX_DECIDED", 0)  # no question about cues
    cached = answers(bread)
    shutil.rmtree(bread.cache_folder)
    assert answers(bread) == cached


@pytest.mark.parametrize("damage", ["cut off", "one byte", "another file"])
def test_commands_do_without_a_damaged_classifier(bread: Project, damage: str) -> None:
    expected = answers(bread)
    path = bread.cache_folder / TRAINED_FILE
    content = bytearray(path.read_bytes())
    if damage == "cut off":
        del content[-1_000:]
    elif damage == "one byte":
        content[len(content) // 2] ^= 1
    else:
        key = bytes(content).partition(b" ")[0].decode()
        content[:] = digest_line(b"PK", key) + b"PK"
    path.write_bytes(content)
    assert answers(bread) == expected


def test_explain_and_the_page_need_no_scikit_learn(bread: Project) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from classifier.commands import explain, review_page\n"
        "from classifier.project import Project\n"
        f"project = Project(Path({str(bread.root)!r}))\n"
        "explain.explain_paper(project, 'p-ac982c6689')\n"
        "print([name for name in ('sklearn', 'scipy.special', 'pandas') if name in sys.modules])\n"
        "review_page.review_page(project, 'sourdough')\n"
        "print([name for name in ('sklearn', 'pandas') if name in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    shown = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert shown.stdout.split() == ["[]", "[]"]


def test_only_what_an_edit_changes_has_another_time(bread: Project) -> None:
    before = stamps_of(bread.out)
    template(bread)
    built(bread)
    after = stamps_of(bread.out)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"404.html", "manifest.json"}

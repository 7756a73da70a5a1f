"""Two branches review different papers: git merges their ledgers into a valid one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.papers.paper import Paper
from classifier.review.ledger import Entry, Ledger, ledger_bytes, read_ledger
from classifier.review.ledger_check import ledger_faults
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, read_versions, versions_bytes

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

LEDGER, VERSIONS = "reviews.csv", "versions.csv"
UNION = f"{LEDGER} merge=union\n{VERSIONS} merge=union\n"


def git(folder: Path, *words: str) -> int:
    """Run git with a made-up user; return its exit code."""
    settings = ["user.name=ada", "user.email=ada@example.org", "init.defaultBranch=main"]
    options = [part for setting in settings for part in ("-c", setting)]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    nowhere = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(
        ["git", *options, *words], cwd=folder, env=clean | nowhere, capture_output=True, check=False
    ).returncode


def decided(paper: int, value: str, reviewer: str, facet: str = "topic") -> Entry:
    day = "2025-03-01" if reviewer == "Ada" else "2025-03-02"
    primary = facet == "topic"
    return Entry(f"p-{paper:02}", "", facet, value, primary, reviewer, day, "queue", "", "")


BASE = [decided(paper, "dough", "Ada") for paper in range(0, 30, 2)]


def merged(folder: Path, name: str, versions: Sequence[bytes], attributes: str) -> bool:
    """Commit a file, and two branches that change it; merge them; return whether git could.

    versions: the file before (empty: it is not there), of the one branch and of the other.
    """

    def commit(data: bytes) -> None:
        if data:
            (folder / name).write_bytes(data)
        git(folder, "add", "-A")
        assert git(folder, "commit", "-q", "-m", "reviews") == 0

    before, ours, theirs = versions
    assert git(folder, "init", "-q") == 0
    (folder / ".gitattributes").write_text(attributes, encoding="utf-8")
    commit(before)
    assert git(folder, "checkout", "-q", "-b", "theirs") == 0
    commit(theirs)
    assert git(folder, "checkout", "-q", "main") == 0
    commit(ours)
    return git(folder, "merge", "-q", "--no-edit", "theirs") == 0


def ledgers(ours: Sequence[Entry], theirs: Sequence[Entry]) -> list[bytes]:
    """Return a ledger, and a copy of it with the decisions of each branch."""
    return [ledger_bytes(Ledger((*BASE, *added))) for added in ((), ours, theirs)]


def check(folder: Path, taxonomy: Taxonomy, expected: Sequence[Entry]) -> None:
    """Assert that the merged ledger has exactly these rows, no error, and is sorted when written."""
    ledger = read_ledger(folder / LEDGER, LEDGER)
    assert sorted(ledger.entries) == sorted(expected)
    papers = [Paper("", entry.id) for entry in expected]
    assert ledger_faults(ledger, taxonomy, papers, {}, LEDGER) == []
    assert ledger_bytes(ledger) == ledger_bytes(Ledger(tuple(expected)))


FAR = [decided(3, "taste", "Ada")], [decided(21, "ovens", "Bo")]
SAME_PAPER = [decided(3, "taste", "Ada")], [decided(3, "taste", "Bo")]
NEIGHBOURS = [decided(3, "taste", "Ada"), decided(3, "trial", "Ada", "kind")], [
    decided(3, "taste", "Bo"), decided(3, "trial", "Bo", "kind"), decided(31, "ovens", "Bo"),
]  # fmt: skip
ALIKE = [decided(3, "taste", "Ada"), decided(5, "ovens", "Ada")], [
    decided(3, "taste", "Ada"), decided(3, "trial", "Ada", "kind"), decided(5, "ovens", "Ada"),
]  # fmt: skip
BRANCHES = {"far": FAR, "same paper": SAME_PAPER, "neighbours": NEIGHBOURS, "alike": ALIKE}


def test_decisions_on_different_papers_merge_without_conflict(
    tmp_path: Path, taxonomy: Taxonomy
) -> None:
    ours, theirs = FAR
    assert merged(tmp_path, LEDGER, ledgers(ours, theirs), "")
    check(tmp_path, taxonomy, [*BASE, *ours, *theirs])


def test_rows_in_one_place_conflict_without_union(tmp_path: Path) -> None:
    assert not merged(tmp_path, LEDGER, ledgers(*SAME_PAPER), "")


@pytest.mark.parametrize("branches", BRANCHES.values(), ids=BRANCHES)
def test_with_union_the_rows_of_both_branches_are_kept(
    tmp_path: Path, taxonomy: Taxonomy, branches: tuple[list[Entry], list[Entry]]
) -> None:
    ours, theirs = branches
    assert merged(tmp_path, LEDGER, ledgers(ours, theirs), UNION)
    check(tmp_path, taxonomy, list(dict.fromkeys([*BASE, *ours, *theirs])))


def test_with_union_two_new_ledgers_become_one(tmp_path: Path, taxonomy: Taxonomy) -> None:
    ours, theirs = NEIGHBOURS
    _, *both = ledgers(ours, theirs)
    assert merged(tmp_path, LEDGER, [b"", *both], UNION)
    check(tmp_path, taxonomy, [*BASE, *ours, *theirs])


def test_a_split_cell_of_several_lines_is_a_fault(tmp_path: Path) -> None:
    """Git merges lines: two notes with the same end lose it, which is reported as a fault."""
    ours, theirs = (
        [replace(decided(3, "taste", reviewer), note=f"{start}\nsee there")]
        for reviewer, start in (("Ada", "crumb"), ("Bo", "crust"))
    )
    assert merged(tmp_path, LEDGER, ledgers(ours, theirs), UNION)
    with pytest.raises(InputError, match=r"reviews\.csv:4: error: found an unclosed quote"):
        read_ledger(tmp_path / LEDGER, LEDGER)


def test_with_union_two_files_of_versions_become_one(tmp_path: Path) -> None:
    """Each branch records its taxonomy."""

    def record(digests: str) -> Versions:
        known = {(digest * 12, "topic"): frozenset({"dough", f"t-{digest}"}) for digest in digests}
        return Versions(known)

    versions = [versions_bytes(record(digests)) for digests in ("a", "ab", "ac")]
    assert merged(tmp_path, VERSIONS, versions, UNION)
    assert read_versions(tmp_path / VERSIONS) == record("abc")


def test_the_repository_uses_union_merges(root: Path) -> None:
    """The shipped project has the setting of the guide."""
    lines = (root / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert "taxonomy/reviews.csv merge=union" in lines
    assert "taxonomy/versions.csv merge=union" in lines

"""A small survey in a repository, and what may befall it."""

from __future__ import annotations

import json
from pathlib import Path

from tools.workflows.machine import git

TAXONOMY = """\
survey: {title: Bees and bread}
facets:
  topic:
    kind: multi
    at_most: 1
    categories:
      - id: bees
        core: true
        definition: Papers on bees.
        cues: {anywhere: [honey bee~, hive~]}
      - id: bread
        core: true
        definition: Papers on bread.
        cues: {anywhere: [rye bread, oven~]}
"""
_TEXTS = {
    "bees": ("Honey bees and hive {n}", "We watch honey bees dance in {n} hives for nectar."),
    "bread": ("Rye bread from oven {n}", "We bake rye bread in {n} ovens and weigh the crust."),
}
PAPERS = 24
DECIDED = 12
"""Papers of the first file; of a decided paper that is lost, `check` warns already."""


def rows(first: int, last: int) -> str:
    """Return papers as JSON Lines, bees and bread by turns."""
    lines = []
    for n in range(first, last):
        title, abstract = (text.format(n=n) for text in _TEXTS["bees" if n % 2 else "bread"])
        paper = {"arxiv_id": f"2401.{n:05}", "title": title, "abstract": abstract}
        lines.append(json.dumps(paper) + "\n")
    return "".join(lines)


def make_project(folder: Path) -> None:
    """Write the survey: two files of papers, those of the first decided."""
    (folder / "taxonomy").mkdir(parents=True)
    (folder / "papers").mkdir()
    (folder / "taxonomy" / "taxonomy.yaml").write_text(TAXONOMY, encoding="utf-8")
    (folder / "papers" / "first.jsonl").write_text(rows(0, PAPERS // 2), encoding="utf-8")
    (folder / "papers" / "second.jsonl").write_text(rows(PAPERS // 2, PAPERS), encoding="utf-8")
    decided = "".join(
        f"arxiv:2401.{n:05},,topic,{'bees' if n % 2 else 'bread'},yes,ada,2025-06-01,queue,,\n"
        for n in range(DECIDED)
    )
    head = "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note\n"
    (folder / "taxonomy" / "reviews.csv").write_text(head + decided, encoding="utf-8")


def commit(repository: Path, message: str) -> None:
    """Commit all that lies in a repository to the branch that is checked out."""
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", message)


def make_repository(folder: Path, project: str = ".") -> Path:
    """Return a repository with the survey on its branch main."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "config", "receive.denyCurrentBranch", "updateInstead")
    make_project(folder / project)
    commit(folder, "A survey")
    return folder


def grow(folder: Path) -> None:
    """Add papers."""
    (folder / "papers" / "third.jsonl").write_text(rows(PAPERS, PAPERS + 4), encoding="utf-8")


def break_taxonomy(folder: Path) -> None:
    """Leave the id of a category away."""
    file = folder / "taxonomy" / "taxonomy.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("- id: bread", "- idd: bread"),
                    encoding="utf-8")  # fmt: skip


def lose_a_source(folder: Path) -> None:
    """Delete a file of papers."""
    (folder / "papers" / "second.jsonl").unlink()


def break_a_source(folder: Path) -> None:
    """Put bytes that are no papers in the place of a file."""
    (folder / "papers" / "second.jsonl").write_bytes(b"\x00\x01\x02" * 400)


def lose_papers(folder: Path) -> None:
    """Cut a file short."""
    file = folder / "papers" / "second.jsonl"
    file.write_text("".join(file.read_text(encoding="utf-8").splitlines(keepends=True)[:-3]),
                    encoding="utf-8")  # fmt: skip


def conflict(folder: Path) -> None:
    """Leave in a file of papers what git leaves where two branches changed the same line."""
    file = folder / "papers" / "second.jsonl"
    first, rest = file.read_text(encoding="utf-8").split("\n", 1)
    sides = f"<<<<<<< HEAD\n{first}\n=======\n{first}\n>>>>>>> branch\n"
    file.write_text(sides + rest, encoding="utf-8")


def restore(repository: Path) -> None:
    """Go back to the first commit."""
    first = git(repository, "rev-list", "--max-parents=0", "HEAD").strip()
    git(repository, "checkout", "--quiet", first, "--", ".")
    for name in ("third.jsonl", "fetched.jsonl"):
        (repository / "papers" / name).unlink(missing_ok=True)
    commit(repository, "As it was")

"""The file layer by itself, on a folder of a few files: milliseconds a fault, so all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools.faults.scenarios import Scenario

FIRST = {"index.html": b"one" * 3000, "c/rye.html": b"rye", "labels.csv": b"id\n1\n"}
SECOND = {"index.html": b"two" * 3000, "c/emmer.html": b"emmer", "labels.csv": b"id\n2\n"}
KEPT = {"same.html": b"the same" * 100, "same.json": b"{}"}


def folder_of(files: dict[str, bytes]) -> None:
    """Make `out` of files, as a build does, and cache something."""
    from classifier.files.cache import BuildCache
    from classifier.files.folder import write_folder
    from classifier.files.lock import sole_writer

    out = Path("out")
    with sole_writer(out):
        write_folder(out, files | KEPT)
        BuildCache(Path(".fieldguide")).store("notes.json", b"notes")


def as_command(act: Any) -> Any:
    """Run a scenario as a command, so that what it raises is told as a user sees it."""

    def run() -> None:
        import typer

        from classifier.cli.printing import command

        try:
            command(act)()
        except typer.Exit as end:
            raise SystemExit(end.exit_code) from None

    return run


def first() -> None:
    folder_of(FIRST)
    Path("out/CNAME").write_bytes(b"bread.example")
    Path("out/next.csv").write_bytes(b"id,verdict\n1,ok\n")


def second() -> None:
    folder_of(SECOND)


def three_files() -> None:
    """As `review apply` writes: what is relied on first."""
    from classifier.files.lock import sole_writer
    from classifier.files.writing import clear_leftovers, write_file

    names = ("versions.csv", "reviews.csv", "labels.csv")
    with sole_writer(Path("reviews.csv")):
        clear_leftovers([Path(name) for name in names])
        for name in names:
            if Path(name).read_bytes() != b"new" * 5000:
                write_file(Path(name), b"new" * 5000)


def three_old() -> None:
    for name in ("versions.csv", "reviews.csv", "labels.csv"):
        Path(name).write_bytes(b"old" * 5000)


def project_folder() -> None:
    from classifier.files.folder import write_new_folder

    files = {"papers/a.bib": b"a" * 9000, "taxonomy/taxonomy.yaml": b"x: 1\n", ".gitignore": b"/"}
    write_new_folder(Path("../rye"), files)


def empty() -> None:
    Path("../rye").mkdir()


def nothing() -> None:
    """Begin with the project as it is."""


LAYER = (
    Scenario("files: a first folder", nothing, as_command(second), is_project=False),
    Scenario("files: a folder for another", first, as_command(second), is_project=False),
    Scenario(
        "files: three files",
        three_old,
        as_command(three_files),
        (
            ("bread/versions.csv", "bread/reviews.csv"),
            ("bread/reviews.csv", "bread/labels.csv"),
        ),
        is_project=False,
    ),
    Scenario("files: a new folder", nothing, as_command(project_folder), is_project=False),
    Scenario("files: an empty folder filled", empty, as_command(project_folder), is_project=False),
)

"""Everything that is compared, made by the command line in one process.

python -m tools.matrix.uses build|all COLD|WARM… : see `main`.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path

_EXPORTS = {
    "bibtex": "x.bib",
    "ris": "x.ris",
    "csv": "x.csv",
    "jsonl": "x.jsonl",
    "parquet": "x.parquet",
    "latex": "article",
    "csl-json": "x.json",
}


def run(*arguments: str) -> None:
    """Run a command; raises SystemExit with what it said where it fails."""
    from classifier.cli.commands import app

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            code = app([*arguments], standalone_mode=False)
        except SystemExit as end:
            code = end.code
    if code:
        raise SystemExit(f"{' '.join(arguments)}: {said.getvalue()}")


def build(project: Path, out: Path, builds: str) -> None:
    """Build once, twice, or with an edit and its undoing between."""
    command = ("build", "--project", str(project), "--out", str(out), "--ignore-sheet")
    if builds == "there and back":
        edited = project / "taxonomy" / "reviews.csv"
        text = edited.read_bytes()
        lines = text.splitlines(keepends=True)
        edited.write_bytes(b"".join([lines[0], *lines[9:]]))
        run(*command)
        edited.write_bytes(text)
    if builds == "warm":
        run(*command)
    run(*command)


def use(project: Path, made: Path, options: Sequence[str]) -> None:
    """Label, export, draw and evaluate."""
    whose = ("--project", str(project))
    papers = sorted(str(path) for path in (project / "papers").iterdir())
    for name in ("labels.jsonl", "labels.csv", "labels.parquet"):
        run("label", *papers, "-o", str(made / name), *whose, *options)
    for form, name in _EXPORTS.items():
        run("export", form, "-o", str(made / name), *whose)
    run("review", "next", "-o", str(made / "next.csv"), *whose)
    run("evaluate", "--json", str(made / "evaluation.json"), *whose)


def main(project: str, made: str, uses: str, builds: str, *options: str) -> None:
    """Make what is compared of `project` in the folder `made`.

    uses: `build`, or `all`; builds: as `Cell.builds`; options: of `fieldguide label`.
    """
    if uses == "build":
        build(Path(project), Path(made) / "out", builds)
        return
    own = Path(project) / "out"  # where the other commands find what the build has learned
    build(Path(project), own, builds)
    use(Path(project), Path(made), options)
    own.rename(Path(made) / "out")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The commands that write, each on a small project in the state in which it has most to do."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "project"


def fieldguide(*arguments: str) -> None:
    """Run a command in this process, as the console script does; raises SystemExit."""
    from classifier.cli.commands import app

    sys.argv = ["fieldguide", *arguments]
    app()


def ready(*arguments: str) -> None:
    """Run a command that has to succeed."""
    try:
        fieldguide(*arguments)
    except SystemExit as end:
        if end.code:
            raise


def nothing() -> None:
    """Leave the project as people wrote it."""


def built() -> None:
    ready("build")


def edited() -> None:
    """A build of which one abstract and a description were changed since."""
    built()
    taxonomy = Path("taxonomy/taxonomy.yaml")
    taxonomy.write_text(f"{taxonomy.read_text('utf-8')}\n# a remark\n", "utf-8")
    Path("templates").mkdir()
    Path("templates/style.css").write_text("body { color: black }\n", "utf-8")
    Path("out/CNAME").write_text("bread.example\n", "utf-8")


def grown() -> None:
    """A build since which a paper came: labels are learned anew."""
    built()
    with Path("papers/bread.jsonl").open("a", encoding="utf-8") as papers:
        papers.write('{"title": "Rye Sourdough in Cold Kitchens", "abstract": "Rye sours."}\n')


def typed() -> None:
    """A build whose sheet somebody has filled."""
    import csv

    built()
    sheet = Path("out/labels.csv")
    rows = list(csv.DictReader(sheet.open(encoding="utf-8", newline="")))
    for row in rows[:4]:
        row["verdict"] = "ok"
        row["note"] = "seen"
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def locked() -> None:
    """A lock, and a taxonomy in which something else is said since."""
    ready("lock", "--update")
    taxonomy = Path("taxonomy/taxonomy.yaml")
    text = taxonomy.read_text("utf-8")
    taxonomy.write_text(text.replace("title:", "title: The", 1), "utf-8")
    with Path("papers/bread.jsonl").open("a", encoding="utf-8") as papers:
        papers.write('{"title": "Rye Sourdough in Cold Kitchens", "abstract": "Rye sours."}\n')


def with_readme() -> None:
    Path("README.md").write_text(
        "# Bread\n\n<!-- fieldguide:begin -->\nold\n<!-- fieldguide:end -->\n\nMine.\n", "utf-8"
    )


def labelled() -> None:
    ready("label", "papers/shelf.csv", "-o", "labels.csv")


def fetched() -> None:
    fetch(2)


def matched() -> None:
    """A paper of which there is the title alone."""
    lacking = {"title": _loaves()[0]["title"]}
    Path("papers/list.jsonl").write_text(json.dumps(lacking), "utf-8")


def complete() -> None:
    """Find what it lacks, at a service that answers at once."""
    loaves = _loaves()
    from shapes import arxiv_feed

    from classifier.extras.fetch.metadata import complete_metadata
    from classifier.project import Project

    body = arxiv_feed(loaves, 1).body

    class Client:
        def get(self, *_: object) -> bytes:
            return body

    def run() -> None:
        client: Any = Client()
        complete_metadata(Project(Path()), [Path("papers/list.jsonl")], client, services=["arxiv"])

    _ended(run)


def _loaves() -> Any:
    sys.path.insert(0, str(ROOT / "tests" / "extras" / "fetch"))
    from shapes import loaves

    return loaves(1)


def fetch(stock: int = 5) -> None:
    """Fetch from a service that answers at once."""
    from classifier.extras.fetch.papers_file import fetch_papers
    from classifier.extras.fetch.services import Query

    def run() -> None:
        client: Any = Answers(stock)
        fetch_papers("arxiv", Query("all:bread"), Path("papers/arxiv.jsonl"), client)

    _ended(run)


def _ended(run: Callable[[], None]) -> None:
    """Run as a command does, and end as one."""
    import typer

    from classifier.cli.printing import command

    try:
        command(run)()
    except typer.Exit as end:
        raise SystemExit(end.exit_code) from None


class Answers:
    """What is asked, without a network."""

    def __init__(self, stock: int) -> None:
        sys.path.insert(0, str(ROOT / "tests" / "extras" / "fetch"))
        from shapes import arxiv_server, loaves

        self._answer = arxiv_server(loaves(stock))

    def get(self, service: object, path: str, parameters: dict[str, object]) -> bytes:
        from replay_server import Asked

        sent = {name: str(value) for name, value in parameters.items()}
        body: bytes = self._answer(Asked(path, sent, {})).body
        return body


def three_parts(ending: str) -> Callable[[], None]:
    def run() -> None:
        fieldguide(
            *("label", "papers/bread.jsonl", "papers/shelf.csv", "-o", f"labels{ending}"),
            *("--chunk-size", "5", "--workers", "1"),
        )

    return run


@dataclass(frozen=True, slots=True)
class Scenario:
    """One command on one state of the project."""

    name: str
    prepare: Callable[[], None]
    act: Callable[[], None]
    order: Sequence[tuple[str, str]] = ()
    """Pairs of files: the second is never new while the first is old."""
    may_differ: Sequence[str] = ()
    """Files that tell how often a command ran."""
    is_project: bool = True
    """Whether it begins with a project, not with an empty folder."""
    may_stand: bool = False
    """Whether there may be nothing to write."""


def command_of(*arguments: str) -> Callable[[], None]:
    return lambda: fieldguide(*arguments)


def shared() -> None:
    """Build with worker processes, as for a project of many papers."""
    from classifier import parallel

    parallel.MIN_PAPERS = 5
    fieldguide("build")


LEDGER, VERSIONS = "bread/taxonomy/reviews.csv", "bread/taxonomy/versions.csv"

SCENARIOS = (
    Scenario("build, cold", nothing, command_of("build")),
    Scenario("build, cold, with worker processes", nothing, shared),
    Scenario("build, warm after an edit", edited, command_of("build")),
    Scenario("build, learns anew", grown, command_of("build")),
    Scenario(
        "review apply",
        typed,
        command_of("review", "apply", "--reviewer", "ada"),
        ((VERSIONS, LEDGER), (LEDGER, "bread/out/labels.csv")),
    ),
    Scenario("review next", built, command_of("review", "next", "3")),
    Scenario("review audit", built, command_of("review", "audit", "3", "-o", "audit.csv")),
    Scenario("lock", nothing, command_of("lock", "--update")),
    Scenario(
        "lock --update",
        locked,
        command_of("lock", "--update"),
        ((VERSIONS, "bread/taxonomy/labels.lock.csv"),),
    ),
    Scenario("export to a file", built, command_of("export", "bibtex", "-o", "bread.bib")),
    Scenario(
        "export readme --into", with_readme, command_of("export", "readme", "--into", "README.md")
    ),
    Scenario("label, .csv in parts", labelled, three_parts(".csv")),
    Scenario("label, .jsonl in parts", nothing, three_parts(".jsonl")),
    Scenario("label, .parquet in parts", nothing, three_parts(".parquet")),
    Scenario(
        "fetch",
        fetched,
        fetch,
        (("bread/papers/arxiv.jsonl", "bread/papers/.fetched/arxiv.json"),),
        ("bread/papers/.fetched/arxiv.json",),
    ),
    Scenario(
        "fetch metadata",
        matched,
        complete,
        (("bread/papers/metadata.jsonl", "bread/taxonomy/identity.csv"),),
    ),
    Scenario("new", nothing, command_of("new", "../rye", "papers/bread.jsonl", "papers/shelf.csv")),
    Scenario(
        "new, into an empty folder",
        lambda: os.mkdir("../rye"),
        command_of("new", "../rye", "papers/bread.jsonl"),
    ),
)

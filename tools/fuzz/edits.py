"""Random edits of a project, each built on what the last build left.

    python -m tools.fuzz.edits [300] [--seed 0]

After each edit the folder must hold what a build into an empty one would write, byte for byte; a
build that fails must say the same as that one and leave the folder as it was. Edits are of all that
people change: papers, decisions, remarks, claims, names, definitions, cues, templates, lexicons,
options; and of the output folder itself.
"""

from __future__ import annotations

import argparse
import csv
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from classifier.errors import InputError
from classifier.files.built_folder import MANIFEST_NAME
from classifier.files.json_text import json_line
from classifier.pipeline import build, compute
from classifier.project import Project, shipped_folder
from classifier.survey.inputs import read_inputs
from classifier.survey.last_build import BuildOptions, report_if_up_to_date

BREAD = Path(__file__).resolve().parents[2] / "tests" / "golden" / "project"
LEDGER_COLUMNS = (
    "id", "title", "facet", "value", "primary", "reviewer", "reviewed_on", "drawn_by",
    "taxonomy_digest", "note",
)  # fmt: skip
WORDS = ("rye", "oven", "*crumb*", "mould", "[1](#ref-1)", "window pane", "t550", "& <b>", "Zürich")

Edit = Callable[[Project, random.Random], object]


# --- papers ---------------------------------------------------------------------------------------


def _lines(project: Project) -> list[str]:
    return _papers(project).read_text(encoding="utf-8").splitlines(keepends=True)


def _papers(project: Project) -> Path:
    return project.root / "papers" / "bread.jsonl"


def add_paper(project: Project, chance: random.Random) -> None:
    """Add a paper, of a title that may be there already."""
    word, year = chance.choice(WORDS), chance.choice(["2023-04", "2025-01-02", ""])
    text = f"We measure {word}. It rose by {chance.randrange(99)}% on the Rapeseed test."
    title = f"Bread and {word} {chance.randrange(9)}"
    paper = {"title": title, "abstract": text, "published": year, "authors": ["Ada Crumb"]}
    _papers(project).write_text(
        "".join([*_lines(project), json_line(paper).decode()]), encoding="utf-8"
    )


def remove_paper(project: Project, chance: random.Random) -> None:
    """Remove a paper."""
    lines = _lines(project)
    if len(lines) > 6:
        del lines[chance.randrange(len(lines))]
    _papers(project).write_text("".join(lines), encoding="utf-8")


def change_text(project: Project, chance: random.Random) -> None:
    """Add a sentence to an abstract."""
    lines = _lines(project)
    place = chance.randrange(len(lines))
    sentence = f'"abstract": "Bread with {chance.choice(WORDS)}. '.replace("<b>", "b")
    lines[place] = lines[place].replace('"abstract": "', sentence, 1)
    _papers(project).write_text("".join(lines), encoding="utf-8")


def change_title(project: Project, chance: random.Random) -> None:
    """Change a title: the paper has another id, and decisions on it hold no more."""
    lines = _lines(project)
    place = chance.randrange(len(lines))
    lines[place] = lines[place].replace('"title": "', '"title": "New ', 1)
    _papers(project).write_text("".join(lines), encoding="utf-8")


def change_date(project: Project, chance: random.Random) -> None:
    """Change when a paper was published."""
    lines = _lines(project)
    place, year = chance.randrange(len(lines)), chance.choice("12")
    lines[place] = lines[place].replace('"published": "202', f'"published": "20{year}', 1)
    _papers(project).write_text("".join(lines), encoding="utf-8")


# --- the ledger -----------------------------------------------------------------------------------


def _rows(project: Project) -> list[dict[str, str]]:
    with project.ledger_file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _write_rows(project: Project, rows: list[dict[str, str]]) -> None:
    with project.ledger_file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, LEDGER_COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _act(facet: str, value: Callable[[random.Random], str]) -> Edit:
    def edit(project: Project, chance: random.Random) -> None:
        papers = papers_of(project)
        paper = chance.choice(papers)
        row = dict.fromkeys(LEDGER_COLUMNS, "")
        row |= {"id": paper[0], "title": paper[1], "facet": facet, "value": value(chance)}
        row |= {"reviewer": chance.choice(["ada", "ben"]), "reviewed_on": "2025-07-01"}
        row |= {"drawn_by": "volunteer", "taxonomy_digest": "567e83de9e5e"}
        row["primary"] = "yes" if facet == "topic" else ""
        _write_rows(project, [*_rows(project), row])

    edit.__name__ = f"act_{facet}"
    return edit


def papers_of(project: Project) -> list[tuple[str, str]]:
    """Return (id, title) of the papers of a project."""
    return [(paper.id, paper.title) for paper in read_inputs(project).corpus.papers]


def remove_row(project: Project, chance: random.Random) -> None:
    """Take a row of the ledger away."""
    rows = _rows(project)
    if rows:
        del rows[chance.randrange(len(rows))]
    _write_rows(project, rows)


# --- the taxonomy ---------------------------------------------------------------------------------


def _taxonomy(old: str, new: str) -> Edit:
    """Return an edit of the taxonomy; where `old` is no more, it is taken back."""

    def edit(project: Project, chance: random.Random) -> None:
        path = project.taxonomy_file
        text = path.read_text(encoding="utf-8")
        fresh = new.replace("@", str(chance.randrange(99)))
        path.write_text(text.replace(old, fresh) if old in text else text, encoding="utf-8")

    edit.__name__ = f"taxonomy_{old.strip()}"
    return edit


def original_taxonomy(project: Project, chance: random.Random) -> None:
    """Take all edits of the taxonomy back."""
    shutil.copy(BREAD / "taxonomy" / "taxonomy.yaml", project.taxonomy_file)


def versions(project: Project, chance: random.Random) -> None:
    """Forget the versions of the taxonomy, or know them again."""
    if project.versions_file.exists():
        project.versions_file.unlink()
    else:
        shutil.copy(BREAD / "taxonomy" / "versions.csv", project.versions_file)


# --- templates ------------------------------------------------------------------------------------


def _template(name: str, old: str, new: str) -> Edit:
    def edit(project: Project, chance: random.Random) -> None:
        text = (shipped_folder("templates") / name).read_text(encoding="utf-8")
        path = project.root / "templates" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = new.replace("@", str(chance.randrange(9)))
        path.write_text(text.replace(old, fresh, 1), encoding="utf-8")

    edit.__name__ = f"template_{name}"
    return edit


def dynamic_include(project: Project, chance: random.Random) -> None:
    """Name a template by an expression."""
    folder = project.root / "templates"
    folder.mkdir(exist_ok=True)
    (folder / "part.html").write_text(f"<p>part {chance.randrange(9)}</p>", encoding="utf-8")
    text = '{% extends "layout.html" %}{% block main %}{% include "pa" ~ "rt.html" %}{% endblock %}'
    (folder / "404.html").write_text(text, encoding="utf-8")


def remove_template(project: Project, chance: random.Random) -> None:
    """Take a template of the project's own away."""
    own = sorted(path for path in (project.root / "templates").rglob("*") if path.is_file())
    if own:
        chance.choice(own).unlink()


# --- the output folder ----------------------------------------------------------------------------


def delete_output(project: Project, chance: random.Random) -> None:
    """Delete a file of the last build, of its cache too; without a manifest a build refuses."""
    files = sorted(path for path in project.out.rglob("*") if path.is_file())
    files = [path for path in files if path.name != MANIFEST_NAME]
    if files:
        chance.choice(files).unlink()


def damage_output(project: Project, chance: random.Random) -> None:
    """Change a byte of a file of the last build, of its cache too."""
    files = [path for path in sorted(project.out.rglob("*")) if path.is_file()]
    files = [path for path in files if path.name != MANIFEST_NAME and path.suffix != ".csv"]
    if files:
        path = chance.choice(files)
        content = bytearray(path.read_bytes() or b"x")
        content[chance.randrange(len(content))] ^= 1
        path.write_bytes(content)


def nothing(project: Project, chance: random.Random) -> None:
    """Change nothing."""


EDITS: tuple[Edit, ...] = (
    nothing, add_paper, remove_paper, change_text, change_title, change_date,
    remove_row, original_taxonomy, original_taxonomy, versions, dynamic_include,
    remove_template, remove_template, delete_output, damage_output,
    _act("topic", lambda chance: chance.choice(["flour", "ovens", "keeping", "sourdough"])),
    _act("contribution", lambda chance: chance.choice(["method", "study", "survey"])),
    _act("remark", lambda chance: f"See {chance.choice(WORDS)} and [topics](#ovens)."),
    _act("key", lambda chance: chance.choice(["yes", ""])),
    _act("exclude", lambda chance: chance.choice(["too old", ""])),
    _taxonomy("  title: A field", "  title: A @ field"),
    _taxonomy("  subtitle: ", "  subtitle: @ "),
    _taxonomy("[A. Miller, B. Baker]", "[A. Miller, C@]"),
    _taxonomy("Cakes are", "Cakes (@) are"),
    _taxonomy("  base_url: https://bread.example/guide/", "  repository: https://b.example/@"),
    _taxonomy("name: Ovens", "name: @ Ovens"),
    _taxonomy("Work on", "Work @ on"),
    _taxonomy("includes: [milling", "includes: [m@ (ovens), milling"),
    _taxonomy("text: Starters are", "text: Starters [@](#flour) are"),
    _taxonomy("claims:\n", "claims:\n          - {text: 'More @.', by: B. Baker}\n"),
    _taxonomy("anywhere: [protein", "anywhere: [rye@, rye, protein"),
    _taxonomy("    Type 550: [t550]", "    Type 550: [t550]\n    Type @: [rye]"),
    _taxonomy("      - id: keeping\n", "      - id: keeping\n        aliases: [mould@]\n"),
    _taxonomy("    at_most: 2\n", "    at_most: 3\n"),
    _taxonomy("  fed_by:\n    name: Fed by", "  fed_by:\n    name: Fed @ by"),
    _template("404.html", "<h1>", "<h1>@ "),
    _template("layout.html", "</body>", "<!-- @ -->\n</body>"),
    _template("paper.html", "{% block main %}", "{% block main %}{{ document.version }}@"),
    _template("data.html", "{% block main %}", "{% block main %}{{ document.sections|length }}"),
    _template("macros.html", "{% macro", "{# @ #}{% macro"),
    _template("moved.html", "</title>", " @</title>"),
    _template("style.css", "body", "body, .b@"),
    _template("figures/figure.svg", "<svg", "<svg data-n='@'"),
)  # fmt: skip


def sample_options(chance: random.Random) -> BuildOptions:
    """Return options of a build, mostly none."""
    rare = [chance.random() < 0.1 for _ in range(2)]
    return BuildOptions(for_excel=rare[1], ignore_sheet=True)


def differences(project: Project, options: BuildOptions) -> list[str]:
    """Build on what lies there, and return the files in which that is no cold build."""
    before = published(project.out)
    try:
        expected = dict(compute(project, options).files)
    except InputError as error:
        try:
            build(project, project.out, options)
        except InputError as other:
            same = str(other) == str(error) and published(project.out) == before
            return [] if same else [f"another error: {other} instead of {error}"]
        return [f"no error, but: {error}"]
    result = build(project, project.out, options)
    found = published(project.out)
    wrong = [name for name in sorted({*expected, *found}) if expected.get(name) != found.get(name)]
    if report_if_up_to_date(project, project.out, options) != result.report:
        wrong.append("the build is not up to date")
    return wrong


def published(out: Path) -> dict[str, bytes]:
    """Return the files of an output folder but its manifest."""
    files = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name != MANIFEST_NAME}


def fresh_project(folder: Path) -> Project:
    """Return a copy of the bread project."""
    return Project(shutil.copytree(BREAD, folder / "bread"))


def main() -> None:
    """Try edits until one is built wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    chance = random.Random(told.seed)
    with tempfile.TemporaryDirectory() as folder:
        project = fresh_project(Path(folder))
        history: list[str] = []
        for number in range(told.count):
            for edit in chance.sample(EDITS, chance.choice([1, 1, 2, 3])):
                with suppress(InputError):  # of a project that an earlier edit broke
                    edit(project, chance)
                history.append(edit.__name__)
            wrong = differences(project, sample_options(chance))
            if wrong:
                print(f"after {number + 1} builds: {wrong[:5]}; last edits: {history[-4:]}")
                sys.exit(1)
            print(f"{number + 1} {history[-1]}", end="\r", flush=True)
    print(f"{told.count} builds after {len(history)} edits (seed {told.seed}): all as from scratch")


if __name__ == "__main__":
    main()

"""The documentation says what is so: commands exist, examples run, links lead somewhere.

`python -m tests.test_docs` writes docs/cli-reference.md anew.
"""

from __future__ import annotations

import csv
import inspect
import re
import runpy
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from typer.models import ArgumentInfo, OptionInfo
from typer.testing import CliRunner

from classifier.build import build
from classifier.cli import app
from classifier.errors import InputError
from classifier.options import BuildOptions
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "cli-reference.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PAGE_NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """An option or argument of a command, as typer was told."""

    names: tuple[str, ...]
    metavar: str
    help: str
    default: object
    is_option: bool

    @property
    def takes_value(self) -> bool:
        return not isinstance(self.default, bool)


def commands() -> dict[str, tuple[str, list[Parameter]]]:
    """Return command name -> (its docstring, its parameters), in the order of --help.

    A command of a group has two words: "skos read".
    """
    groups = [("", app.registered_commands)]
    for group in app.registered_groups:
        inner = group.typer_instance
        assert inner is not None
        groups.append((f"{group.name or inner.info.name} ", inner.registered_commands))
    return {
        f"{prefix}{info.name or info.callback.__name__}": (
            inspect.getdoc(info.callback) or "",
            [*_parameters(info.callback)],
        )
        for prefix, registered in groups
        for info in registered
        if info.callback
    }


def named_command(words: list[str]) -> tuple[str, list[str]]:
    """Return the command that some words begin with, of a group or not, and the words behind."""
    length = 2 if " ".join(words[:2]) in commands() else 1
    return " ".join(words[:length]), words[length:]


def _parameters(function: Any) -> Iterator[Parameter]:
    signature = inspect.signature(function)
    for name, hint in get_type_hints(function, include_extras=True).items():
        for told in get_args(hint):
            if isinstance(told, OptionInfo | ArgumentInfo):
                # Inside Annotated, typer takes the first of an option's names for its default.
                declared = [told.default, *(told.param_decls or ())]
                names = tuple(text for text in declared if isinstance(text, str))
                yield Parameter(
                    names or (name,),
                    told.metavar or ("FILE…" if isinstance(told, ArgumentInfo) else "N"),
                    told.help or "",
                    signature.parameters[name].default,
                    isinstance(told, OptionInfo),
                )


def cli_reference() -> str:
    """Return docs/cli-reference.md as the commands declare themselves."""
    parts = [
        "# Command reference\n",
        "Generated from the commands' own help by `python -m tests.test_docs`; a test compares.\n",
        f"`fieldguide --help`, `fieldguide --version`. {app.info.epilog}\n",
    ]
    for name, (text, parameters) in commands().items():
        usage = " ".join([_usage(parameter) for parameter in parameters if not parameter.is_option])
        parts.append(f"## fieldguide {name}\n")
        parts.append(f"```text\nfieldguide {name} [OPTIONS] {usage}".rstrip() + "\n```\n")
        parts.append(f"{text}\n")
        parts.append("| option | meaning |\n|---|---|\n" + "".join(map(_row, parameters)))
    return "\n".join(parts)


def _usage(parameter: Parameter) -> str:
    return f"[{parameter.metavar}]" if parameter.default is None else parameter.metavar


def _row(parameter: Parameter) -> str:
    names = ", ".join(parameter.names) if parameter.is_option else parameter.metavar
    value = f" {parameter.metavar}" if parameter.is_option and parameter.takes_value else ""
    default = f" Default: {parameter.default}." if type(parameter.default) is int else ""
    cell = f"`{names}{value}`".replace("|", "\\|")
    return f"| {cell} | {parameter.help}{default} |\n"


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page that are marked as `language`."""
    return [text for mark, text in _BLOCK.findall(page.read_text("utf-8")) if mark == language]


def shown_commands(page: Path) -> Iterator[list[str]]:
    """Yield the words behind `fieldguide` of every command that a page shows."""
    text = page.read_text("utf-8")
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    lines += [code for code in _INLINE.findall(_BLOCK.sub("", text)) if "fieldguide " in code]
    for line in lines:
        for part in re.split(r'&&|[|;()"]', line):
            words = shlex.split(part, comments=True)
            if words and words[0].rpartition("/")[2] == "fieldguide":
                yield words[1:]


def anchors(page: Path) -> set[str]:
    """Return the anchors that a code host gives the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", _BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in kept}


def bees_project(folder: Path) -> Path:
    """Write the example of the README as a project and return its folder."""
    readme = ROOT / "README.md"
    taxonomy = next(b for b in blocks(readme, "yaml") if b.startswith("# bees/taxonomy/"))
    papers = next(block for block in blocks(readme, "json") if "Oxalic acid" in block)
    for name, text in (("taxonomy/taxonomy.yaml", taxonomy), ("papers/bees.jsonl", papers)):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text, "utf-8")
    return folder


def table_rows(page: Path, header: str) -> list[list[str]]:
    """Return the cells below the header row of a table of a page."""
    below = page.read_text("utf-8").partition(f"{header}\n")[2].splitlines()[1:]
    rows = below[: next(i for i, line in enumerate(below) if not line.startswith("|"))]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_command_reference_is_current() -> None:
    assert REFERENCE.read_text("utf-8") == cli_reference(), "run python -m tests.test_docs"


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_commands_that_a_page_shows_exist(name: str) -> None:
    known = commands()
    for command, words in map(named_command, shown_commands(ROOT / name)):
        if command in ("--help", "--version"):
            continue
        assert command in known, f"{name}: fieldguide {command}"
        options = {option for parameter in known[command][1] for option in parameter.names}
        flags = [word for word in words if word.startswith("-") and word != "-"]
        unknown = [word for word in flags if word.partition("=")[0] not in options]
        assert [word for word in unknown if word != "--help"] == [], f"{name}: fieldguide {command}"


def test_pages_show_commands_at_all() -> None:
    shown = {named_command(words)[0] for page in PAGES for words in shown_commands(page)}
    assert set(commands()) <= shown


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_links_of_a_page_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for link in _LINK.findall(_BLOCK.sub("", page.read_text("utf-8"))):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name}: {link}"
        assert not anchor or anchor in anchors(target), f"{name}: {link}"


def test_every_page_is_reached_from_the_readme() -> None:
    linked = set(_LINK.findall((ROOT / "README.md").read_text("utf-8")))
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} <= linked


def test_the_example_of_the_readme_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bees_project(tmp_path))
    runner = CliRunner()
    for arguments in (
        ["check", "--strict"],
        ["build", "--strict"],
        ["build", "--check"],
        ["label", "papers/bees.jsonl", "-o", "labels.jsonl"],
    ):
        result = runner.invoke(app, arguments)
        assert result.exit_code == 0, f"{arguments}: {result.output}"


def test_the_example_of_the_readme_gets_the_labels_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bees_project(tmp_path))
    assert CliRunner().invoke(app, ["build"]).exit_code == 0
    with Path("out/labels.csv").open(encoding="utf-8", newline="") as sheet:
        given = {
            row["title"]: [row["primary"], row["contribution"]] for row in csv.DictReader(sheet)
        }
    shown = table_rows(ROOT / "README.md", "| title | primary | contribution |")
    assert {title: labels for title, *labels in shown} == given


def test_the_ten_minutes_of_the_guide_print_what_it_shows(tmp_path: Path) -> None:
    pictures = runpy.run_path(str(ROOT / "docs" / "images" / "make.py"))
    project = tmp_path / "bread"
    shutil.copytree(pictures["BREAD"], project)
    build(Project(project), project / "out", BuildOptions(xlsx=True))
    shutil.copytree(project / "out", tmp_path / "before")
    pictures["fill"](project / "out" / "labels.xlsx").replace(project / "out" / "labels.xlsx")
    of_project = ["--project", str(project)]
    applied = CliRunner().invoke(app, ["review", "apply", "--reviewer", "ada", *of_project])
    told, changed, *_ = blocks(ROOT / "docs" / "review-labels.md", "text")
    # Standard error and output come in another order where nobody sees them.
    assert sorted(applied.output.splitlines()) == sorted(told.splitlines())
    CliRunner().invoke(app, ["build", "--ignore-sheet", *of_project])
    differing = CliRunner().invoke(app, ["diff", str(tmp_path / "before"), str(project / "out")])
    assert differing.output.startswith(changed.removesuffix("…\n"))


@pytest.mark.parametrize("name", PAGE_NAMES)
def test_taxonomies_that_a_page_shows_are_free_of_errors(name: str, tmp_path: Path) -> None:
    for text in blocks(ROOT / name, "yaml"):
        if "facets:" in text:
            (tmp_path / "taxonomy.yaml").write_text(text, "utf-8")
            assert load_taxonomy(tmp_path / "taxonomy.yaml").warnings == ()


def test_faults_are_printed_as_the_guide_shows_them(tmp_path: Path) -> None:
    guide = ROOT / "docs" / "write-a-taxonomy.md"
    path = tmp_path / "taxonomy.yaml"
    path.write_text(blocks(guide, "yaml broken")[0], "utf-8")
    with pytest.raises(InputError) as raised:
        load_taxonomy(path, "taxonomy/taxonomy.yaml")
    assert f"{raised.value}\n" == blocks(guide, "text faults")[0]


if __name__ == "__main__":
    REFERENCE.write_text(cli_reference(), "utf-8")

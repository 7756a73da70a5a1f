"""The layout is the architecture: imports point upwards, one place prints, heavy parts wait."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import classifier

# Data flows down this list; an import points upwards in it, or stays within its part.
ORDER = (
    "errors", "progress", "parallel", "plugins", "files", "project", "text", "papers", "taxonomy", "labelling",
    "review", "evaluation", "explanation", "survey", "site", "scale",
    "learned", "learning", "recall",
    "pipeline", "extras", "commands", "api", "cli", "__main__",
)  # fmt: skip

PRINTS = {"cli"}
HEAVY = (
    "sklearn",
    "scipy",
    "pandas",
    "numpy",
    "jinja2",
    "markdown",
    "nh3",
    "pyarrow",
    "rdflib",
    "weasyprint",
    "bibtexparser",
    "pylatexenc",
    "rispy",
    "lxml",
    "ftfy",
    "charset_normalizer",
    "distributed",
    "openpyxl",
    "python_calamine",
    "requests",
)

PACKAGE = Path(classifier.__file__).parent
PROGRAM = PACKAGE / "site" / "verify.py"
"""Published as a program of its own: it prints what it checked, and how long it took."""


def modules() -> Iterator[tuple[str, Path]]:
    """Yield (part, file) of every module of the package, the root aside."""
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] not in ("__init__.py", "_data"):
            yield relative.parts[0].removesuffix(".py"), path


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_parts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, part) of everything that a module imports from the package."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            names = [str(node.module)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("classifier."):
                yield node.lineno, name.split(".")[1]


def test_every_part_has_its_place_in_the_order() -> None:
    assert {part for part, _ in modules()} <= set(ORDER)


def test_imports_point_upwards() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {target}"
        for part, path in modules()
        for line, target in imported_parts(path)
        if ORDER.index(target) > ORDER.index(part)
    ]
    assert wrong == []


def test_the_page_on_architecture_names_the_modules_that_there_are() -> None:
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    wrong = []
    for row in re.findall(r"^\| `.*$", page, re.MULTILINE):
        _, parts, does, _ = row.split("|")
        named = [PACKAGE / part for part in re.findall(r"`([^`]+)`", parts)]
        there = {path.stem for part in named for path in part.rglob("*")} | {"ok", "out"}
        told = re.findall(r"`([a-z_]+)/?`", does) if named[0].is_dir() else []
        wrong += [str(part) for part in named if not part.exists()]
        wrong += [f"{parts.strip()} `{name}`" for name in told if name not in there]
    assert wrong == []


def test_the_page_on_architecture_sends_a_new_thing_to_what_there_is() -> None:
    root = PACKAGE.parent
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Where a new thing goes")[2].partition("###")[0]
    modules = [f"{name.replace('.', '/')}.py" for name in re.findall(r"python -m ([\w.]+)", table)]
    named = [*re.findall(r"`([\w./]*/[\w./]*)`", table), *modules]
    assert len(named) > len(table.splitlines())
    assert [n for n in named if not (PACKAGE / n).exists() and not (root / n).exists()] == []


def test_the_page_on_architecture_names_the_lists_that_there_are() -> None:
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    texts = [path.read_text("utf-8") for _, path in modules()]
    texts += [path.read_text("utf-8") for path in PACKAGE.parent.glob("tests/**/test_*.py")]
    defined = set(re.findall(r"^([A-Z_]{4,})\b.* = ", "\n".join(texts), re.MULTILINE))
    assert set(re.findall(r"`([A-Z_]{4,})`", page)) <= defined


def test_nothing_that_labels_reads_what_the_editors_argue() -> None:
    """Claims cite papers that the editors have read: no label may be learned from that."""
    labels = {"labelling", "evaluation", "review", "scale", "learning", "learned"}
    wrong = [
        f"{path.relative_to(PACKAGE)} speaks of {word}"
        for part, path in modules()
        if part in labels
        for word in ("taxonomy.claims", "claims.yaml", "claims_file", "inputs.claims")
        if word in path.read_text(encoding="utf-8")
    ]
    assert wrong == []


def test_only_the_command_line_prints_or_exits() -> None:
    banned = {"print", "exit", "quit", "sys.exit", "sys.stdout.write", "typer.echo"}
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node.func)}"
        for part, path in modules()
        if part not in PRINTS and path != PROGRAM
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in banned
    ]
    assert wrong == []


def test_only_files_writes_to_the_disk() -> None:
    writes = ("write_text", "write_bytes", "mkdir", "unlink", "rename", "touch")
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.func.attr}"
        for part, path in modules()
        if part != "files"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in writes
    ]
    assert wrong == []


def test_nothing_reads_the_clock_or_draws_by_chance() -> None:
    """A build is a pure function; the command line may say how long it took, fetch must wait."""
    banned = {"random", "secrets", "uuid", "locale", "time"}
    allowed = {("cli", "time"), ("extras", "time"), ("extras", "secrets")}
    wrong = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for part, path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else
                     [alias.name for alias in node.names])
        if name in banned and (part, name) not in allowed and path != PROGRAM
    ]  # fmt: skip
    assert wrong == []


def test_only_fetch_uses_the_network_and_serve_answers_this_machine() -> None:
    allowed = {("serve", "http"), ("serve", "socket")}
    networks = {"requests", "urllib3", "httpx", "http", "socket", "ssl", "ftplib", "smtplib"}
    wrong = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for part, path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([str(node.module)] if isinstance(node, ast.ImportFrom) else
                     [alias.name for alias in node.names])
        if (name.partition(".")[0] in networks or name == "urllib.request")
        and part != "extras"
        and (part, name.partition(".")[0]) not in allowed
    ]  # fmt: skip
    assert wrong == []


def test_the_public_names_are_sorted_and_there() -> None:
    assert list(classifier.__all__) == sorted(classifier.__all__)
    assert set(classifier.__all__) == {
        "BuildResult", "Corpus", "Decision", "FieldguideError", "Paper", "PaperLabels", "Project",
        "Taxonomy", "TaxonomyClassifier", "build", "label", "load_papers", "load_taxonomy", "open_project",
    }  # fmt: skip
    for name in classifier.__all__:
        assert getattr(classifier, name).__doc__, name


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'classifier' has no attribute 'bake'"):
        _ = classifier.bake


def loaded_after(code: str) -> set[str]:
    """Return which heavy packages a new interpreter holds after running `code`."""
    program = (
        f"import sys, json\n{code}\nprint(json.dumps([n for n in {HEAVY!r} if n in sys.modules]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import classifier") == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["build", "--help"],
        ["skos", "read", "--help"],
        ["review", "agreement", "--help"],
        ["--version"],
    ],
)
def test_help_and_version_load_nothing_heavy(arguments: list[str]) -> None:
    code = (
        f"sys.argv = ['fieldguide', *{arguments!r}]\n"
        "from classifier.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code"
    )
    assert loaded_after(code) == set()


def test_a_file_that_is_not_there_is_told_before_the_seconds_of_scikit_learn(
    tmp_path: Path,
) -> None:
    code = (
        f"sys.argv = ['fieldguide', 'label', {str(tmp_path / 'no.csv')!r}, '-o', 'out.csv']\n"
        "from classifier.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 1"
    )
    assert not loaded_after(code) & {"sklearn", "scipy", "pandas"}

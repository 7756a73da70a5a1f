"""The wheel: pure Python, the package and its three data folders, and nothing else.

The sdist: what the wheel is made of, what its tests want, and nothing else. `.ci/release` holds
both against a second making, byte for byte.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import classifier


@pytest.fixture(scope="module")
def packages(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that is made from it."""
    for name in ("build", "hatchling"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"needs {name} (pip install -e '.[test]')")
    folder = tmp_path_factory.mktemp("packages")
    run = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, root],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(packages: Path) -> Path:
    (path,) = packages.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def sdist(packages: Path) -> set[str]:
    """The paths in the sdist, below its folder."""
    (path,) = packages.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {member.name for member in archive.getmembers() if member.isfile()}
    top = f"fieldguide-{classifier.__version__}/"
    assert all(name.startswith(top) for name in names)
    return {name.removeprefix(top) for name in names}


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_it_is_tagged_for_any_python_3_and_any_machine(wheel: Path) -> None:
    assert wheel.name == f"fieldguide-{classifier.__version__}-py3-none-any.whl"


def test_it_holds_the_package_as_it_stands(wheel: Path, root: Path) -> None:
    modules = {
        path.relative_to(root).as_posix()
        for path in (root / "classifier").rglob("*.py")
        if "_data" not in path.parts
    }
    assert {name for name in names_in(wheel) if name.endswith(".py")} == modules


def test_beside_code_it_holds_three_folders_and_these_files(wheel: Path, root: Path) -> None:
    data = {
        f"classifier/_data/{path.relative_to(root).as_posix()}"
        for folder in ("taxonomy", "papers", "templates")
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    others = {
        name
        for name in names_in(wheel)
        if not name.endswith(".py") and ".dist-info/" not in name and not name.endswith("py.typed")
    }
    ours = """
        classifier/commands/new/no_topics.txt
        classifier/commands/new/recipes/dependabot.yml
        classifier/commands/new/recipes/github.yml
        classifier/commands/new/recipes/gitlab.yml
        classifier/commands/new/recipes/requirements.txt
        classifier/extras/review_page/answers.js
        classifier/extras/review_page/cues.js
        classifier/extras/review_page/fit.js
        classifier/extras/review_page/order.js
        classifier/extras/review_page/page.css
        classifier/extras/review_page/page.html
        classifier/extras/review_page/page.js
        classifier/extras/serve/reload.js
        classifier/extras/serve/serve.css
        classifier/labelling/background.npz
        classifier/text/empty_words.txt
        classifier/papers/bare_titles.yaml
        classifier/papers/kinds.yaml
        classifier/papers/readers/headers.yaml
        classifier/papers/readers/markdown_words.yaml
        classifier/text/result_weights.json
        classifier/text/role_weights.json
    """
    assert others == data | set(ours.split())
    assert "classifier/_data/taxonomy/taxonomy.yaml" in data
    assert "classifier/_data/taxonomy/prior.npz" in data
    assert "classifier/_data/papers/agentic-ai.jsonl" in data
    assert "classifier/_data/templates/survey.md" in data


def test_its_metadata_are_those_of_the_project(wheel: Path) -> None:
    info = f"fieldguide-{classifier.__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"{info}/METADATA").decode()
        entry_points = archive.read(f"{info}/entry_points.txt").decode()
        names = archive.namelist()
    assert "Requires-Python: >=3.11\n" in metadata
    assert "License-Expression: MIT\n" in metadata
    assert "Classifier: Typing :: Typed\n" in metadata
    assert "classifier/py.typed" in names
    assert "fieldguide = classifier.cli:main" in entry_points
    assert f"{info}/licenses/LICENSE" in names


def test_the_sdist_holds_what_is_tracked_and_nothing_else(sdist: set[str], root: Path) -> None:
    asked = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        pytest.skip("needs a git checkout, which tells what belongs to the project")
    elsewhere = (".git", "out/", "action.yml")  # of the repository, not of the package
    there = {line for line in asked.stdout.splitlines() if (root / line).is_file()}
    expected = {line for line in there if not line.startswith(elsewhere)}
    assert sdist - {"PKG-INFO", ".gitignore"} == expected  # hatchling keeps to .gitignore again


def test_the_sdist_holds_its_licence_docs_tests_and_checks(sdist: set[str]) -> None:
    expected = {"LICENSE", "README.md", "SECURITY.md", "docs/licences.md", "tests/conftest.py"}
    assert expected | {".ci/release", "requirements/dev.lock"} <= sdist


def test_every_import_of_the_package_is_a_declared_dependency(root: Path) -> None:
    """Names as `pip` knows them; what is imported under another name stands in the table."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    requirements = [
        *project["dependencies"],
        *(one for name in ("fetch", "pdf", "scale", "skos") for one in extras[name]),
    ]
    declared = {requirement.partition(">")[0].lower() for requirement in requirements}
    imported = imports_of(root / "classifier")
    known_as = {
        "sklearn": "scikit-learn",
        "yaml": "pyyaml",
        "markupsafe": "jinja2",
        "charset_normalizer": "charset-normalizer",
        "markdown_it": "markdown-it-py",
        "urllib3": "requests",
    }
    assert {known_as.get(name, name) for name in imported} <= declared


def imports_of(package: Path) -> set[str]:
    """Return the top names of everything that is imported from outside the standard library."""
    names: set[str] = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module).partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"classifier", "_typeshed"}

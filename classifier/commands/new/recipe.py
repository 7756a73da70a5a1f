"""A project in CI: the files that rebuild and publish it, as text to be changed by its owner."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from classifier import __version__
from classifier.errors import OutputError
from classifier.files.writing import make_folder, write_file
from classifier.project import Project


class Forge(StrEnum):
    """Where a survey is rebuilt."""

    GITHUB = "github"
    GITLAB = "gitlab"


WORKFLOW = {Forge.GITHUB: ".github/workflows/survey.yml", Forge.GITLAB: ".gitlab-ci.yml"}
"""Where a forge looks for what it shall do, from the top of the repository."""
REQUIREMENTS = "requirements.txt"
"""What CI installs, in the project's folder."""

_SHIPPED = Path(__file__).resolve().parent / "recipes"
_FOLDER = re.compile(r"FOLDER(/?)")
_BASE = re.compile(r"\bBASE\b")
_PLAIN = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")


def workflow_text(forge: Forge, folder: str = "") -> str:
    """Return the workflow of a project that lies in `folder` of its repository ("": at its top).

    Raises OutputError for a folder whose name would have to be quoted in YAML and in a shell.
    """
    if folder and not _PLAIN.fullmatch(folder):
        raise OutputError(f"{folder}: a workflow names this folder; rename it without blanks.")
    text = (_SHIPPED / f"{forge}.yml").read_text(encoding="utf-8")
    base = f"{'$GITHUB_WORKSPACE/' if forge == Forge.GITHUB else ''}base/{folder}"
    text = _BASE.sub(f'"{base}"' if folder else "base", text)
    text = _FOLDER.sub(lambda found: folder + found[1] if folder else "." * (not found[1]), text)
    return text.replace("VERSION", __version__)


def requirements_text() -> str:
    """Return the requirements file: this version of Fieldguide."""
    return (_SHIPPED / REQUIREMENTS).read_text(encoding="utf-8").replace("VERSION", __version__)


def repository_of(folder: Path) -> Path | None:
    """Return the top of the repository that a folder lies in, as git finds it, or None."""
    here = folder.resolve()
    return next((up for up in (here, *here.parents) if (up / ".git").exists()), None)


def workflow_of(project: Project, forge: Forge) -> tuple[Path, str]:
    """Return the file of a project's workflow and its text; without a repository, in its folder."""
    root = project.root.resolve()
    top = repository_of(root) or root
    folder = "" if root == top else root.relative_to(top).as_posix()
    return top / WORKFLOW[forge], workflow_text(forge, folder)


def write_recipe(project: Project, forge: Forge) -> list[Path]:
    """Write a project's workflow, and its requirements where there are none; return the files.

    Raises OutputError where there is a workflow already: it may have been changed.
    """
    file, text = workflow_of(project, forge)
    if file.exists():
        raise OutputError(f"{file}: is there already and stays as it is; delete it, or compare.")
    make_folder(file.parent)
    write_file(file, text.encode())
    requirements = project.root / REQUIREMENTS
    if requirements.exists():
        return [file]
    write_file(requirements, requirements_text().encode())
    return [file, requirements]

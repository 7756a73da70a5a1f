"""Write the CI recipe of a project: workflow, requirements and Dependabot settings."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from classifier import __version__
from classifier.errors import OutputError
from classifier.files.writing import make_folder, write_file
from classifier.project import Project


class Forge(StrEnum):
    """A service that hosts the repository and runs CI."""

    GITHUB = "github"
    GITLAB = "gitlab"


WORKFLOW = {Forge.GITHUB: ".github/workflows/survey.yml", Forge.GITLAB: ".gitlab-ci.yml"}
"""Forge -> path of the workflow in a repository."""
REQUIREMENTS = "requirements.txt"
"""File with the packages that CI installs, in the project's folder."""
DEPENDABOT = ".github/dependabot.yml"
"""File with the settings of Dependabot, in a repository on GitHub."""

_TEMPLATES = Path(__file__).resolve().parent / "recipes"
_FOLDER = re.compile(r"FOLDER(/?)")
_BASE = re.compile(r"\bBASE\b")
_PLAIN = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")


def workflow_text(forge: Forge, folder: str = "") -> str:
    """Return the workflow of a project in `folder` of its repository ("": at the root).

    Raises OutputError for a folder whose name needs quotes in YAML or in a shell.
    """
    if folder and not _PLAIN.fullmatch(folder):
        raise OutputError(
            f"{folder}: this name cannot be used in a workflow. Rename the folder so that it has "
            "no spaces."
        )
    text = (_TEMPLATES / f"{forge}.yml").read_text(encoding="utf-8")
    base = f"{'$GITHUB_WORKSPACE/' if forge == Forge.GITHUB else ''}base/{folder}"
    text = _BASE.sub(f'"{base}"' if folder else "base", text)
    text = _FOLDER.sub(lambda found: folder + found[1] if folder else "." * (not found[1]), text)
    return text.replace("VERSION", __version__)


def requirements_text() -> str:
    """Return requirements.txt: comments and, if its address is known, Fieldguide's version."""
    text = (_TEMPLATES / REQUIREMENTS).read_text(encoding="utf-8").replace("VERSION", __version__)
    line = installed_requirement()
    return f"{text}{line}\n" if line else text


def installed_requirement() -> str:
    """Return the requirement that installs the same Fieldguide elsewhere, or "" if unknown.

    The requirement has an address with a commit or a hash, since another package could have the
    same name. Source: PEP 610, direct_url.json of an installed package.
    """
    try:
        origin = json.loads(distribution("fieldguide").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url, vcs = str(origin.get("url", "")), origin.get("vcs_info") or {}
    if vcs.get("commit_id") and url.startswith("https://"):
        return f"fieldguide @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    hashes = (origin.get("archive_info") or {}).get("hashes") or {}
    if hashes.get("sha256") and url.startswith("https://"):
        return f"fieldguide @ {url}#sha256={hashes['sha256']}"
    return ""


def repository_of(folder: Path) -> Path | None:
    """Return the root of the Git repository that contains `folder`, or None."""
    here = folder.resolve()
    return next((up for up in (here, *here.parents) if (up / ".git").exists()), None)


def workflow_of(project: Project, forge: Forge) -> tuple[Path, str]:
    """Return the path and the text of a project's workflow.

    The path is in the project's folder if that is not in a repository.
    """
    root = project.root.resolve()
    top = repository_of(root) or root
    folder = "" if root == top else root.relative_to(top).as_posix()
    return top / WORKFLOW[forge], workflow_text(forge, folder)


def write_recipe(project: Project, forge: Forge) -> list[Path]:
    """Write the workflow and the missing ones of its other files; return the written files.

    Raises OutputError if the workflow exists, since the user may have changed it.
    """
    file, text = workflow_of(project, forge)
    if file.exists():
        raise OutputError(f"{file}: already exists and was not changed. Move it away first.")
    top = repository_of(project.root) or project.root.resolve()
    texts = {file: text, project.root / REQUIREMENTS: requirements_text()}
    if forge == Forge.GITHUB:
        texts[top / DEPENDABOT] = (_TEMPLATES / "dependabot.yml").read_text(encoding="utf-8")
    new = [path for path in texts if not path.exists()]
    for path in new:
        make_folder(path.parent)
        write_file(path, texts[path].encode())
    return new

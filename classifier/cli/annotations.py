"""Faults in the forms in which forges show them beside the lines of a pull request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from classifier.commands.new.recipe import repository_of
from classifier.errors import SEVERITIES, Fault, Severity, condense
from classifier.files.built_folder import digest
from classifier.text.acting_signs import ACTS


class FaultFormat(StrEnum):
    """How `--format` prints faults."""

    TEXT = "text"
    GITHUB = "github"
    GITLAB = "gitlab"


_GITLAB: dict[Severity, str] = {"error": "blocker", "warning": "major", "notice": "info"}


def github_commands(faults: Sequence[Fault], root: Path) -> list[str]:
    """Return each fault as a workflow command of GitHub Actions, `::warning file=…,line=…::…`.

    root: the project's folder; files are named from the top of its repository, as an annotation
    wants them. Nothing in a fault can end the command or begin another: line ends,
    percent signs, and in properties colons and commas, are escaped as GitHub's toolkit does.
    """
    worst_first = sorted(faults, key=lambda fault: SEVERITIES.index(fault.severity))
    return [_github_command(fault, root) for fault in condense(worst_first)]


def _github_command(fault: Fault, root: Path) -> str:
    place = [f"file={_property(_from_top(root, fault.file))}"]
    if fault.line is not None:
        place.append(f"line={fault.line}")
    return f"::{fault.severity} {','.join(place)}::{_data(str(fault))}"


def _data(text: str) -> str:
    """Return text without the characters that end or forge a workflow command.

    >>> _data("50 %\\n::error::no")
    '50 %25%0A::error::no'
    """
    text = ACTS.sub(lambda sign: ascii(sign[0])[1:-1], text)  # a log is shown as by a terminal
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def gitlab_report(faults: Sequence[Fault], root: Path) -> str:
    """Return the faults as a Code Quality report, the JSON that GitLab shows in a merge request.

    A fingerprint is one of the text, not of the line, so that a fault which only moved is no news.
    """
    issues = []
    seen: dict[str, int] = {}
    for fault in faults:
        file = _from_top(root, fault.file)
        text = f"{file}\n{fault.found}\n{fault.wanted}"
        seen[text] = seen.get(text, 0) + 1
        cure = f" {fault.cure}" if fault.cure else ""
        issues.append(
            {
                "description": f"found {fault.found}; wanted {fault.wanted}.{cure}",
                "check_name": "fieldguide",
                "fingerprint": digest(f"{text}\n{seen[text]}".encode()),
                "severity": _GITLAB[fault.severity],
                "location": {"path": file, "lines": {"begin": fault.line or 1}},
            }
        )
    return json.dumps(issues, indent=1)


def _from_top(root: Path, file: str) -> str:
    """Return a file of the project as its repository names it; without one, as the project does."""
    folder = root.resolve()
    top = repository_of(folder) or folder
    return (folder.relative_to(top) / file).as_posix()

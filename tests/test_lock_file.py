"""requirements/dev.lock holds what pyproject.toml asks for, by hash, and names no host."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)


def locked(text: str) -> dict[str, set[str]]:
    """Return normal name -> versions, of which a marker chooses, of a lock file."""
    versions: dict[str, set[str]] = {}
    for name, version in _PINNED.findall(text):
        versions.setdefault(canonicalize_name(name), set()).add(version)
    return versions


@pytest.fixture(scope="module")
def lock(root: Path) -> str:
    return (root / "requirements" / "dev.lock").read_text(encoding="utf-8")


def developed_with(root: Path) -> list[Requirement]:
    """Return what the extra dev asks for, through the extras that it names."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked, waiting = list(map(Requirement, project["dependencies"])), ["dev"]
    while waiting:
        for line in extras[waiting.pop()]:
            requirement = Requirement(line)
            if requirement.name == project["name"]:
                waiting += sorted(requirement.extras)
            else:
                asked.append(requirement)
    return asked


def test_each_requirement_is_locked_within_its_bounds(lock: str, root: Path) -> None:
    versions = locked(lock)
    unmet = [
        str(asked)
        for asked in developed_with(root)
        if not (found := versions.get(canonicalize_name(asked.name)))
        or not all(asked.specifier.contains(version) for version in found)
    ]
    assert not unmet, "run .ci/lock"


def test_each_package_has_its_hashes(lock: str) -> None:
    entries = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert len(entries) > 100
    assert not [entry for entry in entries if "--hash=sha256:" not in entry]


def test_it_names_no_host_and_no_folder(lock: str) -> None:
    assert "://" not in lock
    assert not re.findall(r"^--", lock, re.MULTILINE)


def test_a_version_outside_its_bounds_is_seen() -> None:
    """So that the test above can fail."""
    versions = locked(
        "bread==1.0 ; python_full_version < '3.12' \\\n    --hash=sha256:0\nbread==2.1"
    )
    assert versions == {"bread": {"1.0", "2.1"}}
    assert not Requirement("bread>=2").specifier.contains("1.0")

"""requirements/dev.lock has a version within the bounds of pyproject.toml, and a hash, of each."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]+)(.*(?:\n +.*)*)", re.MULTILINE)


def test_each_dependency_is_locked_within_its_bounds(root: Path) -> None:
    locked: dict[str, str] = {}
    for name, version, rest in PINNED.findall((root / "requirements/dev.lock").read_text("utf-8")):
        locked[canonicalize_name(name)] = version
        assert "--hash=sha256:" in rest, name
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["test"], *extras["dev"], *extras["fetch"]]
    requirements = [Requirement(line) for line in lines if not line.startswith("fieldguide[")]
    unmet = [
        str(each)
        for each in requirements
        if not each.specifier.contains(locked.get(canonicalize_name(each.name), "0"))
    ]
    assert not unmet, "run .ci/lock"

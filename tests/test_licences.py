"""Each package that Fieldguide needs has a licence that is allowed, and stands in the docs."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

import pytest
from packaging.utils import canonicalize_name

from tests.test_lock_file import locked
from tools.licences import (
    PAGE,
    ROOT,
    USED_FOR,
    declared,
    dependencies,
    is_allowed,
    licence_of,
    page,
)


def test_each_licence_is_allowed() -> None:
    refused = {
        one.name: one.licence or "no licence"
        for one in dependencies().values()
        if not is_allowed(one.licence)
    }
    assert not refused


def test_what_brings_a_package_is_told() -> None:
    known = dependencies()
    assert known["jinja2"].versions.startswith(">=3")
    assert not known["certifi"].versions
    assert "tinycss2" in known
    assert "pytest" not in known


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("MIT AND PSF-2.0", True),
        ("MIT AND GPL-3.0-or-later", False),
        ("GPL-2.0-or-later OR LGPL-2.1-or-later", True),
        ("GPL-3.0-or-later", False),
        ("AGPL-3.0-only", False),
        ("MIT WITH Some-exception", False),
        ("Proprietary", False),
        ("", False),
    ],
)
def test_an_expression_is_judged(licence: str, allowed: bool) -> None:
    assert is_allowed(licence) is allowed


def test_a_package_that_is_nowhere_has_no_licence() -> None:
    assert licence_of("no-such-package-of-bakers") == ""


def test_what_each_package_is_for_is_told() -> None:
    assert sorted({requirement.name for _, requirement in declared()}) == sorted(USED_FOR)


def test_the_page_is_current() -> None:
    if sys.version_info[:2] != (3, 11) or sys.platform != "linux":
        pytest.skip("the page is written on Linux with Python 3.11")
    lock = locked((ROOT / "requirements" / "dev.lock").read_text(encoding="utf-8"))
    for name in map(canonicalize_name, dependencies()):
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if installed not in lock.get(name, {installed}):
            pytest.skip(f"{name} {installed} is not what requirements/dev.lock holds")
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tools.licences"

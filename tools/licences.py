"""The licences of all that Fieldguide needs to run: `python -m tools.licences` writes the page.

What a package says of itself is read from its installed metadata (PEP 639, or what came before).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licences.md"
EXTRAS = ("fetch", "pdf", "scale", "skos")

ALLOWED = frozenset(
    "0BSD Apache-2.0 BSD BSD-2-Clause BSD-3-Clause CC0-1.0 ISC LGPL-2.1-or-later MIT MIT-0 "
    "MIT-CMU MPL-2.0 PSF-2.0 Zlib".split()
)
"""As SPDX names them; BSD where a package does not say which of them. The LGPL and the MPL ask for
nothing of a program that imports a package as it is."""

USED_FOR = {
    "bibtexparser": "splits BibTeX into entries",
    "charset-normalizer": "guesses encodings of Asia and Russia",
    "dask": "settings of a cluster",
    "distributed": "labelling on a cluster",
    "filelock": "one writer at a time",
    "ftfy": "repairs letters in a wrong encoding",
    "jinja2": "templates of the site",
    "lxml": "reads XML and HTML",
    "markdown": "Markdown to HTML",
    "markdown-it-py": "the blocks of lists in Markdown",
    "markupsafe": "escapes what is printed",
    "nh3": "cleans HTML",
    "numpy": "arrays",
    "xlsxwriter": "writes .xlsx",
    "pandas": "tables",
    "pyarrow": "Parquet",
    "pydantic": "checks the shape of the taxonomy",
    "python-calamine": "reads .xlsx, .xls and .ods",
    "pylatexenc": "the table of LaTeX commands",
    "rapidfuzz": "likeness of titles and words",
    "pyyaml": "YAML with lines",
    "rdflib": "SKOS",
    "requests": "asks services for papers",
    "rich": "progress bars",
    "scikit-learn": "TF-IDF and logistic regression",
    "scipy": "sparse matrices, optimisation",
    "threadpoolctl": "one thread for linear algebra, so that sums do not vary",
    "typer": "the command line",
    "weasyprint": "sets the survey as PDF",
}

_STATED = {  # where metadata are silent or name several to choose from: what their text says
    "brotlicffi": "MIT",
    "colorama": "BSD-3-Clause",
    "importlib-metadata": "Apache-2.0",
    "pyphen": "GPL-2.0-or-later OR LGPL-2.1-or-later OR MPL-1.1",
    "tzdata": "Apache-2.0",
}
_SPDX = {
    "apache 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd license": "BSD",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
}
_SHORT = 60
"""Longer than that, `License` holds the text of a licence, not its name."""
_SYSTEMS = (("linux", "posix", "Linux"), ("darwin", "posix", "Darwin"), ("win32", "nt", "Windows"))
_PYTHONS = ("3.11", "3.12", "3.13")


@dataclass(slots=True)
class Dependency:
    """A package that some installation of Fieldguide holds."""

    name: str
    licence: str
    """An SPDX expression, or what else the package says; empty where it says nothing."""
    versions: str = ""
    """What pyproject.toml admits; empty where another package brings this one."""
    extra: str = ""


def declared() -> Iterator[tuple[str, Requirement]]:
    """Yield (extra or "", requirement) of pyproject.toml, but for those of developers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups: Mapping[str, list[str]] = {"": project["dependencies"]} | {
        extra: project["optional-dependencies"][extra] for extra in EXTRAS
    }
    for extra, requirements in groups.items():
        for requirement in requirements:
            yield extra, Requirement(requirement)


def dependencies() -> dict[str, Dependency]:
    """Return normal name -> package, of all that pyproject.toml asks for, directly or not."""
    found: dict[str, Dependency] = {}
    for extra, requirement in declared():
        name = canonicalize_name(requirement.name)
        found[name] = Dependency(
            requirement.name, licence_of(name), str(requirement.specifier), extra
        )
    waiting = [(name, frozenset[str]()) for name in found]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        for requirement in requirements_of(name, extras):
            needed = canonicalize_name(requirement.name)
            if needed not in found:
                found[needed] = Dependency(requirement.name, licence_of(needed))
            step = (needed, frozenset(requirement.extras))
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return dict(sorted(found.items()))


def requirements_of(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    """Yield what an installed package needs on any system and Python that we name."""
    try:
        lines = distribution(name).requires or []
    except PackageNotFoundError:  # needed elsewhere alone
        return
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or any(
            requirement.marker.evaluate(environment | {"extra": extra})
            for environment in environments()
            for extra in extras or {""}
        ):
            yield requirement


def environments() -> Iterator[dict[str, str]]:
    """Yield what markers are asked about: CPython of three versions on three systems."""
    here = {key: str(value) for key, value in default_environment().items()}
    for platform, os_name, system in _SYSTEMS:
        for python in _PYTHONS:
            yield here | {
                "os_name": os_name,
                "sys_platform": platform,
                "platform_system": system,
                "python_version": python,
                "python_full_version": f"{python}.1",
            }


def licence_of(name: str) -> str:
    """Return the licence that a package states, in the terms of SPDX where they are known."""
    if name in _STATED:
        return _STATED[name]
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        return ""
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in stated.get_all("Classifier", [])
        if classifier.startswith("License :: ")
    ]
    names = [stated.get("License-Expression"), stated.get("License"), *classifiers[:1]]
    for said in filter(None, names):
        if len(said) <= _SHORT:
            return _SPDX.get(said.lower(), said)
    return ""


def is_allowed(licence: str) -> bool:
    """Say whether one of the licences to choose from is allowed in all of its parts."""
    return any(
        all(part in ALLOWED for part in choice.split(" AND "))
        for choice in re.split(r" OR ", licence)
    )


def page() -> str:
    """Return docs/licences.md."""
    every = dependencies().values()
    own = [one for one in every if one.versions]
    brought = [one for one in every if not one.versions]
    lines = [
        "# Licences",
        "",
        "Fieldguide is under the MIT License. It needs the packages below; none of their code is "
        "copied into ours. `python -m tools.licences` writes this page from their metadata, as "
        "locked in `requirements/dev.lock`; a test fails where a licence is not allowed.",
        "",
        f"Allowed: {', '.join(sorted(ALLOWED, key=str.lower))} (BSD: a package that does not say "
        "which).",
        "",
        "## What Fieldguide asks for",
        "",
        "| package | extra | licence | what for |",
        "|---|---|---|---|",
        *(
            f"| {one.name} | {one.extra} | {one.licence} | {USED_FOR.get(one.name, '')} |"
            for one in own
        ),
        "",
        "## What those bring along",
        "",
        "On Linux, macOS or Windows, with Python 3.11 to 3.13.",
        "",
        *(
            f"- {licence}: {', '.join(one.name for one in brought if one.licence == licence)}"
            for licence in sorted({one.licence for one in brought}, key=str.lower)
        ),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

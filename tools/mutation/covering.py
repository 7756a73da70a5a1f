"""Which tests run a line: read off a run with coverage that notes the test with each line."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

from tools.mutation.mutants import Mutant

GOLDEN = "tests/golden/test_golden.py"
"""The texts of a small survey, whatever part wrote them: tested behind those of the part."""


def run_with_coverage(package: str, data: Path) -> None:
    """Run the tests of a package (`labelling`), which must pass, and note what they run in `data`.

    Raises:
        SystemExit: A test fails without any mutant.
    """
    command = f"""
        -m pytest -q -p no:cacheprovider -p no:xdist tests/{package} {GOLDEN}
        --cov=classifier/{package} --cov-context=test --cov-report=
        --junitxml={data.with_suffix(".xml")}
    """.split()
    told = subprocess.run(
        [sys.executable, *command, f"--cov-config={data.with_suffix('.rc')}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode:
        sys.exit(f"the tests of {package} fail without a mutant:\n{told.stdout[-4000:]}")


class Covering:
    """The tests of a package, by the lines that they run."""

    def __init__(self, data: Path, package: str) -> None:
        self.package = package
        self.tests: dict[Path, dict[int, set[str]]] = {}
        """The tests that run a line, by module and line; node ids without parameters."""
        self.everywhere: list[str] = []
        """All files of tests of the package."""
        self.seconds = _seconds(data.with_suffix(".xml"))
        """What a test took with coverage, by node id without parameters, and what a file took."""
        coverage = CoverageData(str(data))
        coverage.read()
        for file in coverage.measured_files():
            lines = defaultdict(set)
            for line, contexts in coverage.contexts_by_lineno(file).items():
                lines[line] = {_test(context) for context in contexts}
            self.tests[Path(file)] = lines
        files = sorted(str(path) for path in Path("tests", package).rglob("test_*.py"))
        self.everywhere = [*files, GOLDEN]

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that run a line of the mutant: those of its own module first, then quick ones.

        A line that runs on import is the business of all tests of the package.
        """
        lines = self.tests.get(mutant.path, {})
        found = set().union(*(lines.get(line, set()) for line in mutant.lines))
        if "" in found:
            found = set(self.everywhere)
        own = f"test_{mutant.path.stem}.py"
        return sorted(found, key=lambda test: (GOLDEN in test, own not in test, *self._turn(test)))

    def _turn(self, test: str) -> tuple[float, str, float, str]:
        """Quick files first, the tests of one together: what it sets up is set up once."""
        file = test.partition("::")[0]
        return self.seconds[file], file, self.seconds[test], test


def _test(context: str) -> str:
    """A context of pytest-cov (`tests/a/test_b.py::test_c[1]|run`) as what pytest can run.

    What runs in a set-up may be made for all tests of the file (a fixture of that scope).
    """
    node, _, phase = context.partition("|")
    name = node.partition("[")[0]
    return name.partition("::")[0] if phase == "setup" else name


def _seconds(report: Path) -> Counter[str]:
    """Read what tests and their files took off a report in JUnit's form."""
    seconds: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        file = f"{case.attrib['classname'].replace('.', '/')}.py"
        test = f"{file}::{case.attrib['name'].partition('[')[0]}"
        for name in (file, test):
            seconds[name] += float(case.attrib["time"])
    return seconds

"""The way of a paper's title through a build: `python -m tools.trace [--show]`.

Builds the tests' small project and counts the functions of the package that are called with a text
which holds the title of one paper, the modules that these stand in, and how many modules the build
loads at all. What only holds the paper, or the record of it, is not counted.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from types import FrameType

import classifier
from classifier.pipeline import build
from classifier.project import Project

PACKAGE = Path(classifier.__file__).parent
PROJECT = PACKAGE.parent / "tests" / "golden" / "project"


def main() -> None:
    """Print the counts, and with --show the functions in the order in which they are entered."""
    parser = argparse.ArgumentParser(prog="python -m tools.trace", description=__doc__)
    parser.add_argument("--show", action="store_true", help="name the functions, as they come")
    told = parser.parse_args()
    with (PROJECT / "papers" / "bread.jsonl").open(encoding="utf-8") as file:
        title = json.loads(next(file))["title"]
    passed: dict[tuple[str, str], None] = {}

    def look(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(PACKAGE)):
            return
        count = code.co_argcount + code.co_kwonlyargcount
        given = (frame.f_locals.get(name) for name in code.co_varnames[:count])
        if any(isinstance(value, str) and title in value for value in given):
            module = Path(code.co_filename).relative_to(PACKAGE).as_posix()
            passed[module, code.co_qualname] = None

    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(PROJECT, project)
        sys.setprofile(look)
        try:
            build(Project(project), project / "out")
        finally:
            sys.setprofile(None)
    if told.show:
        sys.stdout.writelines(f"{module}: {function}\n" for module, function in passed)
    modules = {module for module, _ in passed}
    loaded = [name for name in sys.modules if name.split(".")[0] == "classifier"]
    sys.stdout.write(
        f"A title passes {len(passed)} functions in {len(modules)} modules; "
        f"the build loads {len(loaded)}.\n"
    )


if __name__ == "__main__":
    main()

"""One build with its stages timed: `python -m tests.benchmarks.staged_build PROJECT OUT`.

Prints JSON: what was built, and for each thing that the progress bar names the seconds of one
processor from when it is first named until the next one is.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from pathlib import Path


def main() -> None:
    """Build and print."""
    # All processor time since the process began: imports are a stage, too.
    marks: list[tuple[str, float]] = [("Starting", 0.0)]

    def note(label: str, done: int, total: int) -> None:
        if label != marks[-1][0] and all(label != name for name, _ in marks):
            marks.append((label, time.process_time()))

    from classifier.build import build
    from classifier.project import Project

    project, out = (Path(argument) for argument in sys.argv[1:3])
    result = build(Project(project), out, progress=note)
    marks.append(("", time.process_time()))
    stages = {name: round(behind - at, 3) for (name, at), (_, behind) in itertools.pairwise(marks)}
    names = result.files
    print(
        json.dumps(
            {
                "papers": len(result.corpus.papers),
                "files": len(names),
                "pages": sum(name.endswith(".html") for name in names),
                "stages": stages,
            }
        )
    )


if __name__ == "__main__":
    main()

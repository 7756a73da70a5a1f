"""One build with its stages timed: `python -m tools.benchmarks.staged_build PROJECT OUT`.

Prints JSON: what was built, and for each thing that the progress bar names the seconds of one
processor from when it is first named until the next one is, and the most megabytes held until then.
The collector of garbage is off, as for the command.
"""

from __future__ import annotations

import itertools
import json
import resource
import sys
import time
from pathlib import Path


def main() -> None:
    """Build and print."""
    # All processor time since the process began: imports are a stage, too.
    marks: list[tuple[str, float, int]] = [("Starting", 0.0, 0)]

    def note(label: str, done: int = 0, total: int = 0) -> None:
        if all(label != name for name, _, _ in marks):
            held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            marks.append((label, time.process_time(), held))

    from classifier.pipeline import build
    from classifier.project import Project

    project, out = (Path(argument) for argument in sys.argv[1:3])
    result = build(Project(project), out, progress=note)
    note("")
    stages = {
        name: round(behind - at, 3) for (name, at, _), (_, behind, _) in itertools.pairwise(marks)
    }
    held = {name: held for (name, _, _), (_, _, held) in itertools.pairwise(marks)}
    names = result.files
    print(
        json.dumps(
            {
                "papers": len(result.corpus.papers),
                "files": len(names),
                "pages": sum(name.endswith(".html") for name in names),
                "stages": stages,
                "held": held,
            }
        )
    )


if __name__ == "__main__":
    main()

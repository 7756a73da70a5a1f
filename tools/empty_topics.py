"""Build the survey of this project with each topic emptied in turn; every build must succeed.

    python -m tools.empty_topics

The papers of one topic are excluded, as editors do it. The claims about the topic stay, so that
all links of conclusion, front page and search are checked without them. Takes some minutes.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from classifier.errors import InputError
from classifier.pipeline import build, compute
from classifier.project import Project

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Print one line per topic; return 1 if a build was refused."""
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder) / "project")
        for name in ("papers", "taxonomy", "templates"):
            shutil.copytree(ROOT / name, project.root / name)
        facet = build(project, project.out).survey.first.id
        papers = json.loads((project.out / "papers.json").read_text("utf-8"))
        ledger = project.ledger_file.read_text("utf-8")
        filed: dict[str, list[str]] = {}
        for paper in papers:
            topic = paper["labels"][facet]["primary"]
            filed.setdefault(topic, []).append(paper["id"])
        refused = [
            topic
            for topic, ids in sorted(filed.items())
            if not _builds(project, ledger, ids, topic)
        ]
    return 1 if refused else 0


def _builds(project: Project, ledger: str, ids: list[str], topic: str) -> bool:
    """Return whether the project builds without these papers; print what it says otherwise."""
    rows = "".join(f'"{each}",,exclude,left out,,tools,2099-01-01,,,\n' for each in ids)
    project.ledger_file.write_text(f"{ledger.rstrip()}\n{rows}", "utf-8")
    try:
        compute(project)
    except InputError as error:
        print(f"{topic}: refused without its {len(ids)} papers:\n{error}")
        return False
    print(f"{topic}: builds without its {len(ids)} papers", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())

"""All workflows in one folder, and their scripts in another, for linters.

`python -m tools.workflows.scripts FOLDER` writes FOLDER/workflows and FOLDER/scripts: our own, and
those that Fieldguide writes (with and without fetching, at the top of a repository and below it).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from classifier.commands.new.recipe import workflow_text

ROOT = Path(__file__).resolve().parents[2]


def with_fetching(text: str) -> str:
    """Return a workflow with the lines in force that fetch papers."""
    return re.sub(r"^( *)#: (.*)$", r"\1\2", text, flags=re.MULTILINE)


def github_workflows() -> dict[str, str]:
    """Return name -> text of every workflow of GitHub."""
    ours = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    return {
        **{path.name: path.read_text(encoding="utf-8") for path in ours},
        "survey.yml": workflow_text("github"),
        "survey-below.yml": workflow_text("github", "surveys/bees"),
        "survey-fetching.yml": with_fetching(workflow_text("github")),
    }


def gitlab_workflows() -> dict[str, str]:
    """Return name -> text of the forms of the GitLab workflow."""
    return {
        "gitlab.yml": workflow_text("gitlab"),
        "gitlab-below.yml": workflow_text("gitlab", "surveys/bees"),
        "gitlab-fetching.yml": with_fetching(workflow_text("gitlab")),
    }


def scripts() -> Iterator[tuple[str, str]]:
    """Yield (name, text) of every script that a workflow or our action runs."""
    texts = {**github_workflows(), "action.yml": (ROOT / "action.yml").read_text(encoding="utf-8")}
    for name, text in texts.items():
        told: Any = yaml.safe_load(text)
        jobs = told.get("jobs", {"action": told.get("runs")})
        for job, content in jobs.items():
            for number, step in enumerate(content["steps"]):
                if "run" in step:
                    # An expression is not shell; in its place stands a word.
                    plain = re.sub(r"\$\{\{.*?\}\}", "EXPRESSION", step["run"])
                    yield f"{name}-{job}-{number}.sh", plain
    for name, text in gitlab_workflows().items():
        told = yaml.safe_load(text)
        for job in ("review", "pages"):
            lines = [*told[".survey"]["before_script"], *told[job]["script"]]
            yield f"{name}-{job}.sh", "set -eo pipefail\n" + "\n".join(lines)


def main() -> None:
    for folder, texts in (("workflows", github_workflows()), ("scripts", dict(scripts()))):
        (Path(sys.argv[1]) / folder).mkdir()
        for name, text in texts.items():
            (Path(sys.argv[1]) / folder / name).write_text(f"{text.rstrip()}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

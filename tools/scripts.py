"""Write all CI workflows and their scripts, for linters: `python -m tools.scripts FOLDER`.

FOLDER/workflows gets our own workflows and the recipes that users get (at the root of a repository
and below it, with and without fetching), FOLDER/scripts the scripts of their steps.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

from classifier.commands.new.recipe import Forge, workflow_text

ROOT = Path(__file__).resolve().parents[1]


def with_fetching(text: str) -> str:
    """Return a workflow with its commented steps that fetch papers switched on."""
    return re.sub(r"^( *)#: (.*)$", r"\1\2", text, flags=re.MULTILINE)


def recipes(forge: Forge) -> dict[str, str]:
    """Return name -> text of each form of a forge's recipe."""
    text = workflow_text(forge)
    below = workflow_text(forge, "surveys/bees")
    return {f"{forge}.yml": text, f"{forge}-below.yml": below,
            f"{forge}-fetching.yml": with_fetching(text)}  # fmt: skip


def github_workflows() -> dict[str, str]:
    """Return name -> text of our own workflows and of GitHub's recipe."""
    ours = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    return {
        **{path.name: path.read_text(encoding="utf-8") for path in ours},
        **recipes(Forge.GITHUB),
    }


def scripts() -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each script in a workflow or in action.yml, for shellcheck."""
    texts = {**github_workflows(), "action.yml": (ROOT / "action.yml").read_text(encoding="utf-8")}
    for name, text in texts.items():
        content = yaml.safe_load(text)
        jobs = content.get("jobs") or {"runs": content["runs"]}
        steps = [step for job in jobs.values() for step in job["steps"] if "run" in step]
        for number, step in enumerate(steps):
            yield f"{name}-{number}.sh", re.sub(r"\$\{\{.*?\}\}", "EXPRESSION", step["run"])
    for name, text in recipes(Forge.GITLAB).items():
        content = yaml.safe_load(text)
        for job in ("review", "pages"):
            lines = [*content[".survey"]["before_script"], *content[job]["script"]]
            yield f"{name}-{job}.sh", "set -eo pipefail\n" + "\n".join(lines)


def main() -> None:
    for folder, texts in (("workflows", github_workflows()), ("scripts", dict(scripts()))):
        (Path(sys.argv[1]) / folder).mkdir()
        for name, text in texts.items():
            (Path(sys.argv[1]) / folder / name).write_text(f"{text.rstrip()}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""A forge's machine, as far as our workflows need one: steps run in order, here.

What needs the forge is played: a checkout is a clone, a cache and an artifact are folders, a site
is published by copying it, `gh` and `pip` write down what they were told. Every `run:` is run by
bash as the forge does it, with the `fieldguide` of this checkout on the path.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]

_STUBS = {
    "fieldguide": f"""#!/bin/bash
if [ "$1" = fetch ] && [ -n "$FETCHED" ]; then
  mkdir -p papers/.fetched
  date +%N > papers/.fetched/fetched.json
  if [ -s "$FETCHED" ]; then cp "$FETCHED" papers/fetched.jsonl; fi
  exit
fi
exec "{sys.executable}" -m classifier "$@"
""",
    "pip": """#!/bin/bash
echo "pip $*" >> "$TOLD"
""",
    "gh": """#!/bin/bash
echo "gh $*" >> "$TOLD"
case "$*" in
  *--paginate*) cat "$COMMENTS" 2>/dev/null || true ;;
esac
""",
}


@dataclass
class Outcome:
    """What one run of a workflow came to."""

    jobs: dict[str, str] = field(default_factory=dict)
    """Job -> success, failure or skipped."""
    log: str = ""
    told: str = ""
    """A line for each call of pip and gh."""
    summary: str = ""
    stopped_at: str = ""
    """The first step that failed."""


@dataclass
class Forge:
    """What a forge keeps between runs: the repository, a cache, artifacts, the site."""

    folder: Path
    repository: Path
    """A repository with a branch main."""

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        stubs = self.folder / "bin"
        stubs.mkdir()
        for name, text in _STUBS.items():
            (stubs / name).write_text(text, encoding="utf-8")
            (stubs / name).chmod(0o755)
        self.runs = 0

    @property
    def site(self) -> Path:
        """What is published."""
        return self.folder / "site"

    @property
    def cache(self) -> Path:
        """The last cache that was saved."""
        return self.folder / "cache"

    def environment(self, workspace: Path, told: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a step."""
        return {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "TOLD": str(self.folder / "told"),
            "COMMENTS": str(self.folder / "comments"),
            "FETCHED": "",
            **told,
        }

    def clone(self, target: Path, branch: str) -> None:
        """Check a branch out."""
        git(
            self.repository,
            "clone",
            "--quiet",
            "--branch",
            branch,
            str(self.repository),
            str(target),
        )

    def run(self, command: str, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
        """Run a script as GitHub's `shell: bash` does."""
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
        done = subprocess.run(
            words, cwd=folder, env=dict(environment), text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def told(self) -> str:
        """Return what pip and gh were told since the last time, and forget it."""
        file = self.folder / "told"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        file.unlink(missing_ok=True)
        return text


def git(folder: Path, *words: str) -> str:
    """Run git as nobody in particular."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", *who, *words]
    return subprocess.run(command, cwd=folder, check=True, text=True, capture_output=True).stdout


def copy(source: Path, target: Path, *, hidden: bool = True) -> None:
    """Put a file or folder in the place of another."""
    if target.is_dir():
        shutil.rmtree(target)
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    elif source.is_dir():
        shutil.copytree(source, target, ignore=None if hidden else shutil.ignore_patterns(".*"))


class GitHub:
    """Runs a workflow of GitHub Actions."""

    def __init__(self, forge: Forge, text: str) -> None:
        self.forge = forge
        self.workflow: Any = yaml.safe_load(text)

    def run(self, event: str, branch: str = "main", *, fork: bool = False, **extra: str) -> Outcome:
        """Run all jobs for an event; extra: environment variables of the steps."""
        self.forge.runs += 1
        outcome = Outcome()
        repository = "ada/bees"
        self.context: dict[str, Any] = {
            "github.event_name": event,
            "github.base_ref": "main",
            "github.ref": "refs/heads/main",
            "github.ref_name": "main",
            "github.run_id": str(self.forge.runs),
            "github.run_attempt": "1",
            "github.repository": repository,
            "github.token": "token",
            "github.event.pull_request.number": "7",
            "github.event.pull_request.head.repo.full_name": "bo/bees" if fork else repository,
        }
        self.artifacts = self.forge.folder / f"artifacts-{self.forge.runs}"
        for name, job in self.workflow["jobs"].items():
            needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            good = all(outcome.jobs[need] == "success" for need in needs)
            self.status = "success" if good else "failure"
            if not self.holds(job.get("if", "success()")):
                outcome.jobs[name] = "skipped"
                continue
            self.status = "success"
            self.job(name, job, branch, extra, outcome)
            outcome.jobs[name] = self.status
        outcome.told = self.forge.told()
        return outcome

    def job(self, name: str, job: Any, branch: str, extra: Mapping[str, str], out: Outcome) -> None:
        """Run the steps of a job in a workspace of its own."""
        workspace = self.forge.folder / f"run-{self.forge.runs}-{name}"
        workspace.mkdir()
        summary = self.forge.folder / f"summary-{self.forge.runs}"
        defaults = job.get("defaults", {}).get("run", {})
        for step in job["steps"]:
            title = step.get("name") or step.get("uses") or step["run"].splitlines()[0]
            if not self.holds(step.get("if", "success()")):
                result = "skipped"
            elif "uses" in step:
                self.use(step["uses"].partition("@")[0], step.get("with", {}), workspace, branch)
                result = "success"
            else:
                given = {key: self.text(value) for key, value in step.get("env", {}).items()}
                environment = self.forge.environment(workspace, {
                    "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(workspace),
                    "GITHUB_REPOSITORY": "ada/bees", "GITHUB_STEP_SUMMARY": str(summary),
                    **extra, **given,
                })  # fmt: skip
                folder = workspace / defaults.get("working-directory", ".")
                code, log = self.forge.run(self.text(step["run"]), folder, environment)
                out.log += f"== {title}\n{log}"
                result = "success" if code == 0 else "failure"
            if "id" in step:
                self.context[f"steps.{step['id']}.outcome"] = result
            if result == "failure":
                self.status = "failure"
                out.stopped_at = out.stopped_at or title
        if summary.exists():
            out.summary = summary.read_text(encoding="utf-8")

    def use(self, action: str, given: Any, workspace: Path, branch: str) -> None:
        """Play an action."""
        place = workspace / str(given.get("path", "."))
        match action:
            case "actions/checkout" if "path" in given:
                self.forge.clone(place, self.text(given["ref"]))
            case "actions/checkout":
                self.forge.clone(workspace, branch)
            case "actions/cache/restore":
                copy(self.forge.cache, place)
            case "actions/cache/save":
                copy(place, self.forge.cache)
            case "actions/upload-artifact":
                target = self.artifacts / given["name"]
                inside = "." if place.is_dir() else place.name
                copy(place, target / inside, hidden=given.get("include-hidden-files", False))
            case "actions/upload-pages-artifact":
                copy(place, self.artifacts / "github-pages", hidden=False)
            case "actions/download-artifact":
                for file in (self.artifacts / given["name"]).iterdir():
                    copy(file, place / file.name)
            case "actions/deploy-pages":
                copy(self.artifacts / "github-pages", self.forge.site)
            case "actions/setup-python":
                pass
            case _:
                raise NotImplementedError(action)

    def text(self, value: str) -> str:
        """Return a text with its expressions in place."""
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(self.value(found[1])), str(value))

    def holds(self, condition: str) -> bool:
        """Say whether an `if:` holds; without a word on status, only where all went well so far."""
        plain = re.sub(r"\$\{\{(.*)\}\}", r"\1", condition, flags=re.DOTALL)
        if not re.search(r"\b(success|failure|cancelled|always)\(\)", plain):
            plain = f"success() && ({plain})"
        return bool(self.value(plain))

    def value(self, expression: str) -> Any:
        """Return the value of an expression of the few kinds that we use."""
        states = {
            "success()": self.status == "success",
            "failure()": self.status == "failure",
            "cancelled()": False,
            "always()": True,
        }
        words = re.findall(r"'[^']*'|[\w.-]+(?:\(\))?|&&|\|\||[!=]=|[()!]", expression)
        told = {"&&": "and", "||": "or", "!": "not", "==": "==", "!=": "!=", "(": "(", ")": ")"}
        python = [
            told.get(word) or (word if word.startswith("'") else
                               repr(states.get(word, self.context.get(word, ""))))
            for word in words
        ]  # fmt: skip
        return eval(" ".join(python))


class GitLab:
    """Runs the jobs of a .gitlab-ci.yml."""

    def __init__(self, forge: Forge, text: str) -> None:
        self.forge = forge
        self.workflow: Any = yaml.safe_load(text)

    def run(self, source: str, branch: str = "main", **extra: str) -> Outcome:
        """Run the one job whose rule holds; source: merge_request_event, push, schedule, web."""
        self.forge.runs += 1
        name = "review" if source == "merge_request_event" else "pages"
        job = {**self.workflow[".survey"], **self.workflow[name]}
        workspace = self.forge.folder / f"run-{self.forge.runs}"
        self.forge.clone(workspace, branch)
        cached = [
            path for each in job["cache"] if each["key"] == "published" for path in each["paths"]
        ]
        for path in cached:
            copy(self.forge.cache, workspace / path)
        base = git(workspace, "merge-base", "origin/main", "HEAD").strip()
        environment = self.forge.environment(workspace, {
            "CI_PIPELINE_SOURCE": source, "CI_PROJECT_DIR": str(workspace),
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, **extra,
        })  # fmt: skip
        script = "\n".join([*job["before_script"], *job["script"]])
        code, log = self.forge.run(script, workspace, environment)
        outcome = Outcome({name: "success" if code == 0 else "failure"}, log, self.forge.told())
        outcome.summary = "".join(
            (workspace / path).read_text(encoding="utf-8")
            for path in job["artifacts"]["paths"]
            if path.endswith(".md") and (workspace / path).exists()
        )
        if code == 0:
            for path in cached:
                copy(workspace / path, self.forge.cache)
            if name == "pages":
                copy(workspace / "public", self.forge.site)
        return outcome

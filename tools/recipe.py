"""Run the CI recipes that users get, in five cases per forge: `python -m tools.recipe [FORGE]`.

Each `run:` step is run with bash, in a clean environment, on a small project in a scratch
repository. Actions (checkout, cache, artifacts, Pages) are imitated with folders; `pip` and `gh`
are stubs that record their arguments. Exit code 1 if a case ends otherwise than expected.
"""

from __future__ import annotations

import fnmatch
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from classifier.commands.new.recipe import Forge, workflow_text

ROOT = Path(__file__).resolve().parents[1]
TAXONOMY = """\
survey: {title: Bees and bread}
facets:
  topic:
    kind: multi
    at_most: 1
    categories:
      - {id: bees, definition: Papers on bees., cues: {anywhere: [honey bee~, hive~]}}
      - {id: bread, definition: Papers on bread., cues: {anywhere: [rye bread, oven~]}}
"""
LEDGER = "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note\n"
BEES = ("Honey bees and hive {n}", "We watch honey bees dance in {n} hives for nectar.")
BREAD = ("Rye bread from oven {n}", "We bake rye bread in {n} ovens and weigh the crust.")
STUBS = {
    "fieldguide": f'exec "{sys.executable}" -m classifier "$@"',
    "pip": 'echo "pip $*" >> "$HOME/calls"',
    "gh": 'echo "gh $*" >> "$HOME/calls"; cp comment.md "$HOME/" 2>/dev/null || true',
}


def papers(first: int, last: int) -> str:
    """Return papers on bees and bread by turns, as JSON Lines."""
    rows = []
    for n in range(first, last):
        title, abstract = (text.format(n=n) for text in (BEES if n % 2 else BREAD))
        row = {"arxiv_id": f"2401.{n:05}", "title": title, "abstract": abstract}
        rows.append(json.dumps(row) + "\n")
    return "".join(rows)


def make_project(folder: Path) -> None:
    """Write a small project with 24 papers, 12 of them decided."""
    decided = "".join(
        f"arxiv:2401.{n:05},,topic,{'bees' if n % 2 else 'bread'},yes,ada,2025-06-01,queue,,\n"
        for n in range(12)
    )
    files = {
        "taxonomy/taxonomy.yaml": TAXONOMY,
        "taxonomy/reviews.csv": LEDGER + decided,
        "papers/first.jsonl": papers(0, 24),
        "requirements.txt": "fieldguide @ git+https://forge.example/ada/fieldguide@0000\n",
        ".gitignore": "/out/\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def break_taxonomy(folder: Path) -> None:
    """Misspell a key of taxonomy.yaml, in line 8."""
    file = folder / "taxonomy" / "taxonomy.yaml"
    file.write_text(TAXONOMY.replace("{id: bread", "{idd: bread"), encoding="utf-8")


def _add(folder: Path, name: str, text: str) -> None:
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write(text)


@dataclass(frozen=True)
class Case:
    """A change of the project, and the result that the recipe must give."""

    name: str
    change: Callable[[Path], object]
    is_request: bool = True
    comment: str | None = None
    """Text that the comment or summary must contain; None if no job may run."""
    passes: bool = True


BAD_ROW = "arxiv:2401.00001,,topic,beees,yes,bo,2025-06-02,queue,,\n"
CASES = (
    Case("push", lambda folder: _add(folder, "papers/first.jsonl", papers(24, 25)), False, ""),
    Case("request with papers", lambda folder: _add(folder, "papers/new.jsonl", papers(30, 34)),
         comment="4 added"),
    Case("request, broken taxonomy", break_taxonomy, comment="taxonomy/taxonomy.yaml:8: error",
         passes=False),
    Case("request, bad ledger row", lambda folder: _add(folder, "taxonomy/reviews.csv", BAD_ROW),
         comment="taxonomy/reviews.csv:14: warning", passes=False),
    Case("request, README line", lambda folder: _add(folder, "README.md", "A line.\n")),
)  # fmt: skip


class Runner:
    """A scratch repository, and the folders of a forge: site, caches, artifacts."""

    def __init__(self, folder: Path, forge: Forge) -> None:
        self.folder, self.forge = folder, forge
        self.workflow: Any = yaml.safe_load(workflow_text(forge))
        self.repository, self.site = folder / "repository", folder / "site"
        self.work = folder / "work"
        (folder / "bin").mkdir(parents=True)
        for name, script in STUBS.items():
            (folder / "bin" / name).write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
            (folder / "bin" / name).chmod(0o755)
        make_project(self.repository)
        git(self.repository, "init", "--quiet", "--initial-branch", "main")
        self.commit("A survey")
        self.n_runs = 0

    def commit(self, message: str) -> None:
        git(self.repository, "add", "--all")
        git(self.repository, "commit", "--quiet", "-m", message)

    def run_case(self, case: Case) -> tuple[bool, str | None, str]:
        """Return (whether all jobs passed, comment or summary if a job ran, log)."""
        self.n_runs += 1
        branch = f"change-{self.n_runs}"
        if case.is_request:
            git(self.repository, "checkout", "--quiet", "-b", branch)
        case.change(self.repository)
        self.commit(case.name)
        changed = git(self.repository, "diff", "--name-only", "HEAD~1").split()
        if not any(fnmatch.fnmatch(file, pattern) for file in changed for pattern in self.paths()):
            result: tuple[bool, str | None, str] = (True, None, "")
        else:
            run = self.run_github if self.forge == Forge.GITHUB else self.run_gitlab
            result = run(case.is_request, branch if case.is_request else "main")
        git(self.repository, "checkout", "--quiet", "main")
        return result

    def paths(self) -> list[str]:
        """Return the patterns of files whose change starts a pipeline."""
        if self.forge == Forge.GITHUB:
            return list(self.workflow[True]["pull_request"]["paths"])  # YAML 1.1 reads `on` as True
        patterns = self.workflow["review"]["rules"][0]["changes"]
        return [pattern.replace("/**/*", "/*") for pattern in patterns]

    def bash(self, script: str, folder: Path, **variables: str) -> tuple[int, str]:
        """Run a script as the forges do, in a clean environment."""
        clean = {
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin", "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "GITHUB_ACTIONS": "true", **variables,
        }  # fmt: skip
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=folder,
            env=clean, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def run_github(self, is_request: bool, branch: str) -> tuple[bool, str | None, str]:
        """Run the jobs of the workflow of GitHub for one event."""
        shutil.rmtree(self.work, ignore_errors=True)
        git(self.repository, "clone", "--quiet", "--branch", branch, ".", str(self.work))
        event = "pull_request" if is_request else "push"
        if is_request:
            git(self.repository, "clone", "--quiet", "--branch", "main", ".", f"{self.work}/base")
        summary = self.folder / "summary"
        summary.unlink(missing_ok=True)
        passed, built, log = True, "skipped", ""
        for step in self.workflow["jobs"]["build"]["steps"]:
            values = {"github.event_name": event, "steps.build.outcome": built}
            if "uses" in step or not is_met(str(step.get("if", "True")), passed, values):
                continue
            code, output = self.bash(
                step["run"], self.work, GITHUB_WORKSPACE=str(self.work),
                GITHUB_STEP_SUMMARY=str(summary), GITHUB_EVENT_NAME=event, BUILT=built,
            )  # fmt: skip
            log += f"== {step['name']}\n{output}"
            passed &= code == 0
            if step.get("id") == "build":
                built = "success" if code == 0 else "failure"
        if passed and not is_request:
            shutil.copytree(self.work / "out", self.site, dirs_exist_ok=True)
        text = summary.read_text(encoding="utf-8") if summary.exists() else ""
        if is_request:
            comment = self.workflow["jobs"]["comment"]["steps"][-1]["run"]
            site = "https://forge.example/site.zip" if passed else ""
            variables = {"NUMBER": "7", "GITHUB_REPOSITORY": "ada/bees", "SITE": site}
            code, output = self.bash(comment, self.work, **variables)
            log += output
            text = (self.folder / "comment.md").read_text(encoding="utf-8")
            if code or site not in text:
                text = f"The comment failed: {text}"
        return passed, text, log

    def run_gitlab(self, is_request: bool, branch: str) -> tuple[bool, str | None, str]:
        """Run the job of the workflow of GitLab, in a folder that stays from run to run."""
        if not self.work.exists():
            git(self.repository, "clone", "--quiet", ".", str(self.work))
        git(self.work, "fetch", "--quiet", "origin")
        git(self.work, "checkout", "--quiet", "--force", "--detach", f"origin/{branch}")
        git(self.work, "clean", "-ffdxq")
        name = "review" if is_request else "pages"
        job = {**self.workflow[".survey"], **self.workflow[name]}
        code, log = self.bash(
            "\n".join([*job["before_script"], *job["script"]]), self.work,
            CI_PIPELINE_SOURCE="merge_request_event" if is_request else "push",
            CI_PROJECT_DIR=str(self.work),
            CI_MERGE_REQUEST_DIFF_BASE_SHA=git(self.work, "rev-parse", "origin/main").strip(),
        )  # fmt: skip
        if code == 0 and not is_request:
            shutil.copytree(self.work / "public", self.site, dirs_exist_ok=True)
        summary = self.work / "summary.md"
        return code == 0, summary.read_text("utf-8") if summary.exists() else "", log


def is_met(condition: str, passed: bool, values: dict[str, str]) -> bool:
    """Return whether the `if:` of a step is met, of the few forms that our workflow uses."""
    expression = condition.strip("${ }").replace("&&", "and").replace("||", "or")
    for name, value in values.items():
        expression = expression.replace(name, repr(value))
    always = "!cancelled()" in expression
    return (always or passed) and bool(eval(expression.replace("!cancelled()", "True")))


def git(folder: Path, *words: str) -> str:
    """Run git as a made-up author; return what it prints."""
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", *author, *words]
    return subprocess.run(command, cwd=folder, check=True, text=True, capture_output=True).stdout


def faults(runner: Runner, case: Case) -> list[str]:
    """Run a case; return how its result differs from the expected one."""
    passed, comment, log = runner.run_case(case)
    found = []
    if passed is not case.passes:
        found.append(f"passed: {passed}\n{log[-2000:]}")
    if (comment is None) is not (case.comment is None):
        found.append(f"a job {'did not run' if comment is None else 'ran'}")
    elif comment is not None and str(case.comment) not in comment:
        found.append(f"'{case.comment}' is not in the comment: {comment[:1000]}\n{log[-1000:]}")
    if not case.is_request and not (runner.site / "index.html").exists():
        found.append("no site")
    return found


def main() -> int:
    n_failed = 0
    for forge in map(Forge, sys.argv[1:] or Forge):
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(Path(folder) / "forge", forge)
            for case in CASES:
                found = faults(runner, case)
                n_failed += bool(found)
                print(f"{'FAILS' if found else 'ok':5} {forge}: {case.name}", flush=True)
                print("".join(f"      {fault}\n" for fault in found), end="")
    return bool(n_failed)


if __name__ == "__main__":
    raise SystemExit(main())

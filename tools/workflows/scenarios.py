"""Good days and bad days, and what the shipped workflows make of each."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from classifier.commands.new.recipe import Forge as ForgeName
from classifier.commands.new.recipe import workflow_text
from tools.workflows import project
from tools.workflows.machine import Forge, GitHub, GitLab, Outcome, git
from tools.workflows.scripts import with_fetching


@dataclass(frozen=True)
class Scenario:
    """One day: what befell the project, how the workflow was started, and what must come of it."""

    name: str
    event: str
    befalls: Callable[[Path], None] | None = None
    stops_at: str = ""
    """A part of the step that must fail; "" where all must go well."""
    says: str = ""
    """What the log must say."""
    forge: ForgeName = "github"
    fork: bool = False
    fetches: int | None = None
    """How many papers are fetched, with the lines for that in force; None where they are not."""

    forgets: bool = False
    """Whether the forge has lost its cache."""

    @property
    def is_request(self) -> bool:
        return self.event in ("pull_request", "merge_request_event")

    @property
    def is_good(self) -> bool:
        return not self.stops_at


SCENARIOS = (
    Scenario("a push that changes nothing", "push"),
    Scenario("a push with more papers", "push", project.grow),
    Scenario("a night on which nothing happens", "schedule"),
    Scenario("a night with more papers", "schedule", project.grow),
    Scenario("a night that fetches papers", "schedule", fetches=4),
    Scenario("a night that fetches nothing", "schedule", fetches=0),
    Scenario("a night that fetches, lost papers", "schedule", project.lose_papers, "Lost papers",
             "3 papers gone that no editor left out", fetches=4),
    Scenario("the same, accepted by hand", "workflow_dispatch", project.lose_papers, fetches=4),
    Scenario("a pull request with more papers", "pull_request", project.grow),
    Scenario("a pull request from a fork", "pull_request", project.grow, fork=True),
    Scenario("a pull request, taxonomy fault", "pull_request", project.break_taxonomy, "Check",
             "::error file=taxonomy/taxonomy.yaml,line="),
    Scenario("a push, taxonomy fault", "push", project.break_taxonomy, "Check", "'idd'"),
    Scenario("a push, unreadable file", "push", project.break_a_source, "Check",
             "::error file=papers/second.jsonl"),
    Scenario("a push, merge conflict", "push", project.conflict, "Check",
             "::error file=papers/second.jsonl,line=1::"),
    Scenario("a night without a cache", "schedule", says="::notice::Compared with nothing",
             forgets=True),
    Scenario("a night, vanished source", "schedule", project.lose_a_source, "Lost papers",
             "gone that no editor left out"),
    Scenario("a night, lost papers", "schedule", project.lose_papers, "Lost papers",
             "3 papers gone that no editor left out"),
    Scenario("the same, accepted by hand", "workflow_dispatch", project.lose_papers),
    Scenario("a push with more papers", "push", project.grow, forge="gitlab"),
    Scenario("a night on which nothing happens", "schedule", forge="gitlab"),
    Scenario("a night without a cache", "schedule", says="Compared with nothing", forge="gitlab",
             forgets=True),
    Scenario("a merge request with more papers", "merge_request_event", project.grow,
             forge="gitlab"),
    Scenario("a merge request, taxonomy fault", "merge_request_event", project.break_taxonomy,
             "review", "taxonomy/taxonomy.yaml:", forge="gitlab"),
    Scenario("a push, unreadable file", "push", project.break_a_source, "pages",
             "papers/second.jsonl: error", forge="gitlab"),
    Scenario("a night, vanished source", "schedule", project.lose_a_source, "pages",
             "gone that no editor left out", forge="gitlab"),
    Scenario("a night, lost papers", "schedule", project.lose_papers, "pages",
             "3 papers gone that no editor left out", forge="gitlab"),
    Scenario("the same, accepted by hand", "web", project.lose_papers, forge="gitlab"),
)  # fmt: skip


class Trial:
    """A repository whose survey is published, on which scenarios are tried one after the other."""

    def __init__(self, folder: Path, forge: ForgeName, below: str = "") -> None:
        self.below = below
        self.repository = project.make_repository(folder / "repository", below or ".")
        self.forge = Forge(folder / "forge", self.repository)
        text = workflow_text(forge, below)
        runner = GitHub if forge == "github" else GitLab
        self.runner, self.fetching = (
            runner(self.forge, each) for each in (text, with_fetching(text))
        )
        self.folder = folder

    def publish(self) -> Outcome:
        """Run the first push and keep what it published."""
        outcome = self.runner.run("push")
        for kept in ("site", "cache"):
            if (self.forge.folder / kept).exists():
                shutil.copytree(self.forge.folder / kept, self.folder / f"published-{kept}")
        return outcome

    def faults(self, scenario: Scenario) -> list[str]:
        """Try a scenario on the published survey; return what was not as it must be."""
        for kept in ("site", "cache"):
            shutil.rmtree(self.forge.folder / kept)
            shutil.copytree(self.folder / f"published-{kept}", self.forge.folder / kept)
        if scenario.forgets:
            shutil.rmtree(self.forge.cache)
        before = _bytes(self.forge.site)
        branch = f"day-{self.forge.runs}" if scenario.is_request else "main"
        git(self.repository, "checkout", "--quiet", *(["-b"] if branch != "main" else []), branch)
        if scenario.befalls:
            scenario.befalls(self.repository / self.below)
        project.commit(self.repository, scenario.name)
        git(self.repository, "checkout", "--quiet", "main")
        outcome = self._run(scenario, branch)
        found = list(_faults(scenario, outcome, before, _bytes(self.forge.site)))
        last = git(self.repository, "log", "-1", "--format=%s").strip()
        is_kept = last == "New papers" and self._fetched().exists()
        if is_kept is not (bool(scenario.fetches) and scenario.is_good):
            found.append(f"the last commit is {last!r}\n{outcome.log[-2000:]}")
        if not scenario.is_request:
            project.restore(self.repository)
        return found

    def _run(self, scenario: Scenario, branch: str) -> Outcome:
        runner = self.runner if scenario.fetches is None else self.fetching
        extra = {}
        if scenario.fetches is not None:
            file = self.folder / "fetched.jsonl"
            last = project.PAPERS + scenario.fetches
            file.write_text(project.rows(project.PAPERS, last), encoding="utf-8")
            extra = {"FETCHED": str(file)}
        if isinstance(runner, GitHub):
            return runner.run(scenario.event, branch, fork=scenario.fork, **extra)
        return runner.run(scenario.event, branch, **extra)

    def _fetched(self) -> Path:
        return self.repository / self.below / "papers" / "fetched.jsonl"


def _faults(
    scenario: Scenario, outcome: Outcome, before: dict[str, bytes], now: dict[str, bytes]
) -> list[str]:
    found = []
    job = next(iter(outcome.jobs))
    if (outcome.jobs[job] == "success") is not scenario.is_good:
        found.append(f"{job}: {outcome.jobs[job]}\n{outcome.log[-3000:]}")
    at = outcome.stopped_at or ("" if outcome.jobs[job] == "success" else job)
    if scenario.stops_at not in at:
        found.append(f"stopped at {at!r}")
    if scenario.says not in outcome.log:
        found.append(f"not said: {scenario.says}\n{outcome.log[-3000:]}")
    if (scenario.is_request or not scenario.is_good) and before != now:
        found.append("the site is another")
    grows = scenario.befalls or scenario.fetches
    if grows and scenario.is_good and not scenario.is_request and before == now:
        found.append("the site is the old one")
    if scenario.is_request and scenario.is_good and "4 added" not in outcome.summary:
        found.append(f"the summary does not tell what changes: {outcome.summary[:500]}")
    if scenario.forge == "github":
        comments = outcome.told.count("gh api --silent")
        if comments != (scenario.is_request and not scenario.fork):
            found.append(f"{comments} comments")
    return found


def _bytes(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }

"""Where the time of a build goes, learning and rendering aside: seconds and memory a stage.

    python -m tools.benchmarks.composing [364 5000 20000] [--prove] [--profile STAGE]

The shipped taxonomy over so many papers: the shipped ones, then abstracts of ../shared. Labels are
borrowed: paper after paper has those of the shipped papers in turn, so that nothing is learned of
the others. Each size runs in a process of its own; seconds are of the processor, memory is the most
that the process held by the end of the stage. With --prove the site is rendered, too, and proven.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from classifier.build import _data_files, _excluded_table, _moves
from classifier.cli.collector import no_collector
from classifier.files.json_text import json_bytes
from classifier.files.manifest import MANIFEST_NAME
from classifier.files.memo import Memos
from classifier.inputs import Inputs
from classifier.labelling.labels import PaperLabels
from classifier.learned import Learned
from classifier.learning import learn
from classifier.project import Project
from classifier.project_inputs import read_project
from classifier.project_labels import labels_in_force
from classifier.review.editorial import editorial_acts
from classifier.sheets import sheet_files
from classifier.site import Annex, check_site, render_site
from classifier.site.proof.prove import prove
from classifier.survey.assemble import assemble
from classifier.survey.changes.in_json import changes_json
from classifier.survey.paper_reading import read_papers
from classifier.survey.quality import quality_sentences
from tools.benchmarks.corpora import ROOT, write_project

SIZES = (364, 5_000, 20_000)
_T = TypeVar("_T")


class Stages:
    """Runs stages and notes what each took."""

    def __init__(self, profiled: str = "") -> None:
        """profiled: a part of the name of the stages whose profile is printed."""
        self.rows: list[tuple[str, float, float]] = []
        """(stage, seconds, megabytes)."""
        self._profiled = profiled

    def run(self, name: str, stage: Callable[[], _T]) -> _T:
        """Return what a stage returns."""
        profile = cProfile.Profile() if self._profiled and self._profiled in name else None
        started = time.process_time()
        found = profile.runcall(stage) if profile else stage()
        seconds = time.process_time() - started
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        self.rows.append((name, seconds, megabytes))
        if profile:
            pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(35)
        return found


def stages_of(project: Project, profiled: str, proven: bool) -> Stages:
    """Build a project but for learning, and return what each stage took."""
    stages, memos = Stages(profiled), Memos()
    shipped = learn(read_project(Project(ROOT)))
    run = stages.run
    inputs = run("read and merge", lambda: read_project(project, memos=memos))
    learned = borrowed(shipped, inputs)
    metrics = learned.metrics
    labels = run("labels in force", lambda: labels_in_force(inputs, learned.machine))
    changes, held = run("moves", lambda: _moves(inputs, learned.machine, labels, metrics, None))
    papers, lexicons = inputs.corpus.papers, inputs.taxonomy.lexicons
    readings = run("readings of texts", lambda: read_papers(papers, lexicons, memos))
    quality = quality_sentences(metrics, inputs.taxonomy.first.id)
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases)
    edition, facts = run(
        "facts, sections, related papers",
        lambda: assemble(
            inputs.taxonomy, inputs.corpus, labels, quality, inputs.version, acts, metrics,
            changes, readings,
        ),
    )  # fmt: skip
    files = run("data files", lambda: _data_files(inputs, edition, facts, metrics))
    draws = learned.draws
    files |= run(
        "sheets", lambda: sheet_files(inputs, edition, labels, draws, xlsx=False, mark=False)
    )
    if proven:
        files["changes.json"] = json_bytes(changes_json(changes, held))
        files["excluded.csv"] = _excluded_table(edition)
        annex = Annex(files, metrics, changes, held)
        files |= run(
            "pages (of others)",
            lambda: render_site(edition, project.template_folders, None, annex),
        )
        run("links", lambda: check_site(files, also=(MANIFEST_NAME,)))
        run("proof", lambda: prove(files, edition))
    return stages


def borrowed(shipped: Learned, inputs: Inputs) -> Learned:
    """Return what was learned of other papers as if it had been of these."""
    papers, known = inputs.corpus.papers, shipped.machine
    machine: Iterator[PaperLabels] = (
        replace(known[number % len(known)], paper_id=paper.id)
        for number, paper in enumerate(papers)
    )
    return replace(shipped, machine=tuple(machine))


def main() -> None:
    """Print one table a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--prove", action="store_true", help="render and prove, too")
    parser.add_argument("--profile", default="", metavar="STAGE", help="print its profile")
    parser.add_argument("--project", type=Path, help="of one size, where it is made already")
    told = parser.parse_args()
    if len(told.sizes) > 1:
        for size in told.sizes:
            command = [sys.executable, "-m", "tools.benchmarks.composing", str(size)]
            subprocess.run([*command, *["--prove"] * told.prove], check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        root = told.project or Path(folder) / "project"
        if not told.project:
            write_project(told.sizes[0], root)
        with no_collector():  # as the command has it
            stages = stages_of(Project(root), told.profile, told.prove)
    print(f"\n{told.sizes[0]:,} papers\n\n| stage | seconds | µs a paper | MB so far |")
    print("|---|---:|---:|---:|")
    for name, seconds, megabytes in stages.rows:
        each = 1e6 * seconds / told.sizes[0]
        print(f"| {name} | {seconds:.2f} | {each:,.0f} | {megabytes:,.0f} |")
    print(f"| all | {sum(seconds for _, seconds, _ in stages.rows):.2f} | | |", flush=True)


if __name__ == "__main__":
    main()

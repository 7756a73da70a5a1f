"""`fieldguide check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import ProjectOption, StrictOption
from classifier.cli.printing import command, count, print_columns, print_faults, print_merged
from classifier.errors import UsageError, sort_faults

if TYPE_CHECKING:
    from classifier.inputs import Inputs

_MOST_PROPOSALS = 3
_REPORT_KEYS = frozenset({"papers", "decided", "findings", "cues"})
"""What tells a file of --json from anybody else's."""
_PROPOSALS = """
Groups of papers that no category explains: a category may be missing. There is always such a
group; read the titles before you believe it."""

_REVIEW_AGAIN = """
To review again, since the taxonomy changed (`fieldguide review next` draws them):"""


@command
def check(
    project: ProjectOption = None,
    strict: StrictOption = False,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Also judge every cue and category by papers and reviews."),
    ] = False,
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json", metavar="FILE", help="Write all of the deep findings and figures here."
        ),
    ] = None,
) -> None:
    """Check taxonomy, papers, ledger and templates: every fault at once, nothing else written.

    Of a taxonomy that changed, it says which decisions to look at again: those with a value that
    is gone, and those older than a category, which say nothing of it.

    An error (broken syntax, an unknown key, an id used twice, a file that cannot be read) makes
    the exit code 1; a warning does so only with --strict.

    With --deep the classifier is trained, and cues that mislead, say too much or say nothing are
    named, and categories that lack evidence or are hard to tell apart, with the papers that show
    it. That is advice: it never changes the exit code.

    Examples: `fieldguide check`; `fieldguide check --deep`;
    `fieldguide check --deep --json findings.json` for all figures of all cues.
    """
    from classifier.files.memo import Memos
    from classifier.files.target import check_report
    from classifier.inputs import quarantine_fault
    from classifier.progress import progress_bar
    from classifier.project import open_project
    from classifier.project_inputs import read_project

    if json_file is not None and not deep:
        raise UsageError("--json holds the figures of --deep: give both.")
    where = open_project(project)
    if json_file is not None:
        check_report(json_file, _REPORT_KEYS, folders=where.authored_folders)
    with progress_bar() as progress:
        inputs = read_project(where, progress, memos=Memos(where.out))
    doubtful = [*inputs.warnings, *map(quarantine_fault, inputs.corpus.quarantined)]
    print_columns(inputs.corpus.files)
    print_faults(sort_faults(doubtful))
    categories = sum(len(facet.ids) for facet in inputs.taxonomy.facets.values())
    print(
        f"{count(len(inputs.taxonomy.facets), 'facet')} with "
        f"{count(categories, 'category', 'categories')}, "
        f"{count(len(inputs.corpus.papers), 'paper')} from "
        f"{count(inputs.corpus.records, 'record')}, {len(inputs.decisions)} of them reviewed: "
        f"no error, {count(len(doubtful), 'warning')}."
    )
    without = sum(paper.abstract_kind == "none" for paper in inputs.corpus.papers)
    if without:
        have = count(without, "paper has", "papers have")
        print(f"{have} no abstract: `fieldguide fetch metadata` looks for what is missing.")
    print_merged(inputs.corpus.merged)
    _print_review_again(inputs)
    if deep:
        _check_deeply(inputs, json_file)
    if strict and doubtful:
        raise typer.Exit(1)


def _print_review_again(inputs: Inputs) -> None:
    """Print which decisions the taxonomy has left behind."""
    from classifier.advice.review_again import review_again_lines

    lines = review_again_lines(
        inputs.taxonomy,
        inputs.ledger,
        inputs.versions,
        inputs.corpus.aliases,
        {paper.id for paper in inputs.corpus.papers},
    )
    if lines:
        print(_REVIEW_AGAIN)
        print("\n".join(f"  {line}" for line in lines))


def _check_deeply(inputs: Inputs, json_file: Path | None) -> None:
    """Print what papers and decisions say of the taxonomy."""
    from classifier.advice.deep_lint import deep_lint, deep_lint_json, deep_lint_lines
    from classifier.advice.growing import proposal_lines, propose_categories
    from classifier.files.atomic import write_file
    from classifier.files.json_text import json_bytes
    from classifier.learning import label_corpus, train
    from classifier.progress import progress_bar

    with progress_bar() as progress:
        classifier = train(inputs, progress)
        labels = label_corpus(inputs, classifier, progress)
    papers = inputs.corpus.papers
    lint = deep_lint(classifier, inputs.document, papers, inputs.decisions)
    print("\n" + "\n".join(deep_lint_lines(lint)))
    proposals = propose_categories(inputs.taxonomy, papers, labels, most=_MOST_PROPOSALS)
    if proposals:
        print(_PROPOSALS)
        print("\n".join(proposal_lines(proposals)))
    if json_file is not None:
        write_file(json_file, json_bytes(deep_lint_json(lint)))

"""`fieldguide check`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from classifier.cli.options import ProjectOption, StrictOption
from classifier.cli.printing import (
    command,
    count,
    count_faults,
    print_ci_command,
    print_columns,
    print_faults,
    print_merged,
    print_report,
    say,
)
from classifier.cli.progress_bar import progress_bar
from classifier.commands.new.recipe import repository_of
from classifier.errors import SEVERITIES, Fault, InputError, condense, sort_faults, strict_faults
from classifier.labelling.labels import IMPORTED
from classifier.project import Project, open_project
from classifier.text.normalise import CONTROL_CHARACTERS

if TYPE_CHECKING:
    from classifier.survey.inputs import Inputs


class FaultFormat(StrEnum):
    """How `--format` prints faults."""

    TEXT = "text"
    GITHUB = "github"


def github_commands(faults: Sequence[Fault], root: Path) -> list[str]:
    """Return each fault as a workflow command of GitHub Actions, `::warning file=…,line=…::…`.

    root: the project folder. Paths are relative to the root of its repository, as annotations
    require; without a repository, to the project. Line ends, percent signs, and colons and commas
    in properties are escaped as in GitHub's toolkit, so that a fault cannot forge a command.
    """
    worst_first = sorted(faults, key=lambda fault: SEVERITIES.index(fault.severity))
    folder = root.resolve()
    below = folder.relative_to(repository_of(folder) or folder)
    commands = []
    for fault in condense(worst_first):
        file = _escape_data((below / fault.file).as_posix()).replace(":", "%3A").replace(",", "%2C")
        line = "" if fault.line is None else f",line={fault.line}"
        commands.append(f"::{fault.severity} file={file}{line}::{_escape_data(str(fault))}")
    return commands


def _escape_data(text: str) -> str:
    r"""Escape the characters that could end or forge a workflow command.

    >>> _escape_data("50 %\n::error::no")
    '50 %25%0A::error::no'
    """
    text = CONTROL_CHARACTERS.sub(
        lambda sign: ascii(sign[0])[1:-1], text
    )  # A CI log obeys escape codes, as a terminal does.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


@command
def check(
    project: ProjectOption = None,
    strict: StrictOption = False,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Also list cues that mislead or match nothing, and categories without evidence.",
        ),
    ] = False,
    claims: Annotated[
        bool,
        typer.Option(
            "--claims", help="Also propose papers for each claim, each with a line to copy."
        ),
    ] = False,
    suggest: Annotated[
        bool,
        typer.Option("--suggest", help="Also propose cues for each category; needs no reviews."),
    ] = False,
    fault_format: Annotated[
        FaultFormat,
        typer.Option(
            "--format",
            metavar="text|github",
            help="Output format: text, or annotations for GitHub Actions.",
        ),
    ] = FaultFormat.TEXT,
) -> None:
    """Check taxonomy, papers, ledger and templates, and list all faults. Writes nothing.

    An error (an invalid or unreadable file) sets the exit code to 1. A warning (something may be
    lost or misread) does so only with --strict. A notice never does.

    With --suggest, “(9 of 11 papers)” after a phrase means that eleven papers have it and nine of
    them are probably in the category.

    Examples: `fieldguide check`; `fieldguide check --suggest` while you write a taxonomy;
    `fieldguide check --deep` if many labels are wrong; `fieldguide check --strict --format github`
    in a workflow.
    """
    where = open_project(project)
    from classifier.labelling.dead_stems import dead_stem_faults
    from classifier.pipeline import read_project
    from classifier.survey.inputs import quarantine_faults

    try:
        with progress_bar() as progress:
            inputs = read_project(where, progress)
    except InputError as error:
        if fault_format is FaultFormat.TEXT:
            raise
        _print_formatted(error.faults, where)
        raise typer.Exit(1) from None
    stems = dead_stem_faults(inputs.taxonomy, inputs.document, inputs.corpus.papers)
    faults = sort_faults([*inputs.warnings, *quarantine_faults(inputs.corpus), *stems])
    print_columns(inputs.corpus.files)
    if fault_format is FaultFormat.TEXT:
        print_faults(faults)
    else:
        _print_formatted(faults, where)
    _print_counts(inputs, faults)
    if claims:
        _print_candidates(inputs)
    if deep or suggest:
        _print_advice(inputs, deep, suggest)
    if strict and strict_faults(faults):
        raise typer.Exit(1)


def _print_advice(inputs: Inputs, deep: bool, suggest: bool) -> None:
    """Train the classifier, and print the output of --deep and --suggest."""
    from classifier.commands.cue_proposals import suggestions
    from classifier.evaluation.advice import advice_report, advise
    from classifier.learning import train

    papers, decisions = inputs.corpus.papers, inputs.decisions
    with progress_bar() as progress:
        classifier = train(inputs, progress)
    if deep:
        print()
        print_report(advice_report(advise(classifier, inputs.document, papers, decisions)))
    if suggest:
        print()
        print("\n".join(suggestions(classifier, papers, decisions)))


_HOW_TO_PLACE = (
    "If a paper bears on the claim, copy its last line below `for:`, `mixed:` or `against:` of the "
    "claim. The words in quotation marks point at the sentence, which the survey prints whole."
)


def _print_candidates(inputs: Inputs) -> None:
    from classifier.commands.claim_candidates import claim_candidates

    if not inputs.claims.claims:
        print("There are no claims in taxonomy/claims.yaml.")
    has_candidates = False
    for claim, candidates in claim_candidates(inputs):
        print(f"\n{claim.text} ({inputs.claims.file}:{claim.line})")
        for each in candidates:
            has_candidates = True
            print(f"  {each.paper.title_display}\n      {each.sentence}\n    {each.placement}")
        if not candidates:
            print("  No other paper is similar.")
    if has_candidates:
        print(f"\n{_HOW_TO_PLACE}")


def _print_formatted(faults: Sequence[Fault], project: Project) -> None:
    for line in github_commands(faults, project.root):
        print_ci_command(line)
    if any(fault.severity == "error" for fault in faults):
        say(f"{count_faults(faults)}; nothing was written.")


def _print_counts(inputs: Inputs, faults: Sequence[Fault]) -> None:
    categories = sum(len(facet.ids) for facet in inputs.taxonomy.facets.values())
    print(
        f"{count(len(inputs.taxonomy.facets), 'facet')} with "
        f"{count(categories, 'category', 'categories')}, "
        f"{count(len(inputs.corpus.papers), 'paper')} from "
        f"{count(inputs.corpus.records, 'record')}, {_decision_counts(inputs)}: "
        f"no error{', ' if faults else ''}{count_faults(faults)}."
    )
    without = sum(paper.abstract_kind == "none" for paper in inputs.corpus.papers)
    if without:
        have = count(without, "paper has", "papers have")
        print(f"{have} no abstract: `fieldguide fetch metadata` looks up missing abstracts.")
    print_merged(inputs.corpus.merged)


def _decision_counts(inputs: Inputs) -> str:
    by_paper = (decided.values() for decided in inputs.decisions.values())
    imported = sum(
        all(decision.drawn_by == IMPORTED for decision in decisions) for decisions in by_paper
    )
    reviewed = f"{len(inputs.decisions) - imported} of them reviewed"
    return f"{reviewed}, {imported} imported" if imported else reviewed

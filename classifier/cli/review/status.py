"""`fieldguide review status`."""

from __future__ import annotations

from classifier.cli.options import ProjectOption
from classifier.cli.printing import command


@command
def status(project: ProjectOption = None) -> None:
    """Say how far the reviewing is and whether it may stop.

    Counted are reviewed papers by category, by how they were drawn and by reviewer; sheets of out/
    that hold edits; conflicts between reviewers; and decisions that are probably slips. Then how
    many of the papers that nobody reviewed are filed right, with an interval: measured on audited
    papers, of each of which the classifier is asked without having seen its decision.

    Example: `fieldguide review status`.
    """
    from classifier.commands.status import review_status, status_lines
    from classifier.progress import progress_bar
    from classifier.project import open_project

    where = open_project(project)
    with progress_bar() as progress:
        found = review_status(where, progress)
    print("\n".join(status_lines(found)))

"""Compare two builds, and update the lock: `fieldguide diff` and `fieldguide lock`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from classifier.errors import Fault, OutputError, UsageError
from classifier.files.built_folder import file_digest
from classifier.files.lock import sole_writer
from classifier.files.writing import write_file
from classifier.learning import train_and_label
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.lock import lock_bytes, make_lock
from classifier.survey.changes.compare import Changes, compare
from classifier.survey.changes.digest import format_digest, format_digest_since
from classifier.survey.changes.published import (
    Publication,
    published_build,
    published_lock,
    read_publication,
)
from classifier.survey.inputs import labels_without_lock, read_inputs
from classifier.taxonomy.versions import versions_bytes, with_current


def diff(old: Path, new: Path) -> Changes:
    """Return the changes between two out/ folders or locks. Raises InputError for other files."""
    return compare(read_publication(old), read_publication(new))


def diff_digest(old: Path, new: Path, *, markdown: bool = False) -> str:
    """Return the changes between two out/ folders as a digest. Raises InputError as `diff`."""
    before, now = read_publication(old), read_publication(new)
    return format_digest(compare(before, now), _names(now), markdown=markdown)


def digest_since(out: Path, since: str, *, markdown: bool = False) -> str:
    """Return the digest of an out/ folder since an ISO date. Raises InputError as `diff`."""
    now = read_publication(out)
    return format_digest_since(now, since, _names(now), markdown=markdown)


def _names(publication: Publication) -> dict[str, str]:
    """Return id -> name of each category of the first facet; {} without a taxonomy."""
    facet = publication.taxonomy.first if publication.taxonomy else None
    return {category.id: category.name for category in facet.walk()} if facet else {}


@dataclass(frozen=True, slots=True)
class LockPlan:
    """The effect of locking the current labels."""

    path: Path
    """Path of the lock."""
    papers: int
    """Number of papers in the new lock."""
    changes: Changes | None
    """Changes from the current lock to the new one; None if there is no lock yet."""
    files: Mapping[Path, bytes]
    """Files to write, in this order: the lock last."""
    before: Mapping[Path, str]
    """Digests of these files when they were read; "" for a missing file."""
    warnings: tuple[Fault, ...]


def plan_lock(
    project: Project, progress: Progress | None = None, today: str | None = None
) -> LockPlan:
    """Label the papers of `project` without the lock, and compare; write nothing.

    Decisions are applied, and excluded papers are left out. today: ISO date to record for papers
    that are new or have a new primary; by default that of SOURCE_DATE_EPOCH, or else today. Raises
    InputError with the faults of all files of the project, including the current lock.
    """
    before = {path: file_digest(path) for path in (project.versions_file, project.lock_file)}
    inputs = read_inputs(project, progress)
    labels = labels_without_lock(inputs, train_and_label(inputs, progress)[1])
    now = published_build(inputs, labels)
    locked = published_lock(inputs.lock, inputs.versions) if inputs.lock else None
    pairs = zip(inputs.corpus.papers, labels, strict=True)
    published = [(paper, label) for paper, label in pairs if paper.id in now.papers]
    lock = make_lock(
        inputs.taxonomy,
        [paper for paper, _ in published],
        [label for _, label in published],
        inputs.lock.rows(inputs.corpus.aliases) if inputs.lock else None,
        today or record_date(),
    )
    return LockPlan(
        project.lock_file,
        len(lock.papers),
        compare(locked, now) if locked else None,
        {
            # First, so that a lock never refers to an unrecorded version of the taxonomy.
            project.versions_file: versions_bytes(with_current(inputs.versions, inputs.taxonomy)),
            project.lock_file: lock_bytes(lock),
        },
        before,
        inputs.warnings,
    )


def record_date() -> str:
    """Return the ISO date of SOURCE_DATE_EPOCH, or else today; raise UsageError if invalid."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if not epoch:
        return date.today().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is '{epoch}'; expected seconds since 1970, such as 1767225600."
        ) from None


def write_lock(plan: LockPlan) -> None:
    """Write the planned files, each one atomically.

    Raises OutputError if a file was changed since it was read, or cannot be written.
    """
    with ExitStack() as locks:
        for path in plan.files:
            locks.enter_context(sole_writer(path))
        for path in plan.files:
            if file_digest(path) != plan.before[path]:
                raise OutputError(
                    f"{path}: was changed by another program; nothing was written. Run the "
                    "command again."
                )
        for path, data in plan.files.items():
            write_file(path, data)

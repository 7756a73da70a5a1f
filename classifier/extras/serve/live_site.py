"""Serve a survey, watch its files, and rebuild it when they change.

The watcher compares times and sizes of files twice per second. It needs no library, and it works on
network drives and in containers, where the system does not report changes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from classifier.errors import FieldguideError, InputError, PendingEditsError
from classifier.extras.serve.review_desk import ADDRESS, ReviewDesk
from classifier.extras.serve.server import News, Problem, Server, open_server
from classifier.extras.serve.site_folder import SiteFolder
from classifier.files.built_folder import MANIFEST_NAME, SHEET, recorded_files
from classifier.pipeline import build
from classifier.progress import Progress
from classifier.project import Project
from classifier.survey.changes.compare import Changes, compare
from classifier.survey.changes.published import Publication, read_build
from classifier.survey.last_build import BuildOptions, BuildReport, report_if_up_to_date
from classifier.taxonomy.load import source_patterns

EVERY = 0.5
"""Interval between two checks, in seconds."""
_QUIET = 0.15
"""Time without changes before a build starts, in seconds, since many files may be saved at once."""

Snapshot = dict[str, tuple[int, int, int]]
"""Path -> modification time, size and inode number of a file."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one build."""

    report: BuildReport | None = None
    """Report of the build; None if it failed."""
    problem: Problem | None = None
    pages: int = 0
    """Number of pages that were changed, added or removed."""
    changes: Changes | None = None
    """Changes since the previous survey; None without one, or if nothing was written."""


class LiveSite:
    """A project's site on this machine that is kept up to date."""

    def __init__(self, project: Project, out: Path, options: BuildOptions, server: Server) -> None:
        """Do not call this directly; use `live_site`, which also stops the server."""
        self._project, self._out, self._options, self._server = project, out, options, server
        self._patterns: tuple[str, ...] = ()
        self._built_from: Snapshot = {}
        self._publication: Publication | None = None

    @property
    def address(self) -> str:
        """The address of the front page."""
        return self._server.address

    @property
    def review_address(self) -> str:
        """The address of the review page with its token; "" if there is no review page."""
        desk = self._server.desk
        return f"{self.address.rstrip('/')}{ADDRESS}?token={desk.token}" if desk else ""

    @property
    def watched_paths(self) -> tuple[str, ...]:
        """The watched folders, and the patterns of watched files elsewhere."""
        folders = [f"{folder.name}/" for folder in self._folders]
        elsewhere = [name for name in self._patterns if not name.startswith(tuple(folders))]
        return (*folders, *elsewhere)

    def start(self) -> None:
        """Start answering requests."""
        self._server.start()

    def wait(self, seconds: float | None = None) -> list[str]:
        """Wait until files have changed since the last build began; return their sorted paths.

        seconds: maximum time to wait; after it, the result may be empty.
        """
        rounds = None if seconds is None else max(1, round(seconds / EVERY))
        while rounds is None or rounds > 0:
            now = self._snapshot()
            if now != self._built_from:
                before = None
                while now != before:
                    Event().wait(_QUIET)
                    before, now = now, self._snapshot()
                names = now.keys() | self._built_from.keys()
                return sorted(name for name in names if now.get(name) != self._built_from.get(name))
            rounds = None if rounds is None else rounds - 1
            Event().wait(EVERY)
        return []

    def rebuild(self, progress: Progress | None = None) -> Attempt:
        """Rebuild the site and notify all open pages; if the build fails, the site is unchanged.

        This does not raise an error for faults of the project; the problem is part of the result.
        """
        taxonomy = self._project.taxonomy_file
        with suppress(OSError, FieldguideError):  # Keep the known patterns if it is unreadable.
            self._patterns = source_patterns(taxonomy, self._project.shown(taxonomy))
        self._built_from = self._snapshot()  # Later changes trigger the next build.
        before = recorded_files(self._out / MANIFEST_NAME)
        publication = self._publication or self._last_publication()
        try:
            built = self._built(progress)
        except Exception as error:
            problem = problem_of(error)
            self._server.news.publish(problem)
            return Attempt(problem=problem)
        self._server.news.publish(None)
        self._built_from |= self._own_files()
        after = recorded_files(self._out / MANIFEST_NAME)
        names = (name for name in before.keys() | after.keys() if name.endswith(".html"))
        pages = sum(before.get(name) != after.get(name) for name in names)
        if pages or publication is None:
            self._publication = self._last_publication()
        now = self._publication or publication
        changes = compare(publication, now) if publication and now else None
        self._publication = now
        return Attempt(built, None, pages, changes)

    def _built(self, progress: Progress | None) -> BuildReport:
        """Build the survey."""
        known = report_if_up_to_date(self._project, self._out, self._options)
        if known is None:
            return build(self._project, self._out, self._options, progress).report
        if self._options.strict and known.strict_faults:
            raise InputError(known.strict_faults)
        return known

    def _last_publication(self) -> Publication | None:
        """Return the publication of the last build."""
        try:
            return read_build(self._out)
        except (FieldguideError, OSError):
            return None

    @property
    def _folders(self) -> tuple[Path, ...]:
        """Return the folders to watch."""
        return (*self._project.authored_folders, self._project.template_folders[0])

    def _snapshot(self) -> Snapshot:
        """Return the state of all input files of the survey, and of `_own_files`."""
        paths: list[str] = []
        for root in self._folders:
            for folder, folders, names in os.walk(root):
                folders[:] = [name for name in folders if not name.startswith(".")]
                paths += [os.path.join(folder, name) for name in names]
        for pattern in self._patterns:
            with suppress(ValueError, NotImplementedError, OSError):  # `check` reports the fault.
                paths += map(str, self._project.root.glob(pattern))
        out = os.path.join(self._out, "")
        states = {path: _file_state(path) for path in paths if not path.startswith(out)}
        return {path: state for path, state in states.items() if state} | self._own_files()

    def _own_files(self) -> Snapshot:
        """Return the state of built files that a user or another build may change."""
        paths = [str(self._out / name) for name in (SHEET, MANIFEST_NAME)]
        return {path: state for path in paths if (state := _file_state(path))}


@contextmanager
def live_site(
    project: Project,
    out: Path,
    options: BuildOptions,
    port: int | None,
    log: Callable[[str], None] = lambda line: None,
    desk: ReviewDesk | None = None,
) -> Iterator[LiveSite]:
    """Open a port and yield the site of a project; nothing is built or served yet.

    port: 0 for any free port, None for the first free port from 8000. log: called with one line per
    request. desk: adds the review page. Raises UsageError if the port is in use.
    """
    server = open_server(port, lambda number: Server(number, SiteFolder(out), News(), log, desk))
    try:
        yield LiveSite(project, out, options, server)
    finally:
        server.stop()


def problem_of(error: Exception) -> Problem:
    """Return the problem to show for an error of a build."""
    if isinstance(error, FieldguideError | OSError):  # OSError: a file disappeared.
        faults = error.faults if isinstance(error, InputError) else ()
        waits = isinstance(error, PendingEditsError)
        return Problem("waits" if waits else "fault", str(error), faults)
    from traceback import format_exception

    text = f"A bug in Fieldguide ({type(error).__name__}: {error}). Please report it."
    return Problem("fault", text, trace="".join(format_exception(error)))


def _file_state(path: str) -> tuple[int, int, int] | None:
    """Return time, size and inode of a file; None if it is hidden or not a regular file."""
    if os.path.basename(path).startswith("."):
        return None
    try:
        found = os.stat(path)
    except OSError:
        return None
    is_file = stat.S_ISREG(found.st_mode)
    return (found.st_mtime_ns, found.st_size, found.st_ino) if is_file else None

"""The site while somebody works on it: served, watched, built anew.

Twice a second times and sizes are compared, nothing is read: it needs no library and works on
network drives and in containers, where systems tell nobody of changes.
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
from classifier.survey.last_build import BuildOptions, BuildReport, up_to_date
from classifier.taxonomy.load import source_patterns

EVERY = 0.5
"""Seconds between two looks."""
_QUIET = 0.15
"""Seconds in which nothing may change before what changed is built: many files may be saved."""

Look = dict[str, tuple[int, int, int]]
"""Path -> time of change, size and number of a file."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one build."""

    report: BuildReport | None = None
    """What the build reported; None where there was a problem."""
    problem: Problem | None = None
    pages: int = 0
    """Pages that are others than before, new or gone."""
    changes: Changes | None = None
    """Against the survey before; None where there was none, or nothing was written."""


class LiveSite:
    """A project's site on this machine, kept up to date."""

    def __init__(self, project: Project, out: Path, options: BuildOptions, server: Server) -> None:
        """Use `live_site`, which ends it, too."""
        self._project, self._out, self._options, self._server = project, out, options, server
        self._patterns: tuple[str, ...] = ()
        self._seen: Look = {}
        self._publication: Publication | None = None

    @property
    def address(self) -> str:
        """The address of the front page."""
        return self._server.address

    @property
    def review_address(self) -> str:
        """The address of the review page with its token; "" where there is none."""
        desk = self._server.desk
        return f"{self.address.rstrip('/')}{ADDRESS}?token={desk.token}" if desk else ""

    @property
    def watched(self) -> tuple[str, ...]:
        """The folders whose changes count, and the patterns that lead elsewhere."""
        folders = [f"{folder.name}/" for folder in self._folders]
        elsewhere = [name for name in self._patterns if not name.startswith(tuple(folders))]
        return (*folders, *elsewhere)

    def start(self) -> None:
        """Answer from now on."""
        self._server.start()

    def wait(self, seconds: float | None = None) -> list[str]:
        """Wait until something changed since the last build began, and it is quiet again.

        Returns which files, sorted. seconds: at most so long; then it may be nothing.
        """
        rounds = None if seconds is None else max(1, round(seconds / EVERY))
        while rounds is None or rounds > 0:
            now = self._look()
            if now != self._seen:
                before = None
                while now != before:
                    Event().wait(_QUIET)
                    before, now = now, self._look()
                names = now.keys() | self._seen.keys()
                return sorted(name for name in names if now.get(name) != self._seen.get(name))
            rounds = None if rounds is None else rounds - 1
            Event().wait(EVERY)
        return []

    def rebuild(self, progress: Progress | None = None) -> Attempt:
        """Build what changed and tell all open pages; a build that fails leaves the site as it is.

        Never raises for what is wrong with the project; the problem is part of what is returned.
        """
        taxonomy = self._project.taxonomy_file
        with suppress(OSError, FieldguideError):  # while it cannot be read, those that are known
            self._patterns = source_patterns(taxonomy, self._project.shown(taxonomy))
        self._seen = self._look()  # what changes meanwhile is built next
        before = recorded_files(self._out / MANIFEST_NAME)
        publication = self._publication or self._published()
        try:
            built = self._built(progress)
        except Exception as error:
            problem = problem_of(error)
            self._server.news.publish(problem)
            return Attempt(problem=problem)
        self._server.news.publish(None)
        self._seen |= self._own_files()
        after = recorded_files(self._out / MANIFEST_NAME)
        names = (name for name in before.keys() | after.keys() if name.endswith(".html"))
        pages = sum(before.get(name) != after.get(name) for name in names)
        if pages or publication is None:
            self._publication = self._published()
        now = self._publication or publication
        changes = compare(publication, now) if publication and now else None
        self._publication = now
        return Attempt(built, None, pages, changes)

    def _built(self, progress: Progress | None) -> BuildReport:
        known = up_to_date(self._project, self._out, self._options)
        if known is None:
            return build(self._project, self._out, self._options, progress).report
        if self._options.strict and known.doubtful:
            raise InputError(known.doubtful)
        return known

    def _published(self) -> Publication | None:
        try:
            return read_build(self._out)
        except (FieldguideError, OSError):
            return None

    @property
    def _folders(self) -> tuple[Path, ...]:
        return (*self._project.authored_folders, self._project.template_folders[0])

    def _look(self) -> Look:
        """Return how all files are now that a survey is made of, and those of `_own_files`."""
        paths: list[str] = []
        for root in self._folders:
            for folder, folders, names in os.walk(root):
                folders[:] = [name for name in folders if not name.startswith(".")]
                paths += [os.path.join(folder, name) for name in names]
        for pattern in self._patterns:
            with suppress(ValueError, NotImplementedError, OSError):  # `check` says what is wrong
                paths += map(str, self._project.root.glob(pattern))
        out = os.path.join(self._out, "")
        found = {path: _mark(path) for path in paths if not path.startswith(out)}
        return {path: mark for path, mark in found.items() if mark} | self._own_files()

    def _own_files(self) -> Look:
        """Return how what a build wrote is now, of what people or another build may change."""
        paths = [str(self._out / name) for name in (SHEET, MANIFEST_NAME)]
        return {path: mark for path in paths if (mark := _mark(path))}


@contextmanager
def live_site(
    project: Project,
    out: Path,
    options: BuildOptions,
    port: int | None,
    log: Callable[[str], None] = lambda line: None,
    desk: ReviewDesk | None = None,
) -> Iterator[LiveSite]:
    """Give the site of a project, at a port of its own; nothing is built or answered yet.

    port: 0 for any free one, None for the first free one from 8000 on. log: called with a line per
    request. desk: offers the review page. Raises UsageError where the port is taken.
    """
    server = open_server(port, lambda number: Server(number, SiteFolder(out), News(), log, desk))
    try:
        yield LiveSite(project, out, options, server)
    finally:
        server.stop()


def problem_of(error: Exception) -> Problem:
    """Return an error of a build in the words of the page and the terminal."""
    if isinstance(error, FieldguideError | OSError):  # a file that vanished while it was read
        faults = error.faults if isinstance(error, InputError) else ()
        waits = isinstance(error, PendingEditsError)
        return Problem("waits" if waits else "fault", str(error), faults)
    from traceback import format_exception

    text = f"A fault of Fieldguide itself ({type(error).__name__}: {error}). Please report it."
    return Problem("fault", text, trace="".join(format_exception(error)))


def _mark(path: str) -> tuple[int, int, int] | None:
    """Return what tells that a file is no other; None where it is none, or hidden."""
    if os.path.basename(path).startswith("."):
        return None
    try:
        found = os.stat(path)
    except OSError:
        return None
    is_file = stat.S_ISREG(found.st_mode)
    return (found.st_mtime_ns, found.st_size, found.st_ino) if is_file else None

"""The site while somebody works on it: served, watched, built anew.

Twice a second times and sizes are compared, nothing is read: it needs no library and works on
network drives and in containers, where systems tell nobody of changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from classifier.errors import FieldguideError, InputError
from classifier.extras.serve.news import News, Problem, problem_of
from classifier.extras.serve.server import Server
from classifier.extras.serve.site_folder import SiteFolder, open_sockets
from classifier.files.built_folder import MANIFEST_NAME, SHEETS, FileRecord, recorded_files
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
"""Seconds in which nothing may change before what changed is built."""
_MOST_ROUNDS = 40
"""How often quiet is waited for: a file that grows without end is built in the end."""
_OF_A_BUILD = (*SHEETS, MANIFEST_NAME)
_WILD = frozenset("*?[")

Look = dict[str, tuple[int, ...]]
"""Path -> what tells that a file is no other."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder whose files count, down to a depth."""

    folder: Path
    depth: int
    """How many levels of files: 1 for those that lie in the folder itself."""


ANY_DEPTH = 64


def place_of(root: Path, pattern: str) -> Place:
    """Return where files lie that a pattern of `survey.sources` can match."""
    parts = Path(pattern).parts
    fixed = 0
    while fixed < len(parts) - 1 and not set(parts[fixed]) & _WILD:
        fixed += 1
    depth = ANY_DEPTH if "**" in pattern else max(1, len(parts) - fixed)
    return Place(root.joinpath(*parts[:fixed]), depth)


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

    def __init__(self, project: Project, out: Path, options: BuildOptions, server: Server,
                 news: News) -> None:  # fmt: skip
        """Use `live_site`, which ends it, too."""
        self._project, self._out, self._options = project, out, options
        self._server, self._news = server, news
        self._patterns = _patterns_of(project)
        self._seen: Look = {}
        self._publication: Publication | None = None

    @property
    def address(self) -> str:
        """The address of the front page."""
        return self._server.address

    @property
    def watched(self) -> tuple[Place, ...]:
        """The folders whose changes count."""
        project = self._project
        own = (*project.authored_folders, project.template_folders[0])
        whole = [Place(folder, ANY_DEPTH) for folder in own]
        named = dict.fromkeys(place_of(project.root, pattern) for pattern in self._patterns)
        return (*whole, *(place for place in named if place.folder not in own))

    def start(self) -> None:
        """Answer from now on."""
        self._server.start()

    def wait(self, seconds: float | None = None) -> list[str]:
        """Wait until something changed since the last build began; return which files.

        seconds: at most so long; then it may be nothing.
        """
        return Watch(self.watched, self._out).wait(self._seen, seconds)

    def rebuild(self, progress: Progress | None = None) -> Attempt:
        """Build what changed and tell all open pages; a build that fails leaves the site as it is.

        Never raises for what is wrong with the project; the problem is part of what is returned.
        """
        self._patterns = _patterns_of(self._project, self._patterns)
        self._seen = Watch(self.watched, self._out).look()  # what changes meanwhile is built next
        before = recorded_files(self._out / MANIFEST_NAME)
        publication = self._publication or self._published()
        try:
            told = self._told(progress)
        except Exception as error:
            problem = problem_of(error)
            self._news.publish(problem)
            return Attempt(problem=problem)
        self._news.publish(None)
        self._see_own_files()
        pages = changed_pages(before, recorded_files(self._out / MANIFEST_NAME))
        if pages or publication is None:
            self._publication = self._published()
        now = self._publication or publication
        changes = compare(publication, now) if publication and now else None
        self._publication = now
        return Attempt(told, None, pages, changes)

    def _told(self, progress: Progress | None) -> BuildReport:
        told = up_to_date(self._project, self._out, self._options)
        if told is None:
            return build(self._project, self._out, self._options, progress).report
        if self._options.strict and told.doubtful:
            raise InputError(told.doubtful)
        return told

    def _published(self) -> Publication | None:
        try:
            return read_build(self._out)
        except (FieldguideError, OSError):
            return None

    def _see_own_files(self) -> None:
        """Take what the build itself wrote for seen."""
        self._seen |= Watch([], self._out).look()


@contextmanager
def live_site(
    project: Project,
    out: Path,
    options: BuildOptions,
    port: int | None,
    log: Callable[[str], None] = lambda line: None,
) -> Iterator[LiveSite]:
    """Give the site of a project, at a port of its own; nothing is built or answered yet.

    port: 0 for any free one, None for the first free one from 8000 on. log: called with a line a
    request. Raises UsageError where the port is taken.
    """
    news = News()
    server = Server(open_sockets(port), SiteFolder(out), news, log)
    try:
        yield LiveSite(project, out, options, server, news)
    finally:
        server.stop()


def changed_pages(before: Mapping[str, FileRecord], now: Mapping[str, FileRecord]) -> int:
    """Return how many pages came, went or are others."""
    names = (name for name in before.keys() | now.keys() if name.endswith(".html"))
    return sum(before.get(name) != now.get(name) for name in names)


def _patterns_of(project: Project, known: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the patterns of survey.sources; while the taxonomy cannot be read, those `known`."""
    try:
        taxonomy = project.taxonomy_file
        return source_patterns(taxonomy, project.shown(taxonomy))
    except (OSError, FieldguideError):
        return known


class Watch:
    """An eye on folders and on what people and other builds change in an output folder."""

    def __init__(self, places: Sequence[Place], out: Path) -> None:
        """places: the folders; out: of it only sheets and the manifest count."""
        self.places = tuple(places)
        self._out = out.resolve()

    def look(self) -> Look:
        """Return how everything is now."""
        seen: Look = {}
        for place in self.places:
            for entry in _files(place.folder, place.depth, _identity(self._out)):
                seen[entry] = _mark(entry)
        for name in _OF_A_BUILD:
            path = str(self._out / name)
            seen[path] = _mark(path)
        return seen

    def wait(self, before: Look, seconds: float | None = None) -> list[str]:
        """Wait until something is otherwise than `before`, and quiet again; return which files.

        seconds: at most so long; then it may be nothing. Sleeps between two looks.
        """
        rounds = None if seconds is None else max(1, round(seconds / EVERY))
        while rounds is None or rounds > 0:
            now = self.look()
            if now != before:
                return changed(before, self._quiet(now))
            rounds = None if rounds is None else rounds - 1
            Event().wait(EVERY)
        return []

    def _quiet(self, now: Look) -> Look:
        """Return how everything is once nothing changes any more: many files may be saved."""
        for _ in range(_MOST_ROUNDS):
            Event().wait(_QUIET)
            later = self.look()
            if later == now:
                break
            now = later
        return now


def changed(before: Look, now: Look) -> list[str]:
    """Return the files that came, went or are others, sorted."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def _identity(folder: Path) -> set[tuple[int, int]]:
    """Return by what a folder is known, whatever path leads there; nothing where it is not."""
    try:
        told = os.stat(folder)
    except OSError:
        return set()
    return {(told.st_dev, told.st_ino)}


def _files(folder: Path | str, depth: int, seen: set[tuple[int, int]]) -> Iterator[str]:
    """Yield the files below a folder, hidden ones aside; a link that leads upwards ends there.

    seen: the folders that are passed over.
    """
    try:
        told = os.stat(folder)
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    if (told.st_dev, told.st_ino) in seen:
        return
    seen.add((told.st_dev, told.st_ino))
    for entry in entries:
        if entry.name.startswith("."):
            continue
        try:
            is_folder = entry.is_dir()
        except OSError:
            is_folder = False
        if not is_folder:
            yield entry.path
        elif depth > 1:
            yield from _files(entry.path, depth - 1, seen)


def _mark(path: str) -> tuple[int, ...]:
    try:
        told = os.stat(path)
    except OSError:
        return ()
    return told.st_mtime_ns, told.st_size, told.st_ino, told.st_mode

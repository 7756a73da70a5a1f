"""What every command of `fetch` does with its query: ask, write, and say what came."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.cli.printing import count, say

if TYPE_CHECKING:
    from classifier.extras.fetch.pages import Pages
    from classifier.extras.fetch.run import Fetched
    from classifier.extras.fetch.source import Query, Source
    from classifier.progress import Progress
    from classifier.project import Project

_MOST_NAMED = 5


def fetch_and_tell(
    source: Source,
    query: Query,
    *,
    name: str,
    project: Path | None,
    output: Path | None,
    mailto: str,
    anew: bool,
) -> None:
    """Fetch `query` into its file (`name` in papers/, or `output`) and print what came."""
    from classifier.extras.fetch.run import fetch_papers, target_file
    from classifier.files.write_guard import check_ending

    if output is not None:
        check_ending(output, (".jsonl",))
    where = project_of(project)
    target = target_file(where, output, name)
    begun = time.monotonic()
    with asking(mailto, anew) as (pages, progress):
        fetched = fetch_papers(source, query, target, pages, progress=progress)
    _tell(fetched, where, time.monotonic() - begun)


@contextmanager
def asking(mailto: str, anew: bool) -> Iterator[tuple[Pages, Progress | None]]:
    """Give what asks for pages, and a progress bar; pauses are told on standard error."""
    from classifier.extras.fetch.pages import Pages
    from classifier.extras.fetch.transport import Transport
    from classifier.files.cache import Cache, user_cache_folder
    from classifier.progress import progress_bar

    transport = Transport(mailto, notice=say)
    pages = Pages(transport, Cache(user_cache_folder() / "fetch"), anew=anew)
    with progress_bar() as progress:
        yield pages, progress


def project_of(folder: Path | None) -> Project | None:
    """Return the project of --project, or the nearest one; None where there is none."""
    from classifier.project import find_project, open_project

    return open_project(folder) if folder is not None else find_project(Path.cwd())


def tell_unread(project: Project, file: Path) -> None:
    """Say where no build would read a file that was written."""
    from classifier.extras.fetch.run import is_read

    if not is_read(project, file):
        shown = project.shown(file)
        say(f"No build reads {shown} yet: add '{shown}' to survey.sources in taxonomy.yaml.")


def _tell(fetched: Fetched, project: Project | None, seconds: float) -> None:
    rate = f", {fetched.received / seconds:,.0f} a second" if fetched.asked and seconds > 1 else ""
    kept = fetched.pages - fetched.asked
    pages = f"{count(fetched.pages, 'page')}" + (f", {kept} of them kept" if kept else "")
    file = project.shown(fetched.file) if project else fetched.file
    is_there = fetched.file.exists()
    came = f"{fetched.new} new, {fetched.updated} updated in {file}"
    print(
        f"{count(fetched.received, 'paper')} received ({pages}{rate}): "
        f"{came if is_there else 'no file was begun'}."
    )
    if fetched.unread:
        reason = fetched.unread[0].found
        say(f"{count(len(fetched.unread), 'record')} left out: {reason}.")
    if fetched.missing:
        named = ", ".join(fetched.missing[:_MOST_NAMED])
        rest = len(fetched.missing) - _MOST_NAMED
        say(f"Not there: {named}{f' and {rest} more' if rest > 0 else ''}.")
    if project is not None and is_there:
        tell_unread(project, fetched.file)

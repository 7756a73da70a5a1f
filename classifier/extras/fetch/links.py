"""Dead links of a survey: addresses that answer 404 or 410, asked twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from classifier.extras.fetch import check_installed
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.site.paths import web_address

State = Literal["dead", "not reached"]
_GONE = frozenset([404, 410])
_TIMES = 2
_APART = 1.0
"""Seconds between two questions to one host."""
_TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Link:
    """A link that leads nowhere, or whose server could not be asked."""

    paper: Paper
    address: str
    state: State
    said: str
    """The status, or why the server was not reached."""


def check_links(
    papers: Iterable[Paper],
    progress: Progress | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Link]:
    """Return the links of papers and of their code that are dead or not reached, in order.

    Asks by HEAD first, and by GET where that is refused: some servers know no HEAD.
    """
    check_installed()
    import requests

    asked = [
        (paper, address)
        for paper in papers
        for each in dict.fromkeys((paper.link, *paper.code_urls))
        if (address := web_address(each))
    ]
    found: list[Link] = []
    last: dict[str, float] = {}
    with requests.Session() as session:
        for number, (paper, address) in enumerate(asked):
            report(progress, "Asking for links", number, len(asked))
            host = urlsplit(address).netloc
            sleep(max(0.0, last.get(host, 0.0) + _APART - time.monotonic()))
            try:
                gone = 0
                for method in ("HEAD", "GET", "GET"):
                    answer = session.request(
                        method, address, timeout=_TIMEOUT, allow_redirects=True, stream=True
                    )
                    answer.close()
                    gone += answer.status_code in _GONE
                    if answer.ok or gone == _TIMES:
                        break
                if gone == _TIMES:
                    found.append(Link(paper, address, "dead", str(answer.status_code)))
            except requests.RequestException as error:
                found.append(Link(paper, address, "not reached", type(error).__name__))
            last[host] = time.monotonic()
    report(progress, "Asking for links", len(asked), len(asked))
    return found

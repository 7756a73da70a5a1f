"""A local server, and pages whose waiting is noted, not done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytest.importorskip("requests")
from replay_server import Replay, running_server

from classifier.extras.fetch.pages import Pages
from classifier.extras.fetch.sources import SOURCES
from classifier.files.cache import Cache


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Replay]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with running_server() as replay:
        for source in SOURCES.values():
            monkeypatch.setenv(source.service.url_variable, replay.url)
        yield replay


@pytest.fixture
def waits() -> list[float]:
    """Every pause that was made, in seconds."""
    return []


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def pages(waits: list[float], notices: list[str]) -> Pages:
    """Pages that keep nothing."""
    return Pages("ann@example.org", timeout=0.5, sleep=waits.append, notice=notices.append)


@pytest.fixture
def make_pages(waits: list[float], notices: list[str], tmp_path: Path) -> Callable[..., Pages]:
    """Make what a new process would: pages over one cache, at a day of January 2026."""

    def make(day: int = 1, hour: int = 12, *, anew: bool = False) -> Pages:
        def now() -> datetime:
            return datetime(2026, 1, day, hour, tzinfo=UTC)

        return Pages(
            "ann@example.org",
            Cache(tmp_path / "cache"),
            anew=anew,
            timeout=0.5,
            sleep=waits.append,
            now=now,
            notice=notices.append,
        )

    return make

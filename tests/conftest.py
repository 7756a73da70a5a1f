"""Fixtures that any test may need."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from loopback_only import NOTED_IN, refuse_network
from typer.main import get_command

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OFFLINE = "--proxy-server=127.0.0.1:9"
"""All but loopback goes to a proxy that is not there: no name is looked up, no machine reached."""

# The same examples on every run, and no fault because a machine was busy; at night more of them.
settings.register_profile(
    "fieldguide",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=int(os.environ.get("FIELDGUIDE_EXAMPLES", "25")),
)
settings.load_profile("fieldguide")

ROOT = Path(__file__).resolve().parents[1]


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As a job in the background has it; the commands that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def offline(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nothing but loopback is reached, by no test and by no process that it starts."""
    noted = tmp_path_factory.mktemp("network") / "attempts"
    noted.touch()
    refuse_network(noted)


@pytest.fixture(autouse=True)
def network_attempts(offline: None) -> Iterator[Path]:
    """The file in which attempts at the network are noted; a test that leaves one has failed."""
    noted = Path(os.environ[NOTED_IN])
    yield noted
    if noted.stat().st_size:
        attempts = noted.read_text(encoding="utf-8")
        noted.write_text("")
        pytest.fail(f"asked for the network:\n{attempts}", pytrace=False)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root: the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the project that holds real abstracts, which the project may not."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the real abstracts in ../shared, which is not there")
    return folder


@pytest.fixture(scope="session", autouse=True)
def commands_once() -> Iterator[None]:
    """The options of all commands are declared once, and not before each command of a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(get_command))
        yield


@pytest.fixture(scope="session")
def built_bread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden project with its out/ and cache, to be copied and never changed."""
    from classifier.pipeline import build
    from classifier.project import Project

    project = Project(tmp_path_factory.mktemp("built") / "bread")
    shutil.copytree(ROOT / "tests" / "golden" / "project", project.root)
    build(project, project.out)
    return project.root


@pytest.fixture(scope="session")
def locked_bread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden project with a lock, to be copied and never changed."""
    from classifier.commands.changes import plan_lock, write_lock
    from classifier.project import Project

    folder = tmp_path_factory.mktemp("locked") / "bread"
    shutil.copytree(ROOT / "tests" / "golden" / "project", folder)
    write_lock(plan_lock(Project(folder)))
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if executable is None:
        pytest.skip("needs Chromium, which is not installed")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu", OFFLINE]
        )
        yield browser
        browser.close()

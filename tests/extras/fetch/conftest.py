"""A local server in place of all services, and a client that waits for nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("requests")
from replay_server import Replay, running_server

from classifier.extras.fetch.client import Client
from classifier.project import Project, open_project

TAXONOMY = Path(__file__).parents[2] / "golden" / "project" / "taxonomy" / "taxonomy.yaml"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Replay]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("urllib3.util.Retry.sleep", lambda *_: None)
    with running_server() as replay:
        for name in ("ARXIV", "OPENALEX", "CROSSREF", "HF_DAILY"):
            monkeypatch.setenv(f"FIELDGUIDE_{name}_URL", replay.url)
        yield replay


@pytest.fixture
def client() -> Client:
    return Client("ann@example.org", timeout=0.5)


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """A project with two papers: a title alone, and a complete paper with a DOI."""
    (tmp_path / "taxonomy").mkdir()
    (tmp_path / "papers").mkdir()
    (tmp_path / "taxonomy" / "taxonomy.yaml").write_bytes(TAXONOMY.read_bytes())
    rows = [
        {"title": "Bread number 0, baked slowly"},
        {
            "title": "Rye bread of the moon and its crust", "doi": "10.1000/rye",
            "abstract": "We bake.", "authors": ["Bo Mill"], "published": "2024",
        },
    ]  # fmt: skip
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "papers" / "list.jsonl").write_text(lines, encoding="utf-8")
    return open_project(tmp_path)

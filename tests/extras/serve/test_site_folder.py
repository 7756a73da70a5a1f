"""The files that may be served, also while builds swap the folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from classifier.extras.serve.site_folder import SiteFolder, safe_relative_path
from classifier.files.folder import write_folder
from tests.extras.serve.conftest import Served, serving


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("/", ""),
        ("/a/b.html?c=d#e", "a/b.html"),
        ("/a/", "a/"),
        ("/caf%C3%A9.html", "café.html"),
        ("/..", None),
        ("/a//b", None),
        ("/a\\b", None),
        ("/%00", None),
        ("/%ff", None),
        ("", None),
        ("a", None),
    ],
)
def test_a_request_names_a_path_inside(target: str, name: str | None) -> None:
    assert safe_relative_path(target) == name


def test_the_version_is_that_of_what_the_manifest_says(tmp_path: Path) -> None:
    folder = SiteFolder(tmp_path / "out")
    assert folder.version() == ""
    versions = []
    for text in (b"one", b"two", b"one"):
        write_folder(tmp_path / "out", {"index.html": text})
        versions.append(folder.version())
    assert versions[0] == versions[2] != versions[1]


def test_while_folders_are_swapped_nothing_is_missing_and_nothing_is_half(
    tmp_path: Path,
) -> None:
    """Each survey has a page of 200,000 times its digit; readers ask while 20 are swapped in."""
    is_over = Event()

    def survey(number: int) -> dict[str, bytes]:
        digit = str(number % 10).encode()
        names = ("index.html", "c/index.html", "papers.json", "404.html")
        return dict.fromkeys(names, digit * 200_000)

    def ask(served: Served, path: str) -> list[str]:
        wrong = []
        while not is_over.is_set():
            status, head, content = served.get(path)
            text = content.replace(b"\n", b"").partition(b"<script")[0]
            if status != 200 or len(set(text)) != 1 or len(text) != 200_000:
                wrong.append(f"{path}: {head.splitlines()[0]} {content[:80]!r}")
        return wrong

    out = tmp_path / "out"
    write_folder(out, survey(0))
    paths = ("/", "/c/", "/papers.json", "/c/")
    with serving(out) as served, ThreadPoolExecutor(4) as readers:
        asked = [readers.submit(ask, served, path) for path in paths]
        for number in range(20):
            write_folder(out, survey(number))
        is_over.set()
        assert [line for answer in asked for line in answer.result()] == []

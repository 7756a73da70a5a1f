from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.papers.load import load_papers

UNREAD = "a format that Fieldguide reads. Export its papers as BibTeX, RIS or CSV."


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_files_of_any_format_become_one_corpus(tmp_path: Path) -> None:
    one = write(
        tmp_path / "a.jsonl", {"title": "Baking bread", "year": 2024}, {"title": "Mowing"}, {}
    )
    two = tmp_path / "b.csv"
    two.write_text("title,venue,mood\nbaking bread,Bread 2024,good\n", encoding="utf-8")
    corpus = load_papers([one, two], tmp_path)
    assert [(paper.title, paper.venue) for paper in corpus.papers] == [
        ("Baking bread", "Bread 2024"),
        ("Mowing", ""),
    ]
    assert [str(source) for source in corpus.papers[0].sources] == ["a.jsonl:1", "b.csv:2"]
    assert [(file.name, file.format, file.records) for file in corpus.files] == [
        ("a.jsonl", "jsonl", 2),
        ("b.csv", "csv", 1),
    ]
    assert corpus.records == 3
    assert [record.line for record in corpus.quarantined] == [3]
    assert [fault.actual for fault in corpus.faults] == ["unknown column 'mood'"]


def test_a_merge_conflict_is_an_error_whatever_the_format_and_however_long_the_file(
    tmp_path: Path,
) -> None:
    """A reader of BibTeX passes over the marks, and three lines of 400 would be a notice."""
    marks = ("<<<<<<< HEAD\n", "=======\n", ">>>>>>> branch\n")
    entry = "@article{{k{0}, title={{Title {0}}}}}\n"
    many = "".join(f'{{"title": "Title {n}"}}\n' for n in range(400))
    (tmp_path / "a.bib").write_text(
        marks[0] + entry.format(1) + marks[1] + entry.format(2) + marks[2], encoding="utf-8"
    )
    (tmp_path / "b.jsonl").write_text(many + "".join(marks), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_papers([tmp_path / "a.bib", tmp_path / "b.jsonl"], tmp_path)
    assert [(fault.file, fault.line) for fault in caught.value.faults] == [
        ("a.bib", 1),
        ("b.jsonl", 401),
    ]


def test_all_files_that_cannot_be_read_are_named_at_once(tmp_path: Path) -> None:
    contents = {
        "binary.pdf": b"%PDF\0",
        "empty.jsonl": b" \n",
        "good.jsonl": b'{"title": "A"}',
        "prose.txt": b"Once upon a time",
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    paths = [tmp_path / name for name in (*contents, "absent.bib")]
    with pytest.raises(InputError) as caught:
        load_papers([*paths, tmp_path], tmp_path.parent)
    folder = tmp_path.name
    assert str(caught.value).split("\n") == [
        f"{folder}: error: found a folder; expected a file. Name its files: {folder}/*",
        f"{folder}/absent.bib: error: found no such file; expected a file that exists.",
        f"{folder}/binary.pdf: error: found a PDF file; expected a format that Fieldguide reads. "
        "Export its papers as BibTeX, RIS or CSV.",
        f"{folder}/empty.jsonl: error: found an empty file; expected some content.",
        f"{folder}/prose.txt: error: found a text in an unknown format, which begins with 'Once upon a "
        f"time'; expected {UNREAD}",
    ]


def test_a_misspelt_name_is_answered_with_the_file_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "library.bib").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"no such file; .* Did you mean library\.bib\?"):
        load_papers([tmp_path / "libary.bib"], tmp_path)


def test_one_id_for_two_titles_of_a_file_keeps_both(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {"id": "arxiv:2401.00001", "title": "Baking bread in a brick oven"},
        {"id": "arxiv:2401.00001", "title": "Mowing"},
        {"id": "arxiv:2401.00001", "title": "Baking bread in a brick oven."},
    )
    corpus = load_papers([path], tmp_path)
    assert [(paper.id[:6], paper.title) for paper in corpus.papers] == snapshot(
        [
            ("arxiv:", "Baking bread in a brick oven"),
            ("p-75d8", "Mowing"),
        ]
    )
    assert [str(fault) for fault in corpus.faults] == snapshot(
        [
            "a.jsonl:2: notice: found id arxiv:2401.00001 again, for 'Mowing' (line 1: 'Baking bread in a brick oven'); expected one id per paper. The second record gets a new id."
        ]
    )


def test_a_file_without_any_paper_is_a_warning(tmp_path: Path) -> None:
    corpus = load_papers([write(tmp_path / "a.jsonl", {"name": "x"})], tmp_path)
    assert corpus.papers == ()
    assert str(corpus.faults[0]) == (
        snapshot(
            "a.jsonl: warning: found no paper in 1 record: line 1: found no title, expected an object with a title, or a list of such objects; expected one JSON object per line with at least 'title'."
        )
    )


def test_the_warning_on_a_file_without_any_paper_has_the_first_reasons(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"title": ""}, {"title": float("inf")}, {"title": ""})
    assert [str(fault) for fault in load_papers([path], tmp_path).faults] == snapshot(
        [
            "a.jsonl: warning: found no paper in 3 records: line 1: title: found none, expected the paper's title; line 2: title: found inf, expected a string; expected one JSON object per line with at least 'title'."
        ]
    )


def test_progress_is_told_for_each_file(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, {"title": name}) for name in ("a.jsonl", "b.jsonl")]
    told: list[tuple[str, int, int]] = []
    load_papers(paths, tmp_path, progress=lambda *step: told.append(step))
    assert told == [("Reading papers", done, 2) for done in range(3)]


def test_a_checkout_with_other_line_ends_has_the_same_digest(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"title\nBaking\n")
    (tmp_path / "b.csv").write_bytes(b"\xef\xbb\xbftitle\r\nBaking\r\n")
    files = load_papers([tmp_path / "a.csv", tmp_path / "b.csv"], tmp_path).files
    assert files[0].digest == files[1].digest


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200), name=st.sampled_from(["a.jsonl", "a.csv", "a.txt"]))
def test_any_bytes_are_read_or_refused_in_words(tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(data)
    with contextlib.suppress(InputError):
        load_papers([tmp_path / name], tmp_path)


def test_the_real_pages_hold_430_records_of_364_papers(shared: Path) -> None:
    pages = sorted((shared / "seeds").glob("*.txt"))
    corpus = load_papers(pages, shared)
    assert (corpus.records, len(corpus.papers)) == (430, 364)
    assert (corpus.quarantined, corpus.faults) == ((), ())
    assert sum(bool(paper.published.date) for paper in corpus.papers) == 105
    found = {paper.title: paper for paper in corpus.papers}
    assert {"Agent-as-a-Judge", "Agent-as-a-Judge: Evaluate Agents with Agents"} <= found.keys()
    robot = next(paper for title, paper in found.items() if title.startswith("Agentic Robot"))
    assert robot.published.date == "2025-05-29"
    assert {source.file[6:9] for source in robot.sources} >= {"002", "004"}

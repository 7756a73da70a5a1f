from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.papers.identity import Identity, known_ids, own_ids, read_identity
from classifier.papers.paper import Paper
from classifier.text.normalise import title_id


def read(folder: Path, *rows: str) -> Identity:
    path = folder / "identity.csv"
    path.write_text("\n".join(["id,alias,verdict", *rows]) + "\n", encoding="utf-8")
    return read_identity(path, "identity.csv")


def test_a_file_that_does_not_exist_holds_no_verdict(tmp_path: Path) -> None:
    assert read_identity(tmp_path / "identity.csv") == Identity()


def test_verdicts(tmp_path: Path) -> None:
    identity = read(
        tmp_path, "arxiv:2401.10230,p-0123456789,same", "p-bbbbbbbbbb,p-aaaaaaaaaa,Different"
    )
    assert identity.same == {"p-0123456789": "arxiv:2401.10230"}
    assert identity.different == (("p-aaaaaaaaaa", "p-bbbbbbbbbb"),)
    assert identity.resolve("p-0123456789") == "arxiv:2401.10230"
    assert identity.resolve("p-aaaaaaaaaa") == "p-aaaaaaaaaa"


def test_all_faults_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(
            tmp_path,
            "paper 7,p-0000000000,same",
            "p-0000000001,p-0000000001,same",
            "p-0000000002,p-0000000003,maybe",
            "p-0000000004,p-0000000005,same",
            "p-0000000006,p-0000000005,same",
            "p-0000000007,p-0000000004,same",
            "p-0000000005,p-0000000004,different",
            "p-0000000008,p-0000000009,same",
            "p-0000000008,p-000000000a,same",
            "p-0000000009,p-000000000a,different",
        )
    assert [(fault.line, fault.actual) for fault in caught.value.faults] == snapshot(
        [
            (2, "id 'paper 7'"),
            (3, "an id that is its own alias"),
            (4, "verdict 'maybe'"),
            (5, "'same' for a pair that line 8 calls different"),
            (5, "id p-0000000004, which line 7 calls an alias"),
            (6, "alias p-0000000005 for a second id (line 5 has another id)"),
            (11, "'different' for two aliases of one id (lines 9 and 10)"),
        ]
    )


def test_a_cell_that_would_be_lost_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "arxiv:2401.10230,p-0123456789,same,as Ada says")
    assert str(caught.value) == (
        snapshot(
            "identity.csv:2: error: found 'as Ada says' after the last column; expected 3 cells. Put quotes around a cell that contains a comma, or name its column in the header."
        )
    )


def test_missing_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "identity.csv"
    path.write_text("id,other\np-0123456789,x\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"found no column alias, verdict in .*; expected id,alias,verdict. Add"
    ):
        read_identity(path)


def test_a_title_names_a_paper_alone_only_while_no_better_id_is_known() -> None:
    paper = Paper("Baking", arxiv_id="2401.10230")
    assert known_ids(paper) == ("arxiv:2401.10230", title_id("Baking"))
    assert own_ids(paper) == ("arxiv:2401.10230",)
    assert own_ids(Paper("Baking")) == (title_id("Baking"),)


def test_a_file_without_header_is_refused_and_not_read_as_a_header(tmp_path: Path) -> None:
    path = tmp_path / "identity.csv"
    path.write_text("p-0123456789,p-aaaaaaaaaa,same\n", encoding="utf-8")
    with pytest.raises(InputError, match="1: error: found no column id, alias, verdict in 'p-01"):
        read_identity(path, "identity.csv")

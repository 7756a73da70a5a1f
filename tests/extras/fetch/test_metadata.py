"""`fetch metadata` against recorded answers: what is taken, what waits for a person, retractions."""

from __future__ import annotations

import pytest
from replay_server import Answer, Answering, Asked, Replay
from shapes import arxiv_feed, crossref_list, crossref_work, loaves, openalex_page, openalex_work

from classifier.errors import UsageError
from classifier.extras.fetch.client import Client
from classifier.extras.fetch.metadata import (
    best_match,
    compare_candidate,
    complete_metadata,
    papers_file,
)
from classifier.extras.fetch.rows import read_rows
from classifier.papers.load import load_papers
from classifier.papers.paper import Paper, Published
from classifier.project import Project

TITLE = "Rye bread of the moon and its crust"
NOTICE = {"type": "retraction", "DOI": "10.1000/notice", "label": "Retraction"}


def answers(
    arxiv: Answer | None = None,
    openalex: tuple[object, ...] = (),
    crossref: tuple[object, ...] = (),
) -> Answering:
    """Answer each service with the same papers, whatever is asked."""

    def answer(asked: Asked) -> Answer:
        if asked.path == "/api/query":
            return arxiv or arxiv_feed([], 0)
        is_openalex = "select" in asked.parameters
        return (
            openalex_page(openalex, len(openalex), None)
            if is_openalex
            else crossref_list(*crossref)
        )

    return answer


def test_a_safe_match_completes_a_paper_and_its_former_id_stays_valid(
    server: Replay, client: Client, bread: Project
) -> None:
    server.answering = answers(arxiv_feed(loaves(1), 1))
    done = complete_metadata(bread, (), client)
    assert (done.n_lacking, len(done.taken), done.new, done.n_aliases) == (1, 1, 1, 1)
    (row,) = read_rows(papers_file(bread), "")
    assert (row["id"], row["authors"]) == ("arxiv:2601.00001", ["Ada Baker", "Ben Miller"])
    assert bread.identity_file.read_text("utf-8").splitlines()[1].startswith("arxiv:2601.00001,p-")


def test_a_dry_run_writes_nothing(server: Replay, client: Client, bread: Project) -> None:
    server.answering = answers(arxiv_feed(loaves(1), 1))
    assert complete_metadata(bread, (), client, dry_run=True).new == 1
    assert not papers_file(bread).exists()


@pytest.mark.parametrize(
    ("openalex", "crossref", "source"),
    [
        ({"is_retracted": True}, {}, "OpenAlex"),
        ({}, {"updated-by": [NOTICE]}, "Crossref, 10.1000/notice"),
        ({"is_retracted": True}, {"updated-by": [NOTICE]}, "Crossref, 10.1000/notice; OpenAlex"),
        ({}, {"updated-by": [{"type": "correction", "DOI": "10.1000/note"}]}, ""),
    ],
)
def test_a_retracted_paper_is_marked(
    openalex: dict[str, object], crossref: dict[str, object], source: str,
    server: Replay, client: Client, bread: Project,
) -> None:  # fmt: skip
    server.answering = answers(
        openalex=(openalex_work(TITLE, "10.1000/rye", **openalex),),
        crossref=(crossref_work("10.1000/rye", TITLE, **crossref),),
    )
    done = complete_metadata(bread, (), client)
    assert [paper.retracted for paper in done.retracted.values()] == [source] * bool(source)
    files = sorted((bread.root / "papers").glob("*.jsonl"))
    papers = load_papers(files, bread.root).papers
    assert [paper.retracted for paper in papers if paper.doi == "10.1000/rye"] == [source]


@pytest.mark.parametrize("kind", ["retraction", "removal", "withdrawal"])
def test_a_retraction_notice_marks_the_paper_that_it_names(
    kind: str, server: Replay, client: Client, bread: Project
) -> None:
    notice = crossref_work(
        "10.1000/other", "Retraction: Rye bread",
        **{"update-to": [{"type": kind, "DOI": "10.1000/RYE"}]},
    )  # fmt: skip
    server.answering = answers(crossref=(notice,))
    done = complete_metadata(bread, (), client)
    assert [paper.retracted for paper in done.retracted.values()] == ["Crossref, 10.1000/other"]


def test_a_service_that_fails_is_reported_and_the_others_are_used(
    server: Replay, client: Client, bread: Project
) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.path == "/api/query":
            return arxiv_feed(loaves(1), 1)
        return Answer(b"Closed", status=403)

    server.answering = answer
    done = complete_metadata(bread, (), client)
    assert sorted(done.failures) == ["crossref", "openalex"]
    assert len(done.taken) == 1


def test_an_unknown_service_is_refused(client: Client, bread: Project) -> None:
    with pytest.raises(UsageError, match="--service bakery: unknown service; expected one of"):
        complete_metadata(bread, (), client, services=["bakery"])


LONG = "Bread for the moon: a study of crust"
# title, authors, year of the found paper: is it safe, and the reason
MATCHES = """
Bread for the moon: a study of crust   | Ada Baker | 2024 | yes | same title; authors agree
Bread for the moon: a study of crust   |           |      | yes | same title
Bread for the moon: a study of crust   | Bo Mill   | 2024 | no  | same title; authors differ
Bread for the moon: a study of crust   | Ada Baker | 2001 | no  | same title; authors agree; years differ
Bread for the moon: a study of crusts  | Ada Baker | 2024 | yes | titles 98% similar; authors agree
"""


@pytest.mark.parametrize("case", MATCHES.strip().splitlines())
def test_matches_are_judged(case: str) -> None:
    title, author, year, safe, reason = (cell.strip() for cell in case.split("|"))
    paper = Paper(LONG, authors=("Ada Baker",), published=Published("2024"))
    found = Paper(title, authors=(author,) if author else (), published=Published(year))
    match = compare_candidate(paper, found)
    assert (match.is_safe, match.reason) == (safe == "yes", reason)


def test_two_papers_of_one_title_are_for_a_person_to_tell_apart() -> None:
    found = [Paper(LONG, authors=(name,)) for name in ("Ada Baker", "Bo Mill")]
    match = best_match(Paper(LONG), found)
    assert match is not None
    assert (match.is_safe, match.reason) == (False, "same title; another paper has this title")

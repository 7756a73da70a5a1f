"""Metadata for title-only records: found and taken; of what is doubtful a person decides."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from replay_server import Answer, Answering, Asked, Replay
from shapes import Loaf, arxiv_feed, openalex_page, openalex_work

from classifier.errors import UsageError
from classifier.extras.fetch.metadata import complete_metadata, papers_file
from classifier.extras.fetch.pages import Pages
from classifier.papers.identity import read_identity
from classifier.papers.load import load_papers
from classifier.project import Project
from classifier.survey.inputs import read_inputs
from classifier.text.normalise import title_id

MakePages = Callable[..., Pages]
RYE = "Keeping a Rye Starter Alive on Four Feedings a Month"
BEES = "Bees that sleep under bridges while trains go by"
LOST = "A loaf that nobody has ever described anywhere"
_TAXONOMY = """
survey: {title: Bread}
facets:
  topic:
    kind: single
    categories:
      - {id: rye, name: Rye, definition: Rye bread., cues: {anywhere: [rye]}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "bread"
    (root / "taxonomy").mkdir(parents=True)
    (root / "papers").mkdir()
    (root / "taxonomy" / "taxonomy.yaml").write_text(_TAXONOMY, encoding="utf-8")
    titles = "".join(json.dumps({"title": title}) + "\n" for title in (RYE, BEES, LOST))
    (root / "papers" / "list.jsonl").write_text(titles, encoding="utf-8")
    return Project(root)


def loaf(title: str) -> Loaf:
    return {"id": "2304.00111", "title": title, "summary": "We feed it.", "date": "2023-04-01"}


def services(**answers: Answer) -> Answering:
    """Answer as OpenAlex (`openalex`), arXiv (`arxiv`) …; where nothing is told, with nothing."""
    nothing = {
        "openalex": openalex_page([], 0, None),
        "arxiv": arxiv_feed([], 0),
        "crossref": Answer.of_json({"message": {"items": []}}),
        "semanticscholar": Answer(status=404),
    }
    paths = {
        "/works": "openalex",
        "/api/query": "arxiv",
        "/graph/v1/paper/search/match": "semanticscholar",
    }

    def answer(asked: Asked) -> Answer:
        name = "crossref" if "query.bibliographic" in asked.parameters else paths[asked.path]
        title = "".join(asked.parameters.values()).lower()
        told = answers.get(name) if "rye starter" in title else None
        return told or nothing[name]

    return answer


def rows(project: Project) -> list[dict[str, object]]:
    return [json.loads(line) for line in papers_file(project).read_text("utf-8").splitlines()]


def doubt(project: Project, verdict: str) -> None:
    """Write what a person says of the one doubtful match."""
    line = f"id,alias,verdict\narxiv:2304.00111,{title_id(RYE)},{verdict}\n"
    project.identity_file.write_text(line, encoding="utf-8")


def test_a_safe_match_is_taken_and_the_old_id_stays_valid(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    work = openalex_work(RYE, "10.1000/rye", abstract_inverted_index=None)
    server.answering = services(
        openalex=openalex_page([work], 1, None), arxiv=arxiv_feed([loaf(RYE)], 1)
    )
    done = complete_metadata(project, (), make_pages())
    assert (done.lacking, done.asked, len(done.taken), done.doubtful) == (3, 3, 1, {})
    assert (done.new, done.updated, done.aliases) == (1, 0, 1)
    # The next service is asked until one is sure and complete; the third is of the next paper.
    assert [asked.path for asked in server.asked][:3] == ["/works", "/api/query", "/works"]
    identity = read_identity(project.identity_file)
    assert identity.same == {title_id(RYE): "arxiv:2304.00111"}
    corpus = load_papers(project.paper_files(["papers/*"]), project.root, identity=identity)
    paper = corpus.papers[0]
    assert len(corpus.papers) == 3
    known = ("arxiv:2304.00111", "10.1000/rye", "We feed it.", "Journal of Bread")
    assert (paper.id, paper.doi, paper.abstract, paper.venue) == known
    assert corpus.aliases[title_id(RYE)] == "arxiv:2304.00111"


def test_a_second_run_changes_no_byte(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    complete_metadata(project, (), make_pages())
    before = papers_file(project).read_bytes(), project.identity_file.read_bytes()
    done = complete_metadata(project, (), make_pages())
    assert (done.lacking, done.new, done.updated, done.aliases) == (2, 0, 0, 0)
    assert (papers_file(project).read_bytes(), project.identity_file.read_bytes()) == before


def test_a_dry_run_writes_nothing(server: Replay, project: Project, make_pages: MakePages) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    done = complete_metadata(project, (), make_pages(), dry_run=True)
    assert (len(done.taken), done.new, done.aliases) == (1, 1, 1)
    assert not papers_file(project).exists()
    assert not project.identity_file.exists()


def test_of_a_doubtful_match_a_person_decides(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(f"{RYE}: A Field Study of Ovens")], 1))
    ((paper, match),) = complete_metadata(project, (), make_pages()).doubtful.values()
    assert (paper.title, match.found.arxiv_id, match.is_safe) == (RYE, "2304.00111", False)
    assert not papers_file(project).exists()
    doubt(project, "different")
    done = complete_metadata(project, (), make_pages())
    assert (done.taken, done.doubtful) == ({}, {})
    doubt(project, "same")
    found = arxiv_feed([loaf(f"{RYE}: A Field Study of Ovens")], 1)
    server.answering = lambda asked: found if "id_list" in asked.parameters else services()(asked)
    done = complete_metadata(project, (), make_pages())
    assert (len(done.taken), done.new, done.aliases) == (1, 1, 0)
    (row,) = rows(project)
    assert (row["id"], row["arxiv_id"]) == ("arxiv:2304.00111", "2304.00111")


def test_papers_with_an_id_are_asked_for_by_it(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    known = {"title": RYE, "arxiv_id": "2304.00111"}
    (project.root / "papers" / "list.jsonl").write_text(json.dumps(known), encoding="utf-8")
    server.answering = lambda asked: arxiv_feed([loaf(RYE)], 1)
    done = complete_metadata(project, (), make_pages())
    assert (len(done.taken), len(server.asked)) == (1, 1)
    assert server.asked[0].parameters["id_list"] == "2304.00111"
    assert not project.identity_file.exists()
    assert complete_metadata(project, (), make_pages()).lacking == 0


def test_a_service_that_fails_is_left_out_and_the_others_are_asked(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    good = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    server.answering = lambda asked: (
        Answer(b"no key", status=403) if asked.path == "/works" else good(asked)
    )
    done = complete_metadata(project, (), make_pages())
    assert list(done.failures) == ["openalex", "crossref"]
    assert len(done.taken) == 1


def test_names_of_an_old_id_lead_to_its_better_one(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    older = f"id,alias,verdict,who\n{title_id(RYE)},p-0123456789,same,ada\n"
    project.identity_file.write_text(older, encoding="utf-8")
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    complete_metadata(project, (), make_pages())
    assert project.identity_file.read_text(encoding="utf-8").splitlines() == [
        "id,alias,verdict,who",
        "arxiv:2304.00111,p-0123456789,same,ada",
        f"arxiv:2304.00111,{title_id(RYE)},same,",
    ]
    assert len(read_identity(project.identity_file).same) == 2


def test_wrong_use(project: Project, make_pages: MakePages) -> None:
    with pytest.raises(UsageError, match="--service bakery: is none"):
        complete_metadata(project, (), make_pages(), services=("bakery",))


def test_decisions_on_the_old_id_count_for_the_better_one(
    server: Replay, make_pages: MakePages, tmp_path: Path, root: Path
) -> None:
    title, old = "Measuring Crumb Firmness Through the Crust", "p-0278e58e9a"
    shutil.copytree(root / "tests" / "golden" / "project", tmp_path / "golden")
    golden = Project(tmp_path / "golden")
    before = read_inputs(golden).decisions[old]
    crumb = {"id": "2505.01234", "title": title, "summary": "We press.", "date": "2025-05-05"}
    good = arxiv_feed([crumb], 1)
    server.answering = lambda asked: (
        good if "Crumb Firmness" in str(asked.parameters) else arxiv_feed([], 0)
    )
    complete_metadata(golden, (), make_pages(), services=("arxiv",))
    assert read_inputs(golden).decisions["arxiv:2505.01234"] == before

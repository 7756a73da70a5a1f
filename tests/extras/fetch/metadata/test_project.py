"""Metadata for title-only records: found, corrected by a person, taken; old ids stay valid."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from replay_server import Answer, Answering, Asked, Replay
from shapes import Loaf, arxiv_feed, openalex_page, openalex_work

from classifier.errors import InputError, UsageError
from classifier.extras.fetch.metadata.project import papers_file, search_metadata, take_metadata
from classifier.extras.fetch.metadata.project import sheet_file as sheet_of
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


def table(project: Project) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet_of(project).read_text(encoding="utf-8"))))


def retype(project: Project, *rows: dict[str, str]) -> None:
    """Save the sheet as a spreadsheet of another country does."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=";", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    sheet_of(project).write_bytes(b"\xef\xbb\xbf" + text.getvalue().encode())


def test_safe_matches_say_yes_and_all_papers_are_listed(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    searched = search_metadata(project, (), make_pages())
    assert (searched.lacking, searched.asked, searched.safe, searched.doubtful) == (3, 3, 1, 0)
    rye, bees, lost = table(project)
    assert (rye["id"], rye["take"], rye["score"], rye["source"]) == (
        title_id(RYE), "yes", "1.00", "arxiv",
    )  # fmt: skip
    assert (rye["arxiv_id"], rye["published"]) == ("2304.00111", "2023-04-01")
    assert rye["authors"] == "Ada Baker; Ben Miller"
    assert (bees["take"], bees["why"]) == ("", "nothing found; fill in an id and say yes")
    assert lost["title"] == LOST


def test_services_are_asked_until_one_is_sure_and_complete(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    work = openalex_work(RYE, "10.1000/rye", abstract_inverted_index=None)
    server.answering = services(
        openalex=openalex_page([work], 1, None), arxiv=arxiv_feed([loaf(RYE)], 1)
    )
    search_metadata(project, (), make_pages())
    assert [row["source"] for row in table(project)] == ["openalex", "arxiv", "", ""]
    asked = [asked.path for asked in server.asked]
    assert asked[:3] == ["/works", "/api/query", "/works"]  # the third is of the next paper


def test_what_is_taken_completes_the_paper_and_the_old_id_stays_valid(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    work = openalex_work(RYE, "10.1000/rye", abstract_inverted_index=None)
    server.answering = services(
        openalex=openalex_page([work], 1, None), arxiv=arxiv_feed([loaf(RYE)], 1)
    )
    search_metadata(project, (), make_pages())
    taken = take_metadata(project)
    assert (taken.papers, taken.new, taken.updated, taken.aliases) == (1, 1, 0, 1)
    identity = read_identity(project.identity_file)
    assert identity.same == {title_id(RYE): "arxiv:2304.00111"}
    corpus = load_papers(project.paper_files(["papers/*"]), project.root, identity=identity)
    paper = corpus.papers[0]
    assert len(corpus.papers) == 3
    assert (paper.id, paper.doi, paper.abstract) == (
        "arxiv:2304.00111",
        "10.1000/rye",
        "We feed it.",
    )
    assert paper.venue == "Journal of Bread"
    assert corpus.aliases[title_id(RYE)] == "arxiv:2304.00111"


def test_taking_twice_changes_no_byte(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    search_metadata(project, (), make_pages())
    take_metadata(project)
    before = papers_file(project).read_bytes(), project.identity_file.read_bytes()
    taken = take_metadata(project)
    assert (taken.new, taken.updated, taken.aliases) == (0, 0, 0)
    assert (papers_file(project).read_bytes(), project.identity_file.read_bytes()) == before


def test_what_a_person_typed_outlives_every_run(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(f"{RYE}: A Field Study of Ovens")], 1))
    search_metadata(project, (), make_pages())
    rye, bees, lost = table(project)
    assert rye["take"] == ""
    bees |= {"take": "yes", "doi": "10.1000/bees", "authors": "Zoë Çelik", "mine": "asked Zoë"}
    rye |= {"take": "no", "mine": ""}
    lost |= {"mine": ""}
    retype(project, rye, bees, lost)
    server.answering = services()
    searched = search_metadata(project, (), make_pages(day=5))
    assert searched.asked == 1  # the one of which nothing is known
    again = table(project)
    assert again == [rye, bees, lost]
    assert take_metadata(project).papers == 1
    row = json.loads(papers_file(project).read_text(encoding="utf-8"))
    assert (row["id"], row["authors"]) == ("doi:10.1000/bees", ["Zoë Çelik"])


def test_a_row_that_found_nothing_gives_way_to_what_is_found_later(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services()
    search_metadata(project, (), make_pages())
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    search_metadata(project, (), make_pages(day=5))
    assert sorted(row["source"] for row in table(project)) == ["", "", "arxiv"]


def test_papers_with_an_id_are_asked_for_by_it(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    known = {"title": RYE, "arxiv_id": "2304.00111"}
    (project.root / "papers" / "list.jsonl").write_text(json.dumps(known), encoding="utf-8")
    server.answering = lambda asked: arxiv_feed([loaf(RYE)], 1)
    searched = search_metadata(project, (), make_pages())
    assert (searched.safe, len(server.asked)) == (1, 1)
    assert server.asked[0].parameters["id_list"] == "2304.00111"
    take_metadata(project)
    assert not project.identity_file.exists()
    assert search_metadata(project, (), make_pages()).lacking == 0


def test_a_service_that_fails_is_left_out_and_the_others_are_asked(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    good = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    server.answering = lambda asked: (
        Answer(b"no key", status=403) if asked.path == "/works" else good(asked)
    )
    searched = search_metadata(project, (), make_pages())
    assert list(searched.failures) == ["openalex", "crossref"]
    assert searched.safe == 1
    assert [row["title"] for row in table(project)] == [RYE]  # of the others too little is known


def test_what_cannot_be_taken_is_told_all_at_once_and_nothing_is_written(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    search_metadata(project, (), make_pages())
    rye, bees, lost = table(project)
    bees |= {"take": "yes", "published": "last spring", "doi": "none"}
    lost |= {"take": "yes", "id": "loaf 7"}
    retype(project, rye, {**rye, "arxiv_id": "2304.99999"}, bees, lost)
    with pytest.raises(InputError) as error:
        take_metadata(project)
    assert [str(fault) for fault in error.value.faults] == [
        f"taxonomy/metadata-matches.csv:2: error: found yes to arXiv ids 2304.00111 and 2304.99999 "
        f"for {title_id(RYE)}; wanted one arXiv id. Say no to a row.",
        "taxonomy/metadata-matches.csv:4: error: found doi 'none'; wanted a DOI such as "
        "10.1000/182. Correct the cell.",
        "taxonomy/metadata-matches.csv:4: error: found published 'last spring'; wanted a date such "
        "as 2025-10-15 or 2025. Correct the cell.",
        "taxonomy/metadata-matches.csv:5: error: found id 'loaf 7'; wanted arxiv:…, doi:10.… or p- "
        "and ten hex digits.",
    ]
    assert not papers_file(project).exists()


def test_verdicts_of_people_stand_against_a_match(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    search_metadata(project, (), make_pages())
    verdict = f"id,alias,verdict\narxiv:2304.00111,{title_id(RYE)},different\n"
    project.identity_file.write_text(verdict, encoding="utf-8")
    with pytest.raises(InputError, match=r"which taxonomy/identity\.csv calls different"):
        take_metadata(project)


def test_names_of_an_old_id_lead_to_its_better_one(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    older = f"id,alias,verdict,who\n{title_id(RYE)},p-0123456789,same,ada\n"
    project.identity_file.write_text(older, encoding="utf-8")
    server.answering = services(arxiv=arxiv_feed([loaf(RYE)], 1))
    search_metadata(project, (), make_pages())
    take_metadata(project)
    assert project.identity_file.read_text(encoding="utf-8").splitlines() == [
        "id,alias,verdict,who",
        "arxiv:2304.00111,p-0123456789,same,ada",
        f"arxiv:2304.00111,{title_id(RYE)},same,",
    ]
    assert len(read_identity(project.identity_file).same) == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("title,take\nBread,yes\n", "found no column id"),
        (f"id,title,take\n{title_id(RYE)},Bread,perhaps\n", "found take 'perhaps'; wanted yes, no"),
    ],
)
def test_a_spoilt_sheet_is_told_before_the_network_is_asked(
    text: str, found: str, server: Replay, project: Project, make_pages: MakePages
) -> None:
    sheet_of(project).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=found):
        search_metadata(project, (), make_pages())
    assert server.asked == []
    assert sheet_of(project).read_text(encoding="utf-8") == text


def test_wrong_use(project: Project, make_pages: MakePages) -> None:
    with pytest.raises(UsageError, match="--service bakery: is none"):
        search_metadata(project, (), make_pages(), services=("bakery",))
    with pytest.raises(UsageError, match="`fieldguide fetch metadata` writes it"):
        take_metadata(project)


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
    search_metadata(golden, (), make_pages(), services=("arxiv",))
    take_metadata(golden)
    assert read_inputs(golden).decisions["arxiv:2505.01234"] == before

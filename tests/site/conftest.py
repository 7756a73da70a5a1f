"""A small edition that holds every shape that the site has to print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import serve

from classifier.labelling.labels import FacetLabels, PaperLabels, Reason, Status
from classifier.papers.paper import Paper, Published, Source
from classifier.pipeline import compute
from classifier.project import Project
from classifier.review.acts import Act
from classifier.site.render import render_site
from classifier.survey.document import (
    Document,
    Figure,
    Paragraph,
    Reference,
    Section,
    Sentence,
    Table,
)
from classifier.survey.entry import SurveyPaper
from classifier.survey.survey import Survey
from classifier.taxonomy.model import Taxonomy
from classifier.text.results import results_of
from classifier.text.roles import roled_sentences

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

TAXONOMY = {
    "survey": {
        "title": "Birds that plan",
        "subtitle": "What crows do with tools",
        "editors": ["Ada Editor", "Ben Editor"],
    },
    "facets": {
        "topic": {
            "kind": "multi",
            "categories": [
                {
                    "id": "tools",
                    "core": True,
                    "name": "Tools & hooks",
                    "definition": "Work on *tools*.\n\n- hooks\n- sticks",
                    "includes": ["hooks"],
                    "excludes": ["birds (song)"],
                    "children": [
                        {"id": "tools/hooks", "name": "Hooks"},
                        {"id": "tools/stones", "name": "Stones"},
                    ],
                },
                {"id": "song", "name": "Song", "definition": "Work on song."},
                {"id": "flight", "name": "Flight"},
            ],
        },
        "contribution": {
            "kind": "single",
            "categories": [{"id": "method"}, {"id": "survey"}],
        },
    },
}

PAPERS = [
    Paper(
        "Hooks: bending 100\\% of wires",
        id="arxiv:2401.10230",
        abstract="Crows need hooks. Introduces Bend, a method. It wins 3%.",
        abstract_kind="digest",
        authors=("Ada de la Cruz", "Ben Müller"),
        author_count=4,
        published=Published("2024-01-20"),
        arxiv_id="2401.10230",
        code_urls=("https://github.com/crows/bend",),
        sources=(Source("papers/birds.jsonl", "jsonl", 3),),
    ),
    Paper(
        "Song of the *crow* | a survey",
        id="doi:10.1000/abc",
        abstract="We survey song.",
        abstract_kind="abstract",
        authors=("Cy Three",),
        organisation="Bird House",
        published=Published("2023-05"),
        venue="Journal of Crows",
        doi="10.1000/abc",
    ),
    Paper("A title and nothing else", id="p-0123456789"),
]


def facet_labels(
    *categories: str, status: Status = "confident", confidence: float = 0.834
) -> FacetLabels:
    """Return labels of which the first is primary."""
    return FacetLabels(
        categories=categories,
        primary=categories[0],
        confidence=confidence,
        status=status,
        probabilities={category.partition("/")[0]: confidence for category in categories},
        why=(Reason(categories[0], "bent wire", "cue", 1.24),),
    )


def entry(
    paper: Paper, number: int, first: FacetLabels, contribution: FacetLabels | None = None
) -> SurveyPaper:
    """Return a paper with its labels."""
    facets = {"topic": first} | ({"contribution": contribution} if contribution else {})
    sentences = tuple(roled_sentences(paper.abstract_display))
    results = results_of(sentences, lambda text: ())
    labels = PaperLabels(paper.id, facets)
    return SurveyPaper(paper, labels, number, first, sentences, {}, results=results)


def document() -> Document:
    """Return a survey with every kind of block."""
    sections = (
        Section(
            "abstract",
            "Abstract",
            1,
            (
                Paragraph(
                    (
                        Sentence("abstract-1", "Three papers.", "C", "facts: papers.total"),
                        Sentence("abstract-2", "One sings \\[[2](#ref-2)\\].", "T", "papers: 2"),
                    )
                ),
            ),
        ),
        Section(
            "landscape",
            "Landscape",
            1,
            (
                Figure("topics", "Most sing", "n = 3.", "Bars."),
                Figure("matrix", "All meet", "n = 3.", "A grid."),
            ),
        ),
        Section(
            "tools",
            "Tools & hooks",
            1,
            (
                Paragraph(
                    (
                        Sentence(
                            "tools-1",
                            "Work on *tools*.\n\n- hooks\n- sticks",
                            "D",
                            "taxonomy: topic/tools/definition",
                        ),
                    )
                ),
                Paragraph(
                    (
                        Sentence("tools-2", "One paper is filed here.", "C", "facts: topic.tools"),
                        Sentence("tools-3", "[1](#ref-1) bends wire.", "P", "paper: arxiv:1"),
                    )
                ),
                Table(
                    "papers-tools",
                    "Which papers?",
                    ("Ref.", "Paper", "n"),
                    (("[1](#ref-1)", "[Hooks](p/arxiv-2401.10230.html) a|b\nc", "3"),),
                    numeric=(2,),
                ),
            ),
        ),
        Section("tools/hooks", "Hooks", 2, ()),
        Section("song", "Song", 1, ()),
    )
    references = tuple(
        Reference(number, paper.id, f"**{paper.id}**, a reference.")
        for number, paper in enumerate(PAPERS, start=1)
    )
    return Document(
        "Birds that plan",
        "What crows do with tools",
        ("Ada Editor", "Ben Editor"),
        "0123456789ab",
        "2024-01-20",
        sections,
        references,
    )


def make_survey(papers: list[Paper] | None = None) -> Survey:
    """Return an edition of three papers, labelled alike whatever they are."""
    hooks, song, bare = papers or PAPERS
    entries = (
        entry(
            hooks,
            1,
            facet_labels("tools", "tools/hooks", "song", status="reviewed", confidence=1.0),
            facet_labels("method"),
        ),
        replace(
            entry(song, 2, facet_labels("song"), facet_labels("survey")),
            remark=Act(
                "Compare *Bend* [1](https://bend.example/).", "ada", "2025-06-03", "doi:10.1000/abc"
            ),
        ),
        replace(
            entry(bare, 3, facet_labels("song", status="provisional", confidence=0.3)),
            key=Act("yes", "ada", "2025-06-03", "p-0123456789"),
        ),
    )
    facts = {"papers.total": 3, "papers.dated": 2, "papers.reviewed": 1}
    return Survey(
        taxonomy=Taxonomy.model_validate(TAXONOMY),
        entries=entries,
        document=document(),
        fact_values=facts,
    )


def make_hostile_survey() -> Survey:
    """Return an edition whose papers try to break out of every place they are printed in."""
    papers = [
        replace(
            paper,
            title=paper.title + HOSTILE,
            abstract=HOSTILE + ". We introduce [x](javascript:alert(3)).",
            abstract_kind="abstract",
            authors=(HOSTILE,),
            organisation=HOSTILE,
            venue=HOSTILE,
            url="javascript:alert(4)",
            code_urls=(f"https://github.com/a/b{HOSTILE}", "javascript:alert(5)"),
            sources=(Source(HOSTILE, "jsonl", 1),),
        )
        for paper in PAPERS
    ]
    survey = make_survey(papers)
    said = (f"{HOSTILE} [x](javascript:alert(7))", f"<b>\n\n{HOSTILE}\n\n- <i>", HOSTILE)
    entries = tuple(
        replace(entry, remark=Act(text, HOSTILE, HOSTILE, HOSTILE), key=entry.remark)
        for entry, text in zip(survey.entries, said, strict=True)
    )
    document = survey.document
    sentences = (
        Sentence("abstract-1", f"{HOSTILE} [x](javascript:alert(6))", "Q", HOSTILE),
        Sentence("abstract-2", f"{HOSTILE}\n\n{HOSTILE}", "H", HOSTILE),
    )
    section = Section("abstract", HOSTILE, 1, (Paragraph(sentences),))
    references = tuple(Reference(n, paper.id, HOSTILE) for n, paper in enumerate(papers, 1))
    return replace(
        survey,
        entries=entries,
        document=replace(
            document,
            title=HOSTILE,
            sections=(section, *document.sections[1:]),
            references=references,
        ),
    )


@pytest.fixture(scope="session")
def survey() -> Survey:
    return make_survey()


@pytest.fixture(scope="session")
def hostile_survey() -> Survey:
    return make_hostile_survey()


@pytest.fixture(scope="session")
def site(survey: Survey) -> dict[str, bytes]:
    return render_site(survey)


@pytest.fixture(scope="session")
def hostile_site(hostile_survey: Survey) -> dict[str, bytes]:
    return render_site(hostile_survey)


@pytest.fixture(scope="session")
def bread_site() -> dict[str, bytes]:
    """Every file of the golden survey: a whole site with a home of its own on the web."""
    return dict(compute(Project(BREAD)).files)


@pytest.fixture(scope="session")
def bread_folder(bread_site: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden site on the disk."""
    folder = tmp_path_factory.mktemp("bread")
    for path, content in bread_site.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


@pytest.fixture(scope="session")
def bread_address(bread_folder: Path) -> Iterator[str]:
    """Where a small server offers the golden site over HTTP."""
    with serve(bread_folder) as address:
        yield address


@pytest.fixture(params=["file", "http"])
def home(request: pytest.FixtureRequest, bread_folder: Path, bread_address: str) -> str:
    """The address below which the golden site lies: on the disk, and over HTTP."""
    return f"{bread_folder.as_uri()}/" if request.param == "file" else bread_address


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe, out of the package that carries it."""
    package = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def open_page(browser: Browser) -> Iterator[Page]:
    """A page into which axe may be put, whatever the policy says."""
    context = browser.new_context(bypass_csp=True)
    yield context.new_page()
    context.close()

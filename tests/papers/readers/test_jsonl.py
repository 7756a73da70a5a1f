from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.clean import repair_encoding
from classifier.papers.load import read_content
from classifier.papers.paper import Paper, Published, Source
from classifier.papers.reader import Record
from classifier.papers.readers.json_file import JSONL, paper_to_json
from classifier.text.normalise import format_for_display, title_key


def read(*lines: str) -> list[Record]:
    return list(JSONL.read(text_content("p.jsonl", "\n".join(lines))))


def test_a_title_is_enough() -> None:
    assert read('{"title": "Baking"}') == [
        Paper("Baking", sources=(Source("p.jsonl", "jsonl", 1),))
    ]


def test_all_fields() -> None:
    (paper,) = read(
        '{"id": "p-0123456789", "title": "Baking", "abstract": "We bake.", "abstract_kind":'
        ' "digest", "authors": ["Ann Oven", "Bo Flour"], "organisation": "Guild",'
        ' "published": "2025-10",'
        ' "venue": "Bread 2025", "arxiv_id": "https://arxiv.org/abs/2501.00001v2",'
        ' "doi": "https://doi.org/10.1000/ABC", "url": "https://example.org/x",'
        ' "code_urls": ["https://github.com/a/b"], "comment_count": 0}'
    )
    assert paper == Paper(
        title="Baking", id="p-0123456789", abstract="We bake.", abstract_kind="digest",
        authors=("Ann Oven", "Bo Flour"), author_count=2, organisation="Guild",
        published=Published("2025-10"), venue="Bread 2025", arxiv_id="2501.00001",
        doi="10.1000/abc", url="https://example.org/x", code_urls=("https://github.com/a/b",),
        comment_count=0, sources=(Source("p.jsonl", "jsonl", 1),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"title": 3}', "title: found 3; expected a string"),
        ('{"title": " "}', "title: found none; expected the paper's title"),
        ('{"abstract": "x"}', "title: found none; expected the paper's title"),
        (
            '{"title": "A", "reference": "Ann", "author_count": -1}',
            "author_count: found -1; expected a non-negative whole number; "
            "reference: found 'Ann'; expected an object of strings",
        ),
        (
            '{"title": "A", "author_count": true}',
            "author_count: found true; expected a non-negative whole number",
        ),
        (
            '{"title": "A", "comment_count": 1e9}',
            "comment_count: found 1000000000.0; expected a non-negative whole number",
        ),
        (
            '{"title": "A", "abstract_kind": "x"}',
            "abstract_kind: found 'x'; expected abstract, digest or none",
        ),
        (
            '{"title": "A", "abstract_kind": []}',
            "abstract_kind: found an empty list; expected abstract, digest or none",
        ),
        (
            '{"title": "A \\ud83d"}',
            "title: found half of a surrogate pair; expected complete characters",
        ),
        ('["A"]', "found a list; expected a JSON object"),
        ("null", "found nothing; expected a JSON object"),
        ('{"title": {"a": 1}}', "title: found a mapping; expected a string"),
        ('{"title": 2024}', "title: found 2024; expected a string"),
        ('{"title": 123456}', "title: found 123,456; expected a string"),
    ],
)
def test_what_cannot_be_a_paper_is_quarantined(line: str, reason: str) -> None:
    bad, good = read(line, '{"title": "Good"}')
    assert isinstance(bad, Fault)
    assert (bad.line, bad.actual) == (1, reason)
    assert isinstance(good, Paper)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"abstract": "We bake.", "year": 2024, "doi": null}', "abstract 'We bake.', year 2024"),
        ('{"id": "p-0123456789", "abstract": "x"}', "p-0123456789"),
        ('{"title": "", "authors": ["Ann"]}', "authors 'Ann'"),
        ('{"title": "", "authors": ["Ann", "Bo"], "keywords": []}', "authors 'Ann'"),
        ("{}", "an empty record"),
    ],
)
def test_a_record_without_a_title_is_named_by_what_it_holds(line: str, name: str) -> None:
    (bad,) = read(line)
    assert isinstance(bad, Fault)
    assert bad.record == name


@pytest.mark.parametrize(
    "line", ['{"title": "A", "abstr', "{" * 50_000, '{"title": ' + "[" * 50_000]
)
def test_broken_json_is_quarantined(line: str) -> None:
    (bad,) = read(line)
    assert isinstance(bad, Fault)
    assert bad.actual.endswith("expected a JSON object")


@pytest.mark.parametrize(
    ("name", "text", "ours"),
    [
        ("a.txt", '{"title": "A"}\n', True),
        ("a.jsonl", '{"titl', True),
        ("a.json", '[{"title": "A"}]', False),
        ("a.json", '{"title": "A feed", "items": [{"title": "A"}]}', False),
        ("a.json", '{\n"title": "A"}', False),
        ("a.csv", "title\nA\n", False),
    ],
)
def test_it_is_known_by_its_first_line_or_its_name(name: str, text: str, ours: bool) -> None:
    assert (not JSONL.reject_reason(text_content(name, text))) == ours


def test_a_giant_line_is_quarantined() -> None:
    bad, good = read(json.dumps({"title": "A", "abstract": "x" * 2_000_000}), '{"title": "B"}')
    assert isinstance(bad, Fault)
    assert bad.actual == snapshot(
        "found a line of more than 1,000,000 characters; expected a shorter line"
    )
    assert isinstance(good, Paper)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "paper 7"),
        ("arxiv_id", "none"),
        ("doi", "n/a"),
        ("url", "javascript:alert(1)"),
        ("url", "example.org"),
        ("url", "https://[bad"),
        ("published", "2025-02-30"),
        ("published", "soon"),
        ("year", 0),
    ],
)
def test_a_value_that_says_nothing_is_left_out_with_a_notice(field: str, value: object) -> None:
    fault, paper = read(json.dumps({"title": "A", field: value}))
    assert isinstance(fault, Fault)
    assert fault.severity == "notice"
    assert paper == Paper("A", sources=(Source("p.jsonl", "jsonl", 1),))


def test_unknown_fields_are_named_once_for_the_file() -> None:
    found = read('{"title": "A", "score": 1}', "", '{"title": "B", "score": 2, "rank": 3}')
    assert [str(record) for record in found if isinstance(record, Fault)] == snapshot(
        [
            "p.jsonl:1: warning: found unknown fields 'rank', 'score'; expected id, title, abstract, abstract_kind, authors, author_count, organisation, published, venue, arxiv_id, doi, url, code_urls, comment_count, keywords, collections, reference, retracted. It is ignored. Rename it if it contains one of these fields."
        ]
    )


def test_what_an_export_adds_is_passed_over_without_a_warning() -> None:
    (paper,) = read('{"title": "A", "cite_key": "a", "labels": {"topic": {"primary": "bread"}}}')
    assert paper == Paper("A", sources=(Source("p.jsonl", "jsonl", 1),))


def test_a_category_among_the_keywords_is_nobodys_keyword() -> None:
    (paper,) = read('{"title": "A", "keywords": ["rye", "fieldguide:bread"]}')
    assert isinstance(paper, Paper)
    assert paper.keywords == ("rye",)


def test_an_id_states_the_arxiv_id_too_and_its_version_is_cut() -> None:
    (paper,) = read('{"title": "A", "id": "arxiv:2401.10230v3"}')
    assert isinstance(paper, Paper)
    assert (paper.id, paper.arxiv_id) == ("arxiv:2401.10230", "2401.10230")


@pytest.mark.parametrize("year", ["2024", 2024])
def test_year_stands_in_for_published(year: object) -> None:
    (paper,) = read(json.dumps({"title": "A", "year": year}))
    assert isinstance(paper, Paper)
    assert paper.published == Published("2024")


def test_fields_are_written_in_a_fixed_order_and_empty_ones_left_out() -> None:
    paper = Paper(
        "A", id="p-0123456789", published=Published("2025"), abstract="x", abstract_kind="digest"
    )
    assert list(paper_to_json(paper).items()) == [
        ("id", "p-0123456789"),
        ("title", "A"),
        ("abstract", "x"),
        ("abstract_kind", "digest"),
        ("published", "2025"),
    ]


@pytest.mark.parametrize(
    ("fields", "field", "value"),
    [
        ({"id": 7}, "id", ""),
        ({"id": 7, "tags": ["rye"]}, "collections", ("rye",)),
        ({"year": 2019.0}, "published", Published("2019")),
        ({"year": float("nan")}, "published", Published("")),
        ({"published": 1577836800000}, "published", Published("2020-01-01")),
        ({"published": 1577836800}, "published", Published("2020-01-01")),
        ({"authors": "Oven, Ann; Flour, Bo"}, "authors", ("Oven, Ann", "Flour, Bo")),
        ({"authors": [{"name": "Ann Oven"}]}, "authors", ("Ann Oven",)),
        ({"authors": ["ANNA SALT", "Bo Flour"], "x": []}, "authors", ("ANNA SALT", "Bo Flour")),
        ({"keywords": "rye; salt"}, "keywords", ("rye", "salt")),
        ({"url": ["http://a.org", "http://b.org"]}, "url", "http://a.org"),
        ({"arxiv_id": 2001.00001}, "arxiv_id", "2001.00001"),
        ({"venue": {"name": "Bread"}}, "venue", "Bread"),
        ({"comment_count": float("nan")}, "comment_count", None),
    ],
)
def test_an_ordinary_value_of_another_type_is_read(
    fields: dict[str, object], field: str, value: object
) -> None:
    lines = [json.dumps({"title": "Baking", **fields}), json.dumps({"title": "Mowing"})]
    papers = [record for record in read(*lines) if isinstance(record, Paper)]
    assert len(papers) == 2
    assert getattr(papers[0], field) == value


def test_the_key_of_the_title_makes_no_difference() -> None:
    record = {"abstract": "We bake.", "year": 2019.0, "authors": "Oven, Ann; Flour, Bo"}
    papers = [
        replace(read_content(text_content("p.jsonl", json.dumps(line))).papers[0], sources=())
        for line in ({"title": "Baking", **record}, {"paper_title": "Baking", **record})
    ]
    assert papers[0] == papers[1]


def test_labels_that_a_build_wrote_are_nobodys_collections() -> None:
    label = {"id": "p-0123456789", "title": "A", "primary": "rye", "topics": ["rye", "crust"],
             "status": "confident", "theme": "bread"}  # fmt: skip
    (paper,) = (r for r in read(json.dumps(label)) if isinstance(r, Paper))
    assert (paper.collections, paper.keywords) == ((), ())


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
NAME = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30).map(str.strip)
TITLE = TEXT.filter(format_for_display)


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    """Papers as a reader makes them."""
    title, abstract = draw(TITLE), draw(TEXT)
    abstract = abstract if abstract.strip() and title_key(abstract) != title_key(title) else ""
    authors = tuple(draw(st.lists(NAME.filter(bool), max_size=3)))
    arxiv_id = draw(st.sampled_from(["", "2401.10230", "cs/0112017"]))
    own_id = f"arxiv:{arxiv_id}" if arxiv_id else "p-0123456789"
    return Paper(
        title=title,
        id=draw(st.sampled_from(["", own_id])),
        abstract=abstract,
        abstract_kind=draw(st.sampled_from(["abstract", "digest"])) if abstract else "none",
        authors=authors,
        author_count=draw(st.integers(1, 99)) if draw(st.booleans()) else len(authors) or None,
        organisation=draw(NAME),
        published=Published(draw(st.sampled_from(["", "2025", "2025-10", "2024-02-29"]))),
        venue=draw(NAME),
        arxiv_id=arxiv_id,
        doi=draw(st.sampled_from(["", "10.1000/182"])),
        url=draw(st.sampled_from(["", "https://example.org/a?b=c"])),
        code_urls=draw(st.sampled_from([(), ("https://github.com/a/b", "https://gitlab.com/a/b")])),
        comment_count=draw(st.none() | st.integers(0, 99)),
        keywords=draw(st.sampled_from([(), ("rye", "salt")])),
        collections=draw(st.sampled_from([(), ("Bread / Rye",)])),
        reference=draw(st.sampled_from([(), (("page", "1-9"), ("type", "chapter"))])),
        sources=(Source("p.jsonl", "jsonl", 1),),
    )


def test_a_name_is_one_line_without_control_characters() -> None:
    (paper,) = read('{"title": "Rye", "authors": ["Ada\\nOne", "\\u0000"], "venue": "\\u001b[1mX"}')
    assert (paper.authors, paper.venue) == (("Ada One",), "[1mX")


# Who is not named is no author.
UNNAMED = re.compile(r"(?:et al\.?|u\. ?a\.|(?:and )?others|\.\.\.|…|等)", re.IGNORECASE)


def is_in_order(paper: Paper) -> bool:
    if any(UNNAMED.fullmatch(name) for name in paper.authors):
        return False
    texts = (paper.title, paper.abstract, paper.organisation, paper.venue, *paper.authors)
    return all(repair_encoding(text) == text for text in texts)


@given(papers().filter(is_in_order))
def test_what_is_written_is_read_again(paper: Paper) -> None:
    assert read(json.dumps(paper_to_json(paper))) == [paper]
    assert read(json.dumps(paper_to_json(paper), ensure_ascii=False)) == [paper]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)
FIELD = st.sampled_from(
    ["id", "title", "abstract", "authors", "published", "url", "code_urls", "year"]
)


@given(st.dictionaries(FIELD, JSON) | JSON)
def test_any_json_is_read_without_a_traceback(value: object) -> None:
    for record in read(json.dumps(value)):
        assert isinstance(record, Paper | Fault)


@given(st.text())
def test_any_text_is_read_without_a_traceback(text: str) -> None:
    JSONL.reject_reason(text_content("p.txt", text))
    list(JSONL.read(text_content("p.jsonl", text)))

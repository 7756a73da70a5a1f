from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.papers.identity import Identity
from classifier.papers.merge import merge_records
from classifier.papers.paper import Paper, Published, Source
from classifier.text.normalise import title_id

BREAD = (
    "Sourdough needs a living starter of flour and water, fed daily by bakers who judge smell, "
    "rise and bubbles before dough is mixed, folded, rested overnight and put in hot ovens."
)
BREAD_REVISED = f"{BREAD} We add an appendix on rye."
GRASS = (
    "Lawns grow fastest during wet spring months, so gardeners sharpen blades, set mowers high, "
    "cut weekly without removing clippings, then sow clover wherever moss has spread."
)


def record(title: str, abstract: str = "", line: int = 1, **fields: object) -> Paper:
    kind = "abstract" if abstract else "none"
    source = Source("a.jsonl", "jsonl", line)
    paper = Paper(title, abstract=abstract, abstract_kind=kind, sources=(source,))  # type: ignore[arg-type]
    return replace(paper, **fields)  # type: ignore[arg-type]


def titles(*records: Paper, identity: Identity | None = None) -> list[str]:
    return [paper.title for paper in merge_records(records, identity).papers]


def volume(number: str, **others: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted({"volume": number, **others}.items()))


SAME = {
    "DOI, the same title or the head of it, names of others": (
        record("Bread of old", authors=("Ann Oven",), doi="10.1000/1"),
        record("Bread of old: How to Bake It", authors=("Bo Flour",), doi="10.1000/1"),
    ),
    "arXiv id, other title, one of the authors": (
        record("Bread of old", BREAD, authors=("Ann Oven", "Bo Flour"), arxiv_id="2401.00001"),
        record("Loaf", GRASS, authors=("Flour, B.",), arxiv_id="2401.00001"),
    ),
    "title and abstract, other volume": (
        record("Bread of old", BREAD, venue="Bee World", reference=volume("1")),
        record("Bread of old", BREAD_REVISED, venue="Bee World", reference=volume("2021")),
    ),
    "title and author, volume otherwise written": (
        record(
            "Bread of old", authors=("Ann Oven",), doi="10.1000/1", reference=volume("Vol. 012")
        ),
        record("Bread of old", authors=("Ann Oven",), doi="10.2000/1", reference=volume("12")),
    ),
    "title and author, volume of another journal": (
        record("Bread of old", authors=("Ann Oven",), venue="Bee World", reference=volume("1")),
        record("Bread of old", authors=("Ann Oven",), venue="Loaves", reference=volume("2")),
    ),
    "arXiv id": (
        record("Bread of old", arxiv_id="2401.00001"),
        record("Loaf", arxiv_id="2401.00001"),
    ),
    "DOI": (record("Bread of old", doi="10.1000/1"), record("Loaf", doi="10.1000/1")),
    "own id": (record("Bread of old", id="p-0123456789"), record("Loaf", id="p-0123456789")),
    "title": (record("Sour-dough: Why?", BREAD), record("SOURDOUGH, why", BREAD_REVISED)),
    "title of a digest": (
        record("Sourdough bread", BREAD),
        record("Sourdough bread", "On bread.", abstract_kind="digest"),
    ),
    "title with accents and signs": (
        record("Poincaré meets α-rye"),
        record(r"Poincare Meets $\alpha$-Rye"),
    ),
    "title of one author, otherwise spelled": (
        record("Editorial", authors=("K. Müller",)),
        record("Editorial", authors=("Mueller, Klaus",)),
    ),
    "title of one author, turned and cut": (
        record("Editorial", authors=("Ann Oven", "Bo Flour")),
        record("Editorial", authors=("Oven A",)),
    ),
    "near title, same abstract": (
        record("How bakers judge a sourdough starter", BREAD),
        record("How baker judge the sourdough starter", BREAD_REVISED),
    ),
    "head of a title, same abstract": (
        record("Sourdough", BREAD),
        record("Sourdough: How to Judge a Starter", BREAD_REVISED),
    ),
    "title, other arXiv id, same abstract": (
        record("Bread of old", BREAD, arxiv_id="2401.00001"),
        record("Bread of old", BREAD_REVISED, arxiv_id="2402.00001"),
    ),
    "title, other DOI, same authors": (
        record("Bread of old", doi="10.1000/1", authors=("Ann Oven", "Bo Flour")),
        record("Bread of old", doi="10.2000/2", authors=("Oven, A.", "Flour, B.")),
    ),
    "arXiv id, other DOI": (
        record("Bread of old", doi="10.1000/1", arxiv_id="2401.00001"),
        record("Bread of old", doi="10.2000/2", arxiv_id="2401.00001"),
    ),
}
EDITORIAL = "This issue brings five papers on tides in harbours and one on moons."
# Records of one title that are different works.
BARE = {
    "editorials of an editor in two years": (
        record("Editorial", authors=("Oven, Ann",), doi="10.1000/1", published=Published("2019")),
        record("Editorial", authors=("Oven, Ann",), doi="10.1000/2", published=Published("2020")),
    ),
    "editorials of an editor in one year": (
        record("Editorial", authors=("Oven, Ann",), doi="10.1000/1"),
        record("Editorial", authors=("Oven, Ann",), doi="10.1000/2"),
    ),
    "editorials without authors": (
        record("Editorial", venue="Bee World", published=Published("2019")),
        record("Editorial", venue="Loaves", published=Published("2019")),
    ),
    "chapters of one year": (
        record("Introduction", EDITORIAL, published=Published("2001")),
        record("Introduction", "What a hive is and who lives in it.", published=Published("2001")),
    ),
    "web pages": (
        record("Home", url="https://a.example/"),
        record("Home", "Nine rules for work.", authors=("Nelson, Al",), url="https://b.example/"),
    ),
    "one word": (
        record("Ibogaine", venue="The Daily Loaf", published=Published("1998")),
        record("Ibogaine", published=Published("2025")),
    ),
    "heading in German": (record("Vorwort", venue="Brot"), record("Vorwort", venue="Bienen")),
    "heading in French": (record("Compte rendu", venue="Le Pain"), record("Compte rendu")),
    "heading in Russian": (record("От редакции", venue="Хлеб"), record("От редакции")),
    "heading in Chinese": (record("编者按", venue="面包"), record("编者按", venue="草坪")),
    "letters to the editor": (
        record("Letter to the Editor"),
        record("Letter to the editor", GRASS),
    ),
    "namesakes": (
        record("How we judge bread", authors=("Smith, J",)),
        record("How we judge bread", authors=("Smith, A",)),
    ),
    "namesakes whose names come first": (
        record("How we judge bread", authors=("John A. Smith",)),
        record("How we judge bread", authors=("Smith B",)),
    ),
    "DOI and year": (
        record(
            "How we judge bread", authors=("Ann Oven",), doi="10.1/1", published=Published("2007")
        ),
        record(
            "How we judge bread", authors=("Ann Oven",), doi="10.1/2", published=Published("2014")
        ),
    ),
    "abstracts with nothing in common": (
        record("How we judge", BREAD, published=Published("2007")),
        record("How we judge", GRASS, published=Published("2007")),
    ),
}
ONE_BARE = {
    "the same editorial in two databases": (
        record("Editorial", authors=("Oven, Ann",), doi="10.1000/1", published=Published("2019")),
        record("Editorial", authors=("Oven, A.",), published=Published("2019-03")),
    ),
    "the same abstract": (
        record("Introduction", BREAD, published=Published("2001")),
        record("Introduction", BREAD_REVISED, published=Published("2002")),
    ),
    "the same pages of a journal": (
        record("Editorial", venue="Bee World", reference=volume("1", page="3-4"), doi="10.1000/1"),
        record("Editorial", venue="Bee world", reference=volume("1", page="3-4")),
    ),
    "the same address": (
        record("Home", url="https://a.example/"),
        record("Home", EDITORIAL, url="https://a.example/"),
    ),
    "the same record twice": (record("Home"), record("Home", line=2)),
    "preprint and article": (
        record(
            "ReBread", authors=("Ann Oven",), arxiv_id="2401.00001", published=Published("2024")
        ),
        record("ReBread", authors=("Oven, A.",), doi="10.1000/1", published=Published("2025")),
    ),
    "preprint and article of other DOI and year": (
        record(
            "How we judge bread",
            authors=("Ann Oven",),
            doi="10.1101/1",
            published=Published("2024"),
        ),
        record(
            "How we judge bread",
            authors=("Ann Oven",),
            doi="10.1000/1",
            published=Published("2025"),
        ),
    ),
    "one abstract in two languages": (
        record("How we judge bread", BREAD, authors=("Ann Oven", "Bo Flour")),
        record("How we judge bread", GRASS, authors=("Oven, A.", "Flour, B.")),
    ),
    "one author of two who share their family name": (
        record("How we judge bread", authors=("Smith, J", "Smith, A")),
        record("How we judge bread", authors=("Ada Smith",)),
    ),
}


@pytest.mark.parametrize("case", BARE)
def test_works_that_share_a_title(case: str) -> None:
    assert len(titles(*BARE[case])) == 2


@pytest.mark.parametrize("case", ONE_BARE)
def test_records_of_one_bare_title_that_agree_in_more(case: str) -> None:
    assert len(titles(*ONE_BARE[case])) == 1


@pytest.mark.parametrize("title", ["Editorial", "The tides of small harbours"])
def test_a_title_of_many_dois_is_a_heading(title: str) -> None:
    records = [
        record(title, doi=f"10.1000/{number}", authors=("Oven, Ann",), line=number)
        for number in range(50)
    ]
    assert len(titles(*records)) == 50


DIFFERENT = {
    "near title, other abstract": (
        record("How bakers judge a sourdough starter", BREAD),
        record("How bakers judge the sourdough starter", GRASS),
    ),
    "near title, no abstract": (
        record("How bakers judge a sourdough starter", authors=("Ann Oven", "Bo Flour")),
        record("How bakers judge the sourdough starter", authors=("Ann Oven", "Bo Flour")),
    ),
    "near title, same abstract, other authors": (
        record("How bakers judge a sourdough starter", BREAD, authors=("Ann Oven", "Bo Flour")),
        record("How bakers judge the sourdough starter", BREAD, authors=("Cy Rye", "Di Bran")),
    ),
    "head of a title, other abstract": (
        record("Sourdough", BREAD),
        record("Sourdough: How to Judge a Starter", GRASS),
    ),
    "parts of a series": (
        record("A history of bread and ovens, part I", BREAD),
        record("A history of bread and ovens, part II", BREAD),
    ),
    "parts by letters": (
        record("A history of bread and ovens. Part A: Rye", BREAD),
        record("A history of bread and ovens. Part B: Rye", BREAD),
    ),
    "meetings": (
        record("Proceedings of the Third Workshop on Bread and Ovens", BREAD),
        record("Proceedings of the Fourth Workshop on Bread and Ovens", BREAD),
    ),
    "correction with the abstract of what it corrects": (
        record(f"A history of bread and ovens {'in old towns ' * 9}", BREAD, doi="10.1000/1"),
        record(
            f"Correction to: A history of bread and ovens {'in old towns ' * 9}",
            BREAD,
            doi="10.1000/2",
        ),
    ),
    "reply": (record("Ovens of old", BREAD), record("Ovens of old: Reply", BREAD)),
    "title, other arXiv id, other abstract": (
        record("Bread of old", BREAD, arxiv_id="2401.00001"),
        record("Bread of old", GRASS, arxiv_id="2402.00001"),
    ),
    "title, other DOI, nothing else known": (
        record("Editorial", doi="10.1000/1"),
        record("Editorial", doi="10.1000/2"),
    ),
    "title, other people of one given name": (
        record("Editorial", authors=("Ann Oven",), doi="10.1000/1"),
        record("Editorial", authors=("Ann Flour",)),
    ),
    "title and author, other volume of one journal": (
        record("Editorial", authors=("Ann Oven",), venue="Bee World", reference=volume("1(2)")),
        record("Editorial", authors=("Ann Oven",), venue="Bee world", reference=volume("2(2)")),
    ),
    "title and author, other DOI, other issue": (
        record("Reply", authors=("Ann Oven",), doi="10.1000/1", reference=volume("1", issue="2")),
        record("Reply", authors=("Ann Oven",), doi="10.1000/2", reference=volume("1", issue="3")),
    ),
    "DOI of a book, stated by a chapter": (
        record("Bread of old", authors=("Ann Oven",), doi="10.1000/1"),
        record("On rye", authors=("Ann Oven",), doi="10.1000/1", venue="BREAD OF OLD"),
    ),
    "DOI of a book, stated by a chapter of another spelling of it": (
        record(
            "Bread of old", authors=("Ann Oven",), doi="10.1000/1", reference=(("type", "book"),)
        ),
        record("On rye", doi="10.1000/1", venue="Breads", reference=(("type", "chapter"),)),
    ),
    "DOI, other title, other people": (
        record("Bread of old", BREAD, authors=("Ann Oven",), doi="10.1000/1"),
        record("On rye", authors=("Bo Flour",), doi="10.1000/1"),
    ),
    "arXiv id, other title, other people": (
        record("Bread of old", BREAD, authors=("Ann Oven",), arxiv_id="2401.00001"),
        record("Lawn", GRASS, authors=("Bo Flour",), arxiv_id="2401.00001"),
    ),
    "titles without a letter": (record("???"), record("!!!")),
    "other scripts": (record("面包的历史"), record("草坪的历史")),
}


@pytest.mark.parametrize("case", SAME)
def test_one_paper(case: str) -> None:
    assert len(titles(*SAME[case])) == 1


@pytest.mark.parametrize("case", DIFFERENT)
def test_two_papers(case: str) -> None:
    assert titles(*DIFFERENT[case]) == [paper.title for paper in DIFFERENT[case]]


def test_papers_that_look_alike_and_are_kept_apart_are_reported() -> None:
    first, second = DIFFERENT["title, other arXiv id, other abstract"]
    (fault,) = merge_records([first, replace(second, sources=(Source("b.csv", "csv", 7),))]).faults
    assert str(fault) == (
        snapshot(
            "b.csv:7: notice: found the title of 'Bread of old' at a.jsonl:1 with different ids and text; expected the same ids in all records of a paper. They were not merged. Add a row with 'same' or 'different' to taxonomy/identity.csv."
        )
    )


def test_an_id_that_another_paper_states_is_reported() -> None:
    merged = merge_records(DIFFERENT["DOI, other title, other people"])
    assert {fault.actual for fault in merged.faults} == {
        "the DOI of 'Bread of old' at a.jsonl:1 in a paper that seems different",
        "id doi:10.1000/1 of another paper, 'Bread of old' at a.jsonl:1",
    }


def test_a_third_record_does_not_join_what_contradicts_itself() -> None:
    first, second = DIFFERENT["title, other arXiv id, other abstract"]
    for order in ([first, second, record("Bread of old")], [record("Bread of old"), second, first]):
        merged = merge_records(order)
        assert sorted(paper.id for paper in merged.papers) == [
            "arxiv:2401.00001",
            "arxiv:2402.00001",
        ]


def test_different_in_the_identity_file_keeps_apart_even_by_way_of_a_third() -> None:
    identity = Identity(different=(("arxiv:2401.00001", "doi:10.1000/1"),))
    one, two = (
        record("Bread of old", BREAD, arxiv_id="2401.00001"),
        record("Bread of old", BREAD, doi="10.1000/1"),
    )
    between = record("Bread of old", BREAD)
    assert len(titles(one, two, between)) == 1
    merged = merge_records([one, two, between], identity)
    assert [paper.id for paper in merged.papers] == ["arxiv:2401.00001", "doi:10.1000/1"]
    assert merged.faults == ()


@pytest.mark.parametrize(
    ("records", "identity"),
    [
        (  # the id of a title that both have names the record that has no other
            [
                record("Bread of old", BREAD, arxiv_id="2401.00001"),
                record("Bread of old", BREAD_REVISED),
            ],
            Identity(different=(("arxiv:2401.00001", title_id("Bread of old")),)),
        ),
        (  # it has one now, but the verdict stands
            [
                record("Bread of old", arxiv_id="2401.00001"),
                record("Bread of old", doi="10.1000/1"),
            ],
            Identity(different=(("arxiv:2401.00001", title_id("Bread of old")),)),
        ),
        (  # one record states the DOI of the other
            [
                record("Bread of old", arxiv_id="2401.00001", doi="10.1000/1"),
                record("Loaf", doi="10.1000/1"),
            ],
            Identity(different=(("arxiv:2401.00001", "doi:10.1000/1"),)),
        ),
        (  # an id that no record has any more stands for the one that took its place
            [
                record("Bread of old", arxiv_id="2401.00001"),
                record("Bread of old", doi="10.1000/1"),
            ],
            Identity({"p-0123456789": "arxiv:2401.00001"}, (("doi:10.1000/1", "p-0123456789"),)),
        ),
    ],
)
def test_different_in_the_identity_file_finds_whom_it_means(
    records: list[Paper], identity: Identity
) -> None:
    assert len(titles(*records)) == 1
    assert len(titles(*records, identity=identity)) == 2


def test_same_in_the_identity_file_joins_and_says_which_id_stays() -> None:
    identity = Identity(same={"arxiv:2401.00001": title_id("Lawn")})
    one, two = record("Bread of old", BREAD, arxiv_id="2401.00001"), record("Lawn", GRASS)
    (paper,) = merge_records([one, two], identity).papers
    assert paper.id == title_id("Lawn")


@pytest.mark.parametrize(
    ("records", "identity"),
    [
        ([record("Bread of old")], title_id("Bread of old")),
        ([record("Bread of old"), record("Bread of old", doi="10.1000/1")], "doi:10.1000/1"),
        ([record("Bread of old", doi="10.1000/1", arxiv_id="2401.00001")], "arxiv:2401.00001"),
        (
            [
                record("Bread of old", id="p-0123456789"),
                record("Bread of old", arxiv_id="2401.00001"),
            ],
            "p-0123456789",
        ),
        (
            [record("Bread of old", id="p-0123456789"), record("Bread of old", id="doi:10.1000/1")],
            "doi:10.1000/1",
        ),
    ],
)
def test_the_id_that_stays(records: list[Paper], identity: str) -> None:
    (paper,) = merge_records(records).papers
    assert paper.id == identity


def test_every_other_id_of_a_paper_is_an_alias() -> None:
    merged = merge_records(
        [
            record("Bread of old", id="p-0123456789"),
            record("Bread of old", arxiv_id="2401.00001", doi="10.1000/1"),
        ],
        Identity(same={"p-aaaaaaaaaa": "arxiv:2401.00001"}),
    )
    assert merged.papers[0].id == "arxiv:2401.00001"
    assert merged.aliases == dict.fromkeys(
        ["doi:10.1000/1", "p-0123456789", title_id("Bread of old"), "p-aaaaaaaaaa"],
        "arxiv:2401.00001",
    )


def test_the_id_of_a_title_stays_an_alias_of_the_paper_that_had_it() -> None:
    other = record("Bread of old", authors=("Bo Flour",), arxiv_id="2401.00001")
    one = record("Bread of old", authors=("Ann Oven",), line=2)
    assert [paper.id for paper in merge_records([other, one]).papers][1] == title_id("Bread of old")
    learned = record("Bread of old", authors=("Ann Oven",), doi="10.1000/1", line=3)
    assert merge_records([other, one, learned]).aliases[title_id("Bread of old")] == "doi:10.1000/1"


def test_what_told_papers_of_one_title_apart_stays_an_alias() -> None:
    editorials = [
        record("Editorial", authors=(f"Bo {name}",), line=line)
        for line, name in enumerate(("Oven", "Flour"))
    ]
    before = merge_records(editorials).papers[1].id
    learned = replace(editorials[1], doi="10.1000/1", sources=(Source("b.csv", "csv", 1),))
    assert merge_records([*editorials, learned]).aliases[before] == "doi:10.1000/1"
    assert merge_records([editorials[0], learned]).aliases[before] == "doi:10.1000/1"


def test_an_alias_that_names_two_papers_names_none() -> None:
    merged = merge_records(DIFFERENT["title, other arXiv id, other abstract"])
    assert title_id("Bread of old") not in merged.aliases


def test_papers_kept_apart_never_share_an_id() -> None:
    one = record("Bread of old", BREAD, id="p-0123456789", arxiv_id="2401.00001")
    two = record("Bread of old", GRASS, id="p-0123456789", arxiv_id="2402.00001", line=2)
    merged = merge_records([one, two])
    assert [paper.id for paper in merged.papers] == ["p-0123456789", "arxiv:2402.00001"]
    assert "found id p-0123456789 of another paper" in "\n".join(map(str, merged.faults))


def test_a_large_group_of_one_title_is_one_paper() -> None:
    assert titles(*(record("Bread of old", line=n) for n in range(100))) == ["Bread of old"]


def test_editorials_of_different_authors_are_different_papers() -> None:
    names = ("Oven", "Flour", "Yeast", "Oven")
    editorials = [
        record("Editorial", authors=(f"Bo {name}",), line=line) for line, name in enumerate(names)
    ]
    merged = merge_records(editorials)
    assert [len(paper.sources) for paper in merged.papers] == [2, 1, 1]
    assert len({paper.id for paper in merged.papers}) == 3
    # Which is which does not depend on what else was read.
    assert merge_records(editorials[:2]).papers[1].id == merged.papers[1].id


def test_volumes_of_one_year_are_told_apart_by_their_numbers() -> None:
    volumes = [
        record("Works of bakers", line=line, authors=("Ann Oven",), reference=volume(str(line)))
        for line in range(1, 5)
    ]
    between = record("Works of bakers", line=9, authors=("Ann Oven",))
    merged = merge_records([*volumes, between])
    assert [len(paper.sources) for paper in merged.papers] == [2, 1, 1, 1]
    fewer = merge_records([*volumes[:2], volumes[3]])
    assert fewer.papers[2].id == merged.papers[3].id


def test_the_doi_of_a_volume_joins_no_chapters() -> None:
    chapters = [
        record(f"On {word}", doi="10.1000/book") for word in ("rye", "oats", "salt", "figs")
    ]
    merged = merge_records(chapters)
    assert len(merged.papers) == 4
    assert len({paper.id for paper in merged.papers}) == 4
    (fault,) = merged.faults
    assert fault.actual.endswith(", and 2 more like it")


def test_of_many_disagreements_the_first_hundred_are_told() -> None:
    pairs = [
        record(title, arxiv_id=f"2401.{number:05}", line=2 * number + version)
        for number in range(120)
        for version, title in enumerate((f"Loaf {number}", f"Quite another thing {number}"))
    ]
    faults = merge_records(pairs).faults
    assert len(faults) == 100
    assert sum("and 20 more like it" in fault.actual for fault in faults) == 1


def test_papers_come_in_the_order_of_their_first_records() -> None:
    assert titles(
        record("Lawn", line=9), record("Bread of old", line=5), record("Lawn", line=1)
    ) == [
        "Lawn",
        "Bread of old",
    ]


RECORDS = st.builds(
    record,
    title=st.sampled_from(
        [
            "Bread of old",
            "bread of old!",
            "Sourdough",
            "Sourdough: How to Judge a Starter",
            "How bakers judge a sourdough starter",
            "How bakers judge the sourdough starter",
        ]
    ),
    abstract=st.sampled_from(["", BREAD, BREAD_REVISED, GRASS]),
    line=st.integers(1, 5),
    id=st.sampled_from(["", "", "p-0123456789", "p-aaaaaaaaaa"]),
    arxiv_id=st.sampled_from(["", "2401.00001", "2402.00001"]),
    doi=st.sampled_from(["", "", "10.1000/1", "10.1000/2"]),
    published=st.sampled_from(
        [Published(), Published("2024"), Published("2024-05"), Published("2025-01-02")]
    ),
    authors=st.sampled_from([(), ("Ann Oven",), ("Ann Oven", "Bo Flour")]),
)
IDENTITY = st.sampled_from(
    [
        Identity(),
        Identity(same={"p-0123456789": "p-aaaaaaaaaa"}),
        Identity(different=(("arxiv:2401.00001", "p-0123456789"),)),
    ]
)


@given(st.lists(RECORDS, max_size=9), IDENTITY, st.randoms(use_true_random=False))
def test_the_order_of_the_records_changes_the_order_of_the_papers_alone(
    records: list[Paper], identity: Identity, random: object
) -> None:
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = merge_records(records, identity), merge_records(shuffled, identity)
    assert sorted(one.papers, key=repr) == sorted(two.papers, key=repr)
    assert (one.aliases, one.faults) == (two.aliases, two.faults)


@given(st.lists(RECORDS, max_size=9), IDENTITY)
def test_nothing_is_lost_and_ids_are_distinct(records: list[Paper], identity: Identity) -> None:
    merged = merge_records(records, identity)
    ids = [paper.id for paper in merged.papers]
    assert len(set(ids)) == len(ids)
    assert not set(merged.aliases) & set(ids)
    assert set(merged.aliases.values()) <= set(ids)
    kept = {source for paper in merged.papers for source in paper.sources}
    assert kept == {source for paper in records for source in paper.sources}
    assert all(list(paper.sources) == sorted(paper.sources) for paper in merged.papers)

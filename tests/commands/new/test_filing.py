"""The filing of papers is read from collections and keywords."""

from __future__ import annotations

from dataclasses import replace

from classifier.commands.new.filing import Filing, read_filing
from classifier.papers.paper import Paper


def paper(number: int, *collections: str, keywords: tuple[str, ...] = ()) -> Paper:
    return Paper(
        title=f"Loaf {number}", id=f"p-{number:010x}", collections=collections, keywords=keywords
    )


def filing_of(*shelves: tuple[str, int]) -> Filing | None:
    papers = [
        paper(1000 * shelf + number, name)
        for shelf, (name, size) in enumerate(shelves)
        for number in range(size)
    ]
    return read_filing(papers)


def test_headings_are_topics_and_children() -> None:
    filing = filing_of(("Bread / Rye", 4), ("Bread / Wheat", 3), ("Bread", 2), ("Bees", 7))
    assert filing is not None
    assert filing.topics == {"Bread": ("Rye", "Wheat"), "Bees": ()}
    assert filing.places["p-0000000000"] == (("Bread", "Rye"),)


def test_deeper_collections_belong_to_the_child() -> None:
    filing = filing_of(("Bread / Rye / Dark", 4), ("Bread / Rye / Light", 4), ("Bees", 8))
    assert filing is not None
    assert filing.topics == {"Bread": ("Rye",), "Bees": ()}


def test_small_and_miscellaneous_headings_are_merged() -> None:
    filing = filing_of(("Bread", 6), ("Bees", 6), ("Bridges", 2), ("Others", 5))
    assert filing is not None
    assert (filing.topics, filing.merged) == ({"Bread": (), "Bees": ()}, ("Bridges",))
    assert filing.places["p-" + f"{2000:010x}"] == ()
    assert filing.places["p-" + f"{3000:010x}"] == ()


def test_the_heading_of_all_papers_is_not_a_topic() -> None:
    filing = filing_of(("My library / Bread", 6), ("My library / Bees", 6))
    assert filing is not None
    assert list(filing.topics) == ["Bread", "Bees"]


def test_dates_are_not_topics() -> None:
    assert filing_of(("2024", 9), ("Top papers of the week (June 3 - June 9) - 2025", 9)) is None


def test_names_that_differ_in_case_are_one() -> None:
    filing = filing_of(("Bread", 6), ("bread", 6), ("Bees", 6))
    assert filing is not None
    assert list(filing.topics) == ["Bread", "Bees"]


def test_without_collections_frequent_keywords_are_topics() -> None:
    papers = [paper(n, keywords=("rye", "oven")[n % 2 : n % 3 + 1]) for n in range(12)]
    papers += [paper(20 + n, keywords=("Hives",)) for n in range(12)]
    filing = read_filing(papers)
    assert filing is not None
    assert (filing.source, list(filing.topics)) == ("keywords", ["Rye", "Oven", "Hives"])


def test_less_frequent_keywords_are_reported_as_unused() -> None:
    papers = [paper(n, keywords=("Hives" if n % 2 else "Oven",)) for n in range(34)]
    papers += [paper(50 + n, keywords=("Hives", "alpine")) for n in range(3)]
    papers += [paper(60 + n, keywords=("Oven", "seldom")) for n in range(2)]
    filing = read_filing(papers)
    assert filing is not None
    assert (list(filing.topics), filing.unused) == (["Oven", "Hives"], ("Alpine",))


def test_general_keywords_and_personal_notes_are_not_topics() -> None:
    papers = [
        paper(n, keywords=("Humans", "Ovens" if n % 2 else "HEARTHS", "Unread", "Ovens/methods"))
        for n in range(24)
    ]
    filing = read_filing(papers)
    assert filing is None  # MEDLINE's “Ovens/methods” is “Ovens”, which all of them have
    papers = [paper(n, keywords=("Male", "Unread", ("OVENBIRDS", "rye")[n % 2])) for n in range(24)]
    filing = read_filing(papers)
    assert filing is not None
    assert list(filing.topics) == ["Ovenbirds", "Rye"]


def test_a_keyword_covered_by_a_more_frequent_one_is_not_a_topic() -> None:
    papers = [paper(n, keywords=("Baking", "Rye breads")[: 1 + n % 2]) for n in range(12)]
    papers += [paper(20 + n, keywords=("Hives", "Life And Earth--Bees")) for n in range(12)]
    filing = read_filing(papers)
    assert filing
    assert list(filing.topics) == ["Baking", "Hives"]


def test_a_part_of_a_keyword_of_nearly_all_papers_is_not_a_topic() -> None:
    words = ("Friction stir", "Rye", "Oats")
    papers = [paper(n, keywords=("Friction stir welding", words[n % 3])) for n in range(30)]
    filing = read_filing(papers)
    assert filing is not None
    assert list(filing.topics) == ["Rye", "Oats"]
    assert filing.unused == ()


def test_a_keyword_that_is_not_a_primary_is_not_a_topic() -> None:
    words = (("Rye", "Crust"), ("Oats", "Crust"))
    filing = read_filing([paper(n, keywords=words[n % 2]) for n in range(30)])
    assert filing is not None
    assert list(filing.topics) == ["Rye", "Oats"]


def test_the_keyword_in_the_title_is_the_primary() -> None:
    words = ("ovens", "loaf", "rye", "salt")
    papers = [
        replace(paper(n, keywords=(words[n % 4], words[(n + 1) % 4])), title=f"On {words[n % 4]}")
        for n in range(40)
    ]
    filing = read_filing([replace(papers[0], title="A loaf"), *papers[1:]])
    assert filing is not None
    assert filing.places["p-0000000000"] == (("Loaf",), ("Ovens",))


def test_a_keyword_in_most_texts_is_not_a_topic() -> None:
    words = ("loaf", "rye", "salt", "oats")
    filing = read_filing([paper(n, keywords=(words[n % 4], words[(n + 1) % 4])) for n in range(40)])
    assert filing is not None
    assert "Loaf" not in filing.topics  # "Loaf" stands in the title of each


def test_papers_without_collections_and_keywords_have_no_filing() -> None:
    assert read_filing([paper(1), paper(2)]) is None


def test_spellings_of_one_name_are_one_topic() -> None:
    filing = filing_of(("Friction stir welding", 6), ("Friction-stir-welding", 4), ("Bees", 7))
    assert filing is not None
    assert filing.topics == {"Friction stir welding": (), "Bees": ()}


def test_codes_plurals_and_qualifiers_of_an_index_are_not_categories() -> None:
    words = [
        ("61131:Colleges and Schools", "Innovation", "Registries"),
        ("61131:Colleges and Schools", "Innovations", "Trade And Economics--Management"),
        ("Abscess/surgery", "Registries"),
        ("Abscess/drug therapy", "Registries"),
        ("Economics--Management", "Tomography, X-Ray Computed"),
        ("Tomography, X-Ray Computed", "Economics--Management"),
    ]
    filing = read_filing([paper(n, keywords=words[n % 6]) for n in range(30)])
    assert filing is not None
    assert set(filing.topics) == {
        "Innovation",
        "Tomography, X-Ray Computed",
        "Abscess",
        "Economics: Management",
    }


def test_places_dates_and_kinds_are_no_topics() -> None:
    filing = filing_of(("Bread", 6), ("Bees", 7), ("Australia", 9), ("To read", 4), ("March", 5))
    assert filing is not None
    assert list(filing.topics) == ["Bread", "Bees"]
    words = (("Rye", "Humans", "Australia/epidemiology"), ("Oats", "Review", "Australia"))
    papers = [paper(number, keywords=words[number % 2]) for number in range(20)]
    filing = read_filing(papers)
    assert filing is not None
    assert list(filing.topics) == ["Oats", "Rye"] or list(filing.topics) == ["Rye", "Oats"]


def keyword_topics(*keywords: str) -> list[str]:
    """Return the topics of thirty papers, each with one of the keywords in turn."""
    papers = [paper(n, keywords=(keywords[n % len(keywords)],)) for n in range(30)]
    filing = read_filing(papers)
    return list(filing.topics) if filing else []


def test_the_archive_before_a_subject_is_not_part_of_its_name() -> None:
    assert keyword_topics(
        "Astrophysics - Astrophysics of Galaxies", "Geophysics - Seismology", "Physics - Optics"
    ) == ["Astrophysics of Galaxies", "Seismology", "Optics"]


def test_stars_and_qualifiers_of_mesh_are_not_part_of_a_name() -> None:
    assert keyword_topics("*Gulls/growth & development", "Mud/*chemistry", "*Rye") == [
        "Gulls",
        "Mud",
        "Rye",
    ]


def test_a_name_does_not_end_with_a_hyphen() -> None:
    assert keyword_topics("Moral-philosophy -", "Rye") == ["Moral-philosophy", "Rye"]


def test_similar_names_are_one_topic() -> None:
    filing = filing_of(
        ("Renewable energies", 5),
        ("Renewable energy source", 4),
        ("Renewable energy resources", 3),
        ("Moods & Assessment", 4),
        ("Moods and Assessment", 4),
    )
    assert filing is not None
    assert list(filing.topics) == ["Renewable energies", "Moods & Assessment"]

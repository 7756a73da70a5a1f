"""The section of a category as a whole, and the sentences that count."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.survey.document import Paragraph, Table
from classifier.survey.draft import Draft, computed
from classifier.survey.sections.category import category_sections
from classifier.survey.sections.category.borders import border_drafts
from classifier.survey.sections.category.dates import dates_draft
from classifier.survey.sections.category.examples import example_drafts
from classifier.survey.sections.category.findings import finding_drafts, found_by
from classifier.survey.sections.category.names import names_draft
from classifier.survey.sections.category.open_problems import open_problem_drafts
from classifier.survey.sections.category.scale import (
    decided_draft,
    kinds_draft,
    parts_draft,
    scale_draft,
)
from classifier.survey.sections.category.section import without_repeats
from classifier.survey.sections.category.stated import stated_draft
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.landscape import landscape_sections

Drafts = Callable[[Subject], "list[Draft | None]"]

SAID: dict[str, Drafts] = {
    "scale": lambda s: [scale_draft(s), kinds_draft(s), parts_draft(s, [])],
    "decided": lambda s: [decided_draft(s)],
    "names": lambda s: [names_draft(s, "benchmarks")],
    "examples": lambda s: [*example_drafts(s)],
    "findings": lambda s: finding_drafts(s, found_by(s)),
    "stated": lambda s: [stated_draft(s)],
    "dates": lambda s: [dates_draft(s)],
    "borders": border_drafts,
    "open": open_problem_drafts,
}

# what is asked, papers -> what is said
CASES = [
    ("scale", [], "No paper is filed under Soil."),
    ("scale", [""], "This section holds one paper."),
    ("scale", ["", "topic=seeds+soil"],
     "This section holds one paper; one more belongs here too but is filed elsewhere."),
    ("scale", [""] * 3, "This section holds three papers. Each contributes a method."),
    ("scale", ["topic=soil+soil/compost"] * 2 + ["topic=soil+soil/peat contribution=study"],
     "This section holds three papers. Of the three, two contribute a method and one a study. "
     "The papers fall under Compost ([two]) and Peat ([one])."),
    ("scale", ["topic=soil+soil/compost", "", ""],
     "This section holds three papers. Each contributes a method. One paper falls under Compost; "
     "the others fit no part."),
    ("decided", [""] * 4, ""),
    ("decided", [""] * 3 + ["topic=seeds status=reviewed"],
     "No reader has decided on any of them yet; the labels are the classifier's."),
    ("decided", ["status=reviewed"] + [""] * 5 + ["topic=seeds status=reviewed"] * 6,
     "Readers have decided one of these labels; the others are the classifier's."),
    ("names", ["| The Spade test."] * 2, ""),
    ("names", ["| The Spade test."] * 3 + ["| The Worm count."] * 2,
     "Spade test is named in three texts [1], [2], [3]."),
    ("names", ["| A Spade test, a Worm count."] * 3,
     "Spade test is named in three texts [1], [2], [3] and Worm count in three [1], [2], [3]."),
    ("examples", [""], ""),
    ("examples", ["title=One | Introduces dirt."], "*One* [1] introduces dirt."),
    ("examples", ["title=One | Introduces dirt.", "contribution=study"],
     "For example, *One* [1] introduces dirt."),
    ("findings", ["| Introduces dirt. Results show 3%."], ""),
    ("findings", ["contribution=study title=One | Studies dirt. The results show a gain of 3%."],
     "The topic has one study [1]; it found: The results show a gain of 3% (*One* [1])."),
    ("findings",
     ["contribution=study title=One | Studies dirt. The results show a gain of 3%.",
      "contribution=study", "contribution=benchmark"],
     "The topic has two studies [1], [2] and one benchmark [3]; some of what they found: The "
     "results show a gain of 3% (*One* [1])."),
    ("findings",
     ["", "contribution=benchmark topic=seeds+soil title=Two | Tests dirt. Results fall by 3%."],
     "The topic has one benchmark [2], filed elsewhere."),
    ("findings",
     ["contribution=study title=One | Studies dirt. The guiding questions are three. It wins."],
     ""),
    ("stated", [""] * 2, ""),
    ("stated", [""] * 3, ""),
    ("stated", [""] * 3 + ["topic=seeds | Introduces dirt. Results show a gain of 3%."],
     "Of the three, none states a result with a figure."),
    ("stated", [""] * 3 + ["topic=seeds code=https://a.example"],
     "Of the three, none links code or announces a release."),
    ("stated", [""] * 3 + ["topic=seeds code=https://a.example | Results show a gain of 3%."],
     "Of the three, none states a result with a figure, and none links code or announces a "
     "release."),
    ("stated", ["code=https://a.example"] * 2 + ["| Introduces dirt. Results show a gain of 3%."],
     "Of the three, [one] states a result with a figure, and [two] link code or announce a "
     "release."),
    ("dates", [""] * 3, ""),
    ("dates", ["date=2025"] * 2, ""),
    ("dates", ["date=2025-03-04"] * 3, "Dates are known for all of them, in March 2025."),
    ("dates", ["date=2023-01", "date=2025-02", "date=2025-08-01", ""],
     "Dates are known for three of them, from January 2023 to August 2025, two in 2025."),
    ("borders", ["topic=soil+seeds"] * 2 + [""], ""),
    ("borders", ["topic=soil+seeds"] * 2 + ["topic=seeds+soil"] + ["topic=rain"] * 3,
     "The topic overlaps most with [Seeds] ([three] papers have both topics)."),
    ("borders", [""] * 6 + ["topic=rain"] * 6,
     "No paper joins this topic with [Rain], though by size alone a few should."),
    ("borders", ["status=provisional title=One", "status=provisional title=Two next=seeds"],
     "Filed here provisionally are *One* [1] (next choice: [Rain]) and *Two* [2] (next choice: "
     "[Seeds])."),
    ("borders", ["status=provisional"] * 5,
     "Filed here provisionally are five papers [1], [2], [3], [4], [5]."),
    ("open", ["| Introduces dirt. It wins. Open problems are discussed."], ""),
    ("open", ["title=One | Introduces dirt. It wins. Wet soil is left for future work."],
     "What stays open: Wet soil is left for future work (*One* [1])."),
    ("open", ["title=One text=abstract | METHODS: We dug. LIMITATIONS: Wet soil was not tried."],
     "What stays open: “Wet soil was not tried” (*One* [1])."),
    ("open", ["title=One | METHODS: We dug. LIMITATIONS: Spades are an effective tool."], ""),
    ("examples", ["title=One text=abstract | PURPOSE: To dig wells. METHODS: We dug for days."],
     "*One* [1] gives as its aim: “To dig wells.”"),
    ("open", ["dug_with=spade"] * 6 + ["dug_with=fork contribution=study"] * 6,
     "Under *Dug with*, none of the six methods says a fork and none of the six studies says a "
     "spade."),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "lines", "wanted"), CASES)
def test_what_is_said_of_a_category(
    asked: str,
    lines: list[str],
    wanted: str,
    subject_of: Callable[..., Subject],
    read: Callable[..., str],
) -> None:
    assert read(SAID[asked](subject_of(lines))) == wanted


def test_of_topics_that_overlap_alike_none_overlaps_most(
    subject_of: Callable[..., Subject], read: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.survey.sections.category.borders._MOST_MET", 1)
    alike = subject_of(["topic=soil+seeds"] * 3 + ["topic=soil+rain"] * 3)
    assert read(SAID["borders"](alike)).startswith(
        "Among the largest overlaps of the topic are those with [Seeds] ([three] papers"
    )
    apart = subject_of(["topic=soil+seeds"] * 3 + ["topic=soil+rain"] * 4)
    assert read(SAID["borders"](apart)).startswith("The topic overlaps most with [Rain]")


def test_where_all_pairs_meet_the_landscape_says_all(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    """Here, since this garden has three topics, and so three pairs."""

    def said(*topics: str) -> str:
        material = subject_of([f"topic={each}" for each in topics]).material
        (section,) = [s for s in landscape_sections(material) if s.id == "landscape"]
        blocks = [block for block in section.blocks if isinstance(block, Paragraph)]
        told = [sentence.text for block in blocks for sentence in block.sentences]
        return next(text for text in told if "of categories" in text)

    assert said("soil+seeds", "seeds+rain") == (
        "Of the three pairs of categories, two meet in at least one paper."
    )
    assert said("soil+seeds", "seeds+rain", "rain+soil") == (
        "All three pairs of categories meet in at least one paper."
    )


def test_a_paragraph_says_of_how_many_it_speaks_once() -> None:
    texts = [
        "Of the 12, two dig.",
        "One rests.",
        "Of the 12, [three](x) rake.",
        "Of the 12, 10 sow.",
    ]
    said = without_repeats([None, *(computed("name", text) for text in texts)], 12)
    assert [draft.text for draft in said if draft] == [
        "Of the 12, two dig.",
        "One rests.",
        "[Three](x) rake.",
        "Of them, 10 sow.",
    ]


def test_examples_are_grouped_by_what_they_contribute(
    subject_of: Callable[..., Subject], read: Callable[..., str]
) -> None:
    method, study = "title=One | Introduces dirt.", "contribution=survey title=Two | Surveys dirt."
    both = subject_of([method, method, method, study, study, study])
    facet = both.material.taxonomy.facet("contribution")
    assert facet.get("survey") is None  # a kind that the taxonomy does not know groups nothing
    assert read([*example_drafts(both)]).startswith("For example, *One* [1] introduces dirt.")


def test_a_part_with_papers_enough_has_a_subsection_with_examples_of_its_own(
    subject_of: Callable[..., Subject],
) -> None:
    lines = ["topic=soil+soil/compost title=One | Introduces dirt."] * 3 + ["topic=soil+soil/peat"]
    subject = subject_of(lines)
    whole, part = category_sections(subject.material, subject.category)
    assert (whole.id, whole.level, part.id, part.level) == ("soil", 1, "soil/compost", 2)
    assert "[Compost](#soil/compost) ([three](" in str(whole.blocks)
    texts = [s.text for b in part.blocks if isinstance(b, Paragraph) for s in b.sentences]
    assert texts[0] == "Rotten plants."
    assert texts[1].startswith("Of the four, three belong here \\[[1]")
    told = [s.text for b in whole.blocks if isinstance(b, Paragraph) for s in b.sentences]
    assert not set(texts[2:]) & set(told)


@pytest.mark.parametrize(
    ("others", "wanted"),
    [(0, "."), (1, ", and so does one filed elsewhere"), (2, ", and so do two filed elsewhere")],
)
def test_a_part_counts_its_papers_that_are_filed_elsewhere(
    subject_of: Callable[..., Subject], others: int, wanted: str
) -> None:
    lines = ["topic=soil+soil/compost"] * 3 + ["topic=seeds+soil/compost"] * others
    subject = subject_of(lines)
    _, part = category_sections(subject.material, subject.category)
    texts = [s.text for b in part.blocks if isinstance(b, Paragraph) for s in b.sentences]
    assert texts[1].partition("\\]")[2].partition(" \\[")[0] == wanted


def test_what_is_out_of_scope_is_counted_and_listed_and_no_more(
    subject_of: Callable[..., Subject],
) -> None:
    material = subject_of(["topic=other title=Cake | Introduces cake."] * 3).material
    (section,) = category_sections(material, material.first.categories[3])
    prose, table = section.blocks
    assert isinstance(prose, Paragraph)
    assert [s.text for s in prose.sentences] == ["This section holds three papers."]
    assert isinstance(table, Table)
    assert len(table.rows) == 3


def test_names_of_sentences_are_unique_in_a_section(subject_of: Callable[..., Subject]) -> None:
    claim = {"text": "So it is.", "by": "Ada", "evidence": ["dug_with", "moisture: wet", "code"]}
    lines = ["dug_with=spade moisture=wet date=2025 status=provisional | Introduces dirt."] * 4
    subject = subject_of(lines, [claim, claim])
    sections = category_sections(subject.material, subject.category)
    blocks = [block for section in sections for block in section.blocks]
    ids = [s.id for block in blocks if isinstance(block, Paragraph) for s in block.sentences]
    assert len(ids) > 8
    assert len(ids) == len(set(ids))

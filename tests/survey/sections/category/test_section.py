"""The section of a category: what stands in it, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.survey.document import Paragraph, Section, Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.category.comparison import designs_table
from classifier.survey.sections.category.examples import example_drafts, finding_drafts, found_by
from classifier.survey.sections.category.path import path_drafts
from classifier.survey.sections.category.section import category_sections
from classifier.survey.sections.category.subject import Subject, part_subject
from classifier.survey.sections.unsolved import limit_of, open_problem_drafts
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claims, Thesis

SubjectOf = Callable[..., Subject]
Read = Callable[..., str]


def texts(section: Section) -> list[str]:
    blocks = [block for block in section.blocks if isinstance(block, Paragraph)]
    return [sentence.text for block in blocks for sentence in block.sentences]


def test_a_section_argues_first_and_lists_last(subject_of: SubjectOf) -> None:
    claim = {"text": "Spades win.", "by": "Ada", "on": "2025-03"}
    lines = ["title=One | Introduces dirt. Results show a gain of 3%."] * 3
    subject = subject_of(lines, [claim])
    (section,) = category_sections(subject.survey, subject.category)
    told = texts(section)
    assert told[:2] == snapshot(["What plants stand in.", "Spades win. — Ada, 2025-03"])
    assert told[2].startswith("*One* \\[[1](#ref-1)\\] introduces dirt.")
    assert isinstance(section.blocks[-1], Table)
    assert not any("This section holds" in text for text in told)


def test_examples_come_from_labels_that_are_sure(subject_of: SubjectOf, read: Read) -> None:
    lines = [f"title=P{n} status=provisional | Introduces dirt." for n in range(4)]
    assert read([*example_drafts(subject_of(lines))]) == ""
    lines += ["title=Sure status=reviewed | Introduces clay."]
    assert read([*example_drafts(subject_of(lines))]) == (
        snapshot("For example, *Sure* [5] introduces clay.")
    )


def test_what_was_found_is_told_of_papers_that_measure(subject_of: SubjectOf, read: Read) -> None:
    lines = [
        "contribution=study title=Dig | Studies digging. We find that spades win by 3%.",
        "contribution=method title=Rake | Introduces Rake. Results show a gain of 5%.",
    ]
    subject = subject_of(lines)
    assert read(finding_drafts(found_by(subject))) == (
        snapshot("What was found: We find that spades win by 3% (*Dig* [1]).")
    )


PLAIN = [
    f"text=abstract title=Soil_{n} | We present wet soil spade {n}. We found {kind} soil is better."
    for n, kind in enumerate(["wet", "dry", "warm"])
]


def test_where_no_kind_of_contribution_is_known_all_papers_tell_what_they_found(
    subject_of: SubjectOf,
) -> None:
    subject = without_facets(subject_of(PLAIN))
    (section,) = category_sections(subject.survey, subject.category)
    told = " ".join(texts(section))
    assert told.count("We found") == 3
    assert "We present" not in told  # it stands in the table
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[3] for row in table.rows] == [f"“We present wet soil spade {n}.”" for n in range(3)]


def test_where_enough_papers_found_shares_those_are_told(subject_of: SubjectOf) -> None:
    shares = [line.replace("is better", "is better by 5%") for line in PLAIN]
    others = [line.replace("is better", "is better than clay") for line in PLAIN]
    subject = without_facets(subject_of([*others, *shares]))
    (section,) = category_sections(subject.survey, subject.category)
    told = " ".join(texts(section))
    assert (told.count("by 5%"), told.count("clay")) == (3, 0)


def test_so_does_a_part(subject_of: SubjectOf) -> None:
    lines = [f"topic=soil+soil/peat {line} than peat".replace(". than", " than") for line in PLAIN]
    subject = without_facets(subject_of([f"{line}." for line in lines * 2]))
    whole, part = category_sections(subject.survey, subject.category)
    assert " ".join(texts(whole)).count("We found") == 3
    told = " ".join(texts(part))
    assert told.count("We found") == 2
    assert "We present" not in told


def test_of_a_single_case_nothing_is_found_and_the_table_repeats_no_quote(
    subject_of: SubjectOf,
) -> None:
    subject = without_facets(subject_of([f"{line} We report a case." for line in PLAIN]))
    (section,) = category_sections(subject.survey, subject.category)
    told = " ".join(texts(section))
    assert "We found" not in told
    assert told.count("states: “We present wet soil spade") == 3
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[3] for row in table.rows] == [""] * 3


def without_facets(subject: Subject) -> Subject:
    """Return a section of a field that asks nothing but the topic."""
    taxonomy = subject.survey.taxonomy
    topic = {taxonomy.first.id: taxonomy.first}
    alone = taxonomy.model_copy(update={"facets": topic})
    return replace(subject, survey=replace(subject.survey, taxonomy=alone))


def test_a_sentence_that_compares_nothing_is_no_finding(subject_of: SubjectOf, read: Read) -> None:
    done = "Experiments were run on clay and on sand."
    for said, found in ((done, False), ("Experiments show that clay is better.", True)):
        lines = [f"contribution=study title=Dig | Studies digging. {said}"]
        assert bool(read(finding_drafts(found_by(subject_of(lines))))) is found


def test_a_limit_is_told_with_its_paper(subject_of: SubjectOf, read: Read) -> None:
    lines = [
        "title=Dig | Introduces Dig. A limitation of our work is that Dig cannot be used in frozen "
        "soil, which is left to future work."
    ]
    assert "cannot be used in frozen soil" in read(open_problem_drafts(subject_of(lines)))


def test_what_stands_before_the_aim_is_a_gap_that_the_paper_fills(
    subject_of: SubjectOf, read: Read
) -> None:
    gap = "Research into moles is limited and future work is needed."
    unsaid = f"Soil is wet. {gap} Moles eat. Rain falls."
    for text, told in ((f"{gap} We dig.", ""), (unsaid, ""), (f"We dig. {gap}", gap)):
        (entry,) = subject_of([f"title=Dig | {text}"]).entries
        roled = [replace(s, role="limit" if s.words == gap else s.role) for s in entry.sentences]
        limit = limit_of(replace(entry, sentences=tuple(roled)))
        assert limit == (gap if told else "")


@pytest.mark.parametrize(
    "said",
    [
        "Future: the current status of the field and a research agenda.",  # a heading
        "Further work is being continued under another grant.",
        "However, seed set does not increase with fire.",  # a finding
        "Finally, Chapter 5 concludes with limitations and future research.",
        "Diffusion is possibly hindered by impurities in soil at low temperatures.",
        "Hippos were at home in closed-canopy woods with open-canopy areas and limited grasslands.",
        "In contrast, diggers in the west are mainly challenged by motivation.",
        "A future research agenda is also presented on digging.",
        "Although most moles have a peak, no mole was limited to a single soil.",
        "Although well treated, digging was still associated with mortality.",
        "The areas in which further research is needed are pointed out.",
        "Moles will allow gardeners to further develop their skills.",
    ],
)
def test_what_only_sounds_open_is_no_limit(subject_of: SubjectOf, said: str) -> None:
    subject = subject_of([f"title=Dig | Introduces Dig. {said}"])
    (entry,) = subject.entries
    main, *rest = entry.sentences
    roled = (main, *(replace(sentence, role="limit") for sentence in rest))
    assert limit_of(replace(entry, sentences=roled)) == ""


def test_a_category_without_papers_of_its_own_names_those_filed_elsewhere(
    survey_of: Callable[..., Survey], make_entry: Callable[..., SurveyPaper]
) -> None:
    survey = survey_of([make_entry(n, "seeds", "soil") for n in (1, 2)])
    soil = next(one for one in survey.first.categories if one.id == "soil")
    (section,) = category_sections(survey, soil)
    assert texts(section)[-1].startswith("No paper is filed here; filed elsewhere, but also")


def test_a_title_that_is_a_word_of_the_field_is_no_name(subject_of: SubjectOf, read: Read) -> None:
    lines = ["title=Compost date=2020 | Introduces dirt."]
    lines += [f"title=P{n} date=202{n} | Compost is what Compost does." for n in range(1, 8)]
    assert "named by" not in read(path_drafts(subject_of(lines)))


def test_the_matrix_has_a_dot_where_a_cue_was_found_and_else_a_blank(
    subject_of: SubjectOf,
) -> None:
    lines = (
        ["dug_with=spade date=2024"] * 3 + ["dug_with=spade moisture=wet date=2023"] * 3 + [""] * 4
    )
    (table,) = designs_table(subject_of(lines))
    assert table.columns == ("Ref.", "Paper", "Dug with: a spade", "Moisture: wet")
    assert [row[0] for row in table.rows][:2] == ["[4](#ref-4)", "[5](#ref-5)"]  # the oldest first
    assert [bool(cell) for cell in table.rows[-1][2:]] == [True, False]
    assert len(table.rows) == 6  # no row without a dot
    assert "without a row are 4 of 10 papers, in which none of these was found" in table.caption
    assert "filed elsewhere" not in table.caption
    assert designs_table(subject_of(["dug_with=spade"] * 3)) == []


def test_a_path_to_read_has_a_reason_for_each_paper(subject_of: SubjectOf, read: Read) -> None:
    lines = [f"title=Tool{n} date=202{n} | Introduces a tool like Tool2." for n in range(1, 7)]
    said = read(path_drafts(subject_of(lines)))
    assert said.startswith("To begin with: *Tool2* [2] is named by five other papers here.")
    assert "*Tool1* [1] is the earliest dated with this label (2021)." in said
    assert "*Tool6* [6] is the newest dated with this label (2026)." in said
    assert path_drafts(subject_of(lines[:5])) == []
    same_year = [line.replace("2025", "2026") for line in lines]
    said = read(path_drafts(subject_of(same_year)))
    assert "[6] is among the newest dated with this label (2026)." in said
    whole = subject_of([f"topic=soil+soil/peat {line}" for line in lines])
    peat = next(child for child in whole.category.children if child.id == "soil/peat")
    said = read(path_drafts(part_subject(whole.survey, whole.category, peat)))
    assert "the earliest dated of those here that are filed under Soil (2021)." in said


def test_dates_alone_are_no_path_to_read(subject_of: SubjectOf) -> None:
    lines = [f"title=P{n} date=202{n} | Digs." for n in range(1, 7)]
    assert path_drafts(subject_of(lines)) == []
    assert len(path_drafts(subject_of(["contribution=survey title=Old | Digs.", *lines]))) == 3


def test_a_quote_of_an_abstract_shows_why_it_stands_in_its_section(subject_of: SubjectOf) -> None:
    said = "text=abstract title=Moles | We found moles win."
    subject = subject_of([said, f"{said} Soil is wet.", said.replace("Moles", "Soil_moles")])
    assert [subject.shows(each, each.sentences[0].words) for each in subject.entries] == [
        False,
        False,
        True,
    ]


def test_the_editors_papers_and_the_benchmark_of_others_come_before_dates(
    subject_of: SubjectOf, read: Read
) -> None:
    lines = [f"title=P{n} date=202{n} | Digs on Spade test." for n in range(1, 7)]
    subject = subject_of(["title=Spade_test | Introduces Spade test.", *lines])
    begin = ((subject.entries[3].paper.id, "how deep to dig"), ("p-gone", "gone"))
    thesis = Thesis("As told.", "soil", "A. Keeper", 1, begin)
    survey = replace(subject.survey, claims=Claims((thesis,)))
    drafts = path_drafts(replace(subject, survey=survey))
    assert read(drafts).startswith(
        "To begin with: *P3* [4]: how deep to dig. "
        "*Spade test* [1] is the benchmark that six other papers here name. "
    )
    assert [draft.kind for draft in drafts[:2] if draft] == ["H", "T"]


def test_a_part_with_papers_enough_has_a_subsection_with_examples_of_its_own(
    subject_of: SubjectOf,
) -> None:
    lines = ["topic=soil+soil/compost title=One | Introduces dirt."] * 3 + ["topic=soil+soil/peat"]
    subject = subject_of(lines)
    whole, part = category_sections(subject.survey, subject.category)
    assert (whole.id, whole.level, part.id, part.level) == ("soil", 1, "soil/compost", 2)
    told = texts(part)
    assert told[0] == "Rotten plants."
    assert told[-1].startswith("In this part: \\[[1](#ref-1), [2](#ref-2), [3](#ref-3)\\].")
    assert not set(told[1:-1]) & set(texts(whole))


def test_a_paper_of_two_parts_is_an_example_of_one(subject_of: SubjectOf) -> None:
    both = "topic=soil+soil/compost+soil/peat"
    subject = subject_of([f"{both} title=P{n} | Introduces dirt {n}." for n in range(3)])
    _, *parts = category_sections(subject.survey, subject.category)
    told = [text for part in parts for text in texts(part) if "introduces" in text]
    assert len(parts) == 2
    assert len(told) == len(set(told)) == 3


def test_what_is_out_of_scope_is_listed_and_no_more(subject_of: SubjectOf) -> None:
    survey = subject_of(["topic=other title=Cake | Introduces cake."] * 3).survey
    (section,) = category_sections(survey, survey.first.categories[3])
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert len(table.rows) == 3


def test_names_of_sentences_are_unique_in_a_section(subject_of: SubjectOf) -> None:
    claim = {"text": "So it is.", "by": "Ada"}
    lines = [f"dug_with=spade moisture=wet date=202{n} | Introduces dirt {n}." for n in range(8)]
    subject = subject_of(lines, [claim, claim])
    blocks = [b for s in category_sections(subject.survey, subject.category) for b in s.blocks]
    ids = [s.id for block in blocks if isinstance(block, Paragraph) for s in block.sentences]
    assert len(ids) > 5
    assert len(ids) == len(set(ids))

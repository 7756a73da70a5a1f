"""The section of a category: its content and order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.survey.document import Paragraph, Section, Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.sections.category.claims import reading_run
from classifier.survey.sections.category.findings import central_findings, finding_drafts
from classifier.survey.sections.category.section import category_sections
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.unsolved import limit_of, open_problem_of
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claims, Thesis

SubjectOf = Callable[..., Subject]
Read = Callable[..., str]


def texts(section: Section) -> list[str]:
    blocks = [block for block in section.blocks if isinstance(block, Paragraph)]
    return [sentence.text for block in blocks for sentence in block.sentences]


def test_a_section_begins_with_the_argument_and_ends_with_the_table(subject_of: SubjectOf) -> None:
    claim = {"text": "Spades win.", "by": "Ada", "on": "2025-03"}
    lines = ["title=One | Introduces dirt. Results show a gain of 3%."] * 3
    subject = subject_of(lines, [claim])
    (section,) = category_sections(subject.survey, subject.category)
    text = texts(section)
    assert text == snapshot(["What plants stand in.", "Spades win."])
    assert isinstance(section.blocks[-1], Table)


def test_findings_are_from_papers_that_measure(subject_of: SubjectOf, read: Read) -> None:
    lines = [
        "contribution=study title=Dig | Studies digging. We find that spades win by 3%.",
        "contribution=method title=Rake | Introduces Rake. Results show a gain of 5%.",
    ]
    subject = subject_of(lines)
    assert read(finding_drafts(central_findings(subject))) == (
        snapshot("What was found: We find that spades win by 3% (*Dig* [1]).")
    )


PLAIN = [
    f"text=abstract title=Soil_{n} | We present wet soil spade {n}. We found {kind} soil is better."
    for n, kind in enumerate(["wet", "dry", "warm"])
]


def test_without_kinds_of_contribution_findings_are_from_all_papers(
    subject_of: SubjectOf,
) -> None:
    subject = without_facets(subject_of(PLAIN))
    (section,) = category_sections(subject.survey, subject.category)
    text = " ".join(texts(section))
    assert text.count("We found") == 3
    assert "We present" not in text  # it is printed in the table
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[3] for row in table.rows] == [f"“We present wet soil spade {n}.”" for n in range(3)]


def test_findings_in_per_cent_come_first(subject_of: SubjectOf) -> None:
    shares = [line.replace("is better", "is better by 5%") for line in PLAIN]
    others = [line.replace("is better", "is better than clay") for line in PLAIN]
    subject = without_facets(subject_of([*others, *shares]))
    (section,) = category_sections(subject.survey, subject.category)
    text = " ".join(texts(section))
    assert (text.count("by 5%"), text.count("clay")) == (3, 0)


def test_a_case_report_has_no_finding(
    subject_of: SubjectOf,
) -> None:
    subject = without_facets(subject_of([f"{line} We report a case." for line in PLAIN]))
    (section,) = category_sections(subject.survey, subject.category)
    text = " ".join(texts(section))
    assert "We found" not in text
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    assert all("We present wet soil spade" in str(row[3]) for row in table.rows)


def without_facets(subject: Subject) -> Subject:
    """Return a section of a field that asks nothing but the topic."""
    taxonomy = subject.survey.taxonomy
    topic = {taxonomy.first.id: taxonomy.first}
    alone = taxonomy.model_copy(update={"facets": topic})
    return replace(subject, survey=replace(subject.survey, taxonomy=alone))


def test_a_sentence_without_a_comparison_is_not_a_finding(
    subject_of: SubjectOf, read: Read
) -> None:
    done = "Experiments were run on clay and on sand."
    for said, found in ((done, False), ("Experiments show that clay is better.", True)):
        lines = [f"contribution=study title=Dig | Studies digging. {said}"]
        assert bool(read(finding_drafts(central_findings(subject_of(lines))))) is found


def test_a_gap_before_the_aim_is_not_a_limit(subject_of: SubjectOf, read: Read) -> None:
    gap = "Research into moles is limited and future work is needed."
    unsaid = f"Soil is wet. {gap} Moles eat. Rain falls."
    for text, expected in ((f"{gap} We dig.", ""), (unsaid, ""), (f"We dig. {gap}", gap)):
        (entry,) = subject_of([f"title=Dig | {text}"]).entries
        roled = [replace(s, role="limit" if s.words == gap else s.role) for s in entry.sentences]
        limit = limit_of(replace(entry, sentences=tuple(roled)))
        assert limit == (gap if expected else "")


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
def test_a_sentence_that_only_sounds_open_is_not_a_limit(subject_of: SubjectOf, said: str) -> None:
    subject = subject_of([f"title=Dig | Introduces Dig. {said}"])
    (entry,) = subject.entries
    main, *rest = entry.sentences
    roled = (main, *(replace(sentence, role="limit") for sentence in rest))
    assert limit_of(replace(entry, sentences=roled)) == ""


def test_a_category_without_filed_papers_lists_further_ones(
    survey_of: Callable[..., Survey], make_entry: Callable[..., SurveyPaper]
) -> None:
    survey = survey_of([make_entry(n, "seeds", "soil") for n in (1, 2)])
    soil = next(one for one in survey.first.categories if one.id == "soil")
    (section,) = category_sections(survey, soil)
    assert texts(section)[-1].startswith("No paper is filed here; filed elsewhere, but also")


def test_a_quotation_fits_the_subject_of_its_section(subject_of: SubjectOf) -> None:
    said = "text=abstract title=Moles | We found moles win."
    subject = subject_of([said, f"{said} Soil is wet.", said.replace("Moles", "Soil_moles")])
    assert [subject.is_obvious_for(each, each.sentences[0].words) for each in subject.entries] == [
        False,
        False,
        True,
    ]


def test_papers_out_of_scope_are_only_listed(subject_of: SubjectOf) -> None:
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
    assert len(ids) > 2
    assert len(ids) == len(set(ids))


def test_the_editors_recommend_papers_to_read_first(subject_of: SubjectOf, read: Read) -> None:
    subject = subject_of(["title=P1 | Digs.", "title=P2 | Digs deep."])
    begin = ((subject.entries[1].paper.id, "how deep to dig"), ("p-gone", "gone"))
    thesis = Thesis("As told.", "soil", "A. Keeper", 1, begin)
    survey = replace(subject.survey, claims=Claims((thesis,)))
    assert read(reading_run(survey, "soil")) == snapshot("Read first: *P2* [2], how deep to dig.")


def test_a_part_has_a_section_if_the_editors_wrote_about_it(subject_of: SubjectOf) -> None:
    subject = subject_of(["topic=soil+soil/compost title=One | Introduces dirt."] * 3)
    assert [each.id for each in category_sections(subject.survey, subject.category)] == ["soil"]
    claims = Claims((Thesis("Compost is warm.", "soil/compost", "Ada", 1),))
    survey = replace(subject.survey, claims=claims)
    whole, part = category_sections(survey, subject.category)
    assert (whole.id, whole.level, part.id, part.level) == ("soil", 1, "soil/compost", 2)
    assert texts(part) == ["Compost is warm."]


def test_a_measured_failure_is_an_open_problem(subject_of: SubjectOf) -> None:
    measured = "Tests show that moles fail on frozen soil."
    lines = [f"title=Dig | Introduces Dig. {measured}", "title=Rake | Introduces Rake. It wins."]
    dig, rake = subject_of(lines).entries
    assert (open_problem_of(dig), open_problem_of(rake)) == (measured, "")


def test_findings_are_not_chosen_automatically_in_an_edited_section(
    subject_of: SubjectOf,
) -> None:
    subject = without_facets(subject_of(PLAIN))
    claims = Claims((Thesis("Soil matters.", "soil", "Ada", 1),))
    (section,) = category_sections(replace(subject.survey, claims=claims), subject.category)
    assert texts(section) == ["What plants stand in.", "Soil matters."]

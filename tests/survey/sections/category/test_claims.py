"""The editors' claims, each with the table of its evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.survey.claims import tally
from classifier.survey.document import Block, Paragraph, Sentence, Table, cell_text
from classifier.survey.sections.category.claims import claim_blocks, main_signature, thesis_runs
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.frame import conclusion_sections
from classifier.survey.sections.unsolved import unsolved_sections
from classifier.taxonomy.claims import Claim, Claims, Judgement, Placement, Thesis

SubjectOf = Callable[..., Subject]

PAPERS = [
    "title=Digger date=2025-03 | Introduces Digger. Digger beats the spade by 3%.",
    "title=Rake date=2024-01 | Introduces Rake. Rake beats the spade in wet soil.",
    "title=Hoe text=abstract | We introduce a hoe. It loses to the spade.",
    "title=Fork | Introduces Fork.",
]
FOR = ("for", "beats the spade")


def claim_on(subject: Subject, *placed: tuple[int, str, str], **more: object) -> Claim:
    """Return a claim on which papers are placed: (number of the paper, side, words)."""
    ids = [entry.paper.id for entry in subject.survey.entries]
    placements = tuple(Placement(side, ids[n - 1], words, "", 1) for n, side, words in placed)
    claim = Claim("Machines win.", "soil", "Ada, 2026-11", False, placements, 1)
    return replace(claim, **more)  # type: ignore[arg-type]


def blocks_of(subject: Subject, claim: Claim) -> list[Block]:
    survey = replace(subject.survey, claims=Claims((), (claim,)))
    return claim_blocks(survey, "soil")


def prose(blocks: list[Block]) -> list[str]:
    return [s.text for block in blocks if isinstance(block, Paragraph) for s in block.sentences]


def table_of(blocks: list[Block]) -> Table:
    (table,) = (block for block in blocks if isinstance(block, Table))
    return table


def test_a_claim_is_followed_by_a_table_of_its_evidence_by_side_and_date(
    subject_of: SubjectOf,
) -> None:
    subject = subject_of(PAPERS)
    placed = [(3, "against", "loses to"), (1, *FOR), (2, *FOR)]
    blocks = blocks_of(subject, claim_on(subject, *placed))
    table = table_of(blocks)
    assert prose(blocks) == snapshot(["Machines win."])
    assert table.caption == snapshot(
        "Of three papers on it, two support it and one contradicts it."
    )
    assert table.columns == snapshot(("Side", "Paper", "Effect", "Whose", "Sentence"))
    assert [[cell_text(cell) for cell in row] for row in table.rows] == snapshot(
        [
            [
                "For",
                "[Rake](p/p-0000000002.html) \\[[2](#ref-2)\\], January 2024",
                "",
                "",
                "Rake beats the spade in wet soil.",
            ],
            [
                "For",
                "[Digger](p/p-0000000001.html) \\[[1](#ref-1)\\], March 2025",
                "+3 %",
                "own",
                "Digger beats the spade by 3%.",
            ],
            [
                "Against",
                "[Hoe](p/p-0000000003.html) \\[[3](#ref-3)\\]",
                "",
                "",
                "“It loses to the spade.”",
            ],
        ]
    )


def test_the_heading_is_the_finding_and_the_caption_has_the_proposition(
    subject_of: SubjectOf,
) -> None:
    subject = subject_of(PAPERS)
    blocks = blocks_of(subject, claim_on(subject, (3, "against", "loses"), finding="Spades win."))
    assert prose(blocks) == snapshot(["Spades win."])
    assert table_of(blocks).caption == snapshot("Proposition: Machines win.")


def test_a_cell_of_the_editors_replaces_one_from_the_results(subject_of: SubjectOf) -> None:
    subject = subject_of(PAPERS)
    claim = claim_on(subject, (1, *FOR))
    placement = replace(
        claim.placements[0], compared="Digger | spade", on="12 plots", effect="much", whose="others"
    )
    table = table_of(blocks_of(subject, replace(claim, placements=(placement,))))
    assert table.columns == ("Side", "Paper", "Compared", "On", "Effect", "Whose", "Sentence")
    assert [cell_text(cell) for cell in table.rows[0][2:6]] == snapshot(
        ["Digger \\| spade", "12 plots", "much", "others"]
    )


def test_the_sentence_of_a_row_has_its_source_and_span(subject_of: SubjectOf) -> None:
    subject = subject_of(PAPERS)
    table = table_of(blocks_of(subject, claim_on(subject, (1, *FOR), (3, "against", "loses to"))))
    digest, quote = (row[-1] for row in table.rows)
    assert isinstance(digest, Sentence)
    assert isinstance(quote, Sentence)
    entry = subject.survey.entries[2]
    assert (digest.kind, quote.kind, quote.source) == ("P", "Q", f"paper: {entry.paper.id}")
    assert quote.span
    assert entry.paper.abstract_display[slice(*quote.span)] == "It loses to the spade."
    assert quote.id.startswith("soil-claim-")
    assert quote.id.endswith(f"-against-{entry.slug}")


def test_only_texts_of_another_signer_are_signed(subject_of: SubjectOf) -> None:
    subject = subject_of(PAPERS)
    claims = [claim_on(subject, text=f"{n}.", by="Ada" if n else "Bea") for n in range(3)]
    survey = replace(subject.survey, claims=Claims((), tuple(claims)))
    assert main_signature(survey) == "Ada"
    assert [text.partition(" (")[0] for text in prose(claim_blocks(survey, "soil"))] == [
        "0.",
        "1.",
        "2.",
    ]
    assert prose(claim_blocks(survey, "soil"))[0].endswith(" — Bea")
    assert "Ada" not in "".join(prose(claim_blocks(survey, "soil")))
    assert main_signature(subject.survey) == ""


def test_an_open_claim_with_a_finding_has_no_note(subject_of: SubjectOf) -> None:
    subject = subject_of(PAPERS)
    claim = claim_on(subject, (1, "beside", ""), open=True, finding="Nobody tests machines.")
    assert prose(blocks_of(subject, claim)) == ["Nobody tests machines."]


def test_missing_or_changed_evidence_is_removed(subject_of: SubjectOf) -> None:
    subject = subject_of(PAPERS)
    claim = claim_on(subject, (1, "for", "no such words"))
    gone = Placement("against", "arxiv:9999.00001", "is gone", "", 3)
    blocks = blocks_of(subject, replace(claim, placements=(*claim.placements, gone)))
    assert prose(blocks)[1] == snapshot(
        "Removed until the editors check the changed evidence: *Digger* \\[[1](#ref-1)\\] and `arxiv:9999.00001`."
    )


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ((), ""),
        (("for",), "the one paper on it supports it"),
        (("mixed", "mixed"), "both papers on it give mixed evidence"),
        (("for", "mixed", "against", "beside"),
         "of three papers on it, one supports it, one gives mixed evidence and one contradicts it"),
    ],
)  # fmt: skip
def test_a_count_of_papers_has_its_total(
    subject_of: SubjectOf, sides: tuple[str, ...], expected: str
) -> None:
    subject = subject_of(PAPERS)
    claim = claim_on(subject, *((n, side, "") for n, side in enumerate(sides, 1)))
    assert tally(claim, subject.survey.paper) == expected


def test_an_open_claim_and_a_thesis(subject_of: SubjectOf, read: Callable[..., str]) -> None:
    subject = subject_of(PAPERS)
    ids = [entry.paper.id for entry in subject.survey.entries]
    thesis = Thesis(f"Two ways [{ids[0]};\n{ids[2]}].\n\nOne is open.", "soil", "Ada", 1)
    survey = replace(subject.survey, claims=Claims((thesis,)))
    assert [read(run) for run in thesis_runs(survey, "soil")] == snapshot(
        ["Two ways [1], [3].", "One is open."]
    )
    assert prose(blocks_of(subject, claim_on(subject, open=True))) == snapshot(
        ["Machines win. (Open: none of the abstracts reports a test of it.)"]
    )


def test_what_is_unsolved_begins_with_the_open_claims(subject_of: SubjectOf) -> None:
    subject = subject_of(["title=Fork text=abstract | We introduce a fork."])
    claims = (
        claim_on(subject, open=True),
        claim_on(subject, text="Peat lasts.", open=True),
        claim_on(subject, (1, "for", "a fork"), text="Forks win."),
    )
    survey = replace(subject.survey, claims=Claims((), claims))
    (section,) = unsolved_sections(survey)
    (sentence,) = map_sentences(section.blocks)
    assert sentence.source == "taxonomy: claims"
    assert sentence.text.splitlines() == snapshot(
        [
            "None of the abstracts reports a test of these claims:",
            "",
            "- [Machines win.](#soil-claim-7c231e)",
            "- [Peat lasts.](#soil-claim-d6ddef)",
        ]
    )
    assert unsolved_sections(subject.survey) == []


def test_the_conclusion_lists_judgements_and_all_claims(
    subject_of: SubjectOf, read: Callable[..., str]
) -> None:
    subject = subject_of(PAPERS)
    first, second, *_ = (entry.paper.id for entry in subject.survey.entries)
    claim = claim_on(subject, (1, *FOR), finding="Diggers win.")
    judgements = (
        Judgement("Diggers beat spades.", first, second, "one test in dry soil.", "Ada", 1),
        Judgement("Rakes fail", first, "", "a longer test", "Ada", 2),
    )
    claims = Claims((), (claim,), judgements=judgements)
    (section,) = conclusion_sections(replace(subject.survey, claims=claims))
    assert [read([sentence]) for sentence in map_sentences(section.blocks)] == snapshot(
        [
            "**Diggers beat spades.**",
            "The strongest evidence for it: Digger beats the spade by 3% (*Digger* [1]).",
            "The strongest evidence against it: *Rake* [2].",
            "What would settle it: one test in dry soil.",
            "**Rakes fail.**",
            "The strongest evidence for it: Digger beats the spade by 3% (*Digger* [1]).",
            "No paper in this survey contradicts it.",
            "What would settle it: a longer test.",
        ]
    )
    assert table_of([*section.blocks]).rows == snapshot(
        (
            (
                "[Soil](#soil)",
                "[Diggers win.](#soil-claim-7c231e)",
                "Machines win. The one paper on it supports it.",
            ),
        )
    )
    assert conclusion_sections(subject.survey) == []


def test_the_strongest_evidence_is_from_opposite_sides(
    subject_of: SubjectOf, read: Callable[..., str]
) -> None:
    rake = "title=Rake | Rake beats the spade in wet soil. Rake is slow in dry soil."
    subject = subject_of([PAPERS[0], rake])
    agreeing = claim_on(subject, (1, *FOR), (2, "mixed", "beats the spade"))
    opposed = claim_on(subject, (2, "against", "is slow"), text="Tools are fast.")
    ids = [entry.paper.id for entry in subject.survey.entries]
    claims = Claims((), (agreeing, opposed), judgements=(Judgement("So.", *ids, "a test", "", 1),))
    (section,) = conclusion_sections(replace(subject.survey, claims=claims))
    texts = [read([sentence]) for sentence in map_sentences(section.blocks)]
    assert "The strongest evidence against it: Rake is slow in dry soil (*Rake* [2])." in texts


def map_sentences(blocks: tuple[Block, ...]) -> list[Sentence]:
    return [s for block in blocks if isinstance(block, Paragraph) for s in block.sentences]


def test_the_evidence_of_a_retracted_paper_is_listed_and_not_counted(subject_of: SubjectOf) -> None:
    subject = subject_of(PAPERS)
    entries = tuple(
        replace(entry, paper=replace(entry.paper, retracted="OpenAlex" if number == 2 else ""))
        for number, entry in enumerate(subject.survey.entries, 1)
    )
    subject = replace(subject, survey=replace(subject.survey, entries=entries))
    placed = [(3, "against", "loses to"), (1, *FOR), (2, *FOR)]
    table = table_of(blocks_of(subject, claim_on(subject, *placed)))
    assert table.caption == snapshot(
        "Of two papers on it, one supports it and one contradicts it. Retracted and not counted: *RETRACTED: Rake* \\[[2](#ref-2)\\]."
    )
    assert len(table.rows) == 2
    alone = blocks_of(subject, claim_on(subject, (2, *FOR)))
    assert prose(alone) == snapshot(
        [
            "Machines win.",
            "Retracted and not counted: *RETRACTED: Rake* \\[[2](#ref-2)\\].",
        ]
    )

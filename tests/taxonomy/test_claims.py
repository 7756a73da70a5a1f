"""The editors' theses and claims: what is read, and what is told of a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.papers.paper import Paper
from classifier.survey.claims import claim_faults, sentences_with
from classifier.taxonomy.claims import Claims, Placement, read_claims
from classifier.taxonomy.model import Taxonomy

GARDEN = Taxonomy.model_validate(
    {
        "survey": {"title": "Gardens"},
        "facets": {
            "topic": {
                "kind": "multi",
                "categories": [{"id": "soil", "children": [{"id": "soil/clay"}]}, {"id": "seeds"}],
            }
        },
    }
)

GOOD = """\
- thesis: |
    Worms work for nothing [arxiv:2401.00001; p-00000000aa].
  topic: soil
  by: Ada, 2026-11
- claim: Worms beat spades.
  topic: soil
  for:     {arxiv:2401.00001: beats the spade}
  depends:
    arxiv:2401.00002: only in wet soil
  against: {}
  beside:  [p-00000000aa]
  by: Ada, 2026-11
- claim: Rain beats worms.
  topic: seeds
  open: true
  by: Ada
"""


def read(text: str, tmp_path: Path, rows: str = "") -> Claims:
    path = tmp_path / "claims.yaml"
    path.write_text(text, encoding="utf-8")
    if rows:
        path.with_suffix(".csv").write_text(rows, encoding="utf-8")
    return read_claims(path, "taxonomy/claims.yaml", GARDEN)


def faults(text: str, tmp_path: Path, rows: str = "") -> list[str]:
    with pytest.raises(InputError) as raised:
        read(text, tmp_path, rows)
    return [str(fault) for fault in raised.value.faults]


BEGIN = """
- thesis: Dig.
  topic: soil
  begin:
    arxiv:2401.00003: how deep to dig
  by: Ada
"""


def test_a_thesis_names_the_papers_to_read_first(tmp_path: Path) -> None:
    (thesis,) = read(BEGIN, tmp_path).theses
    assert thesis.begin == (("arxiv:2401.00003", "how deep to dig"),)
    assert thesis.cited_ids == ("arxiv:2401.00003",)


def test_what_is_no_reason_to_begin_is_told_with_its_line(tmp_path: Path) -> None:
    text = BEGIN.replace("arxiv:2401.00003: how deep to dig", "2401.00003:")
    assert [message.split(": ", 1)[0] for message in faults(text, tmp_path)] == [
        "taxonomy/claims.yaml:5"
    ] * 2


def test_a_claim_has_papers_on_its_sides(tmp_path: Path) -> None:
    found = read(GOOD, tmp_path)
    (thesis,), (claim,) = found.of_topic("soil")
    assert thesis.cited_ids == ("arxiv:2401.00001", "p-00000000aa")
    assert [(each.side, each.paper_id, each.words) for each in claim.placements] == [
        ("for", "arxiv:2401.00001", "beats the spade"),
        ("mixed", "arxiv:2401.00002", "only in wet soil"),
        ("beside", "p-00000000aa", ""),
    ]
    (open_claim,) = found.of_topic("seeds")[1]
    assert open_claim.open
    assert open_claim.placements == ()


def test_a_placement_may_state_the_comparison(tmp_path: Path) -> None:
    text = """\
- claim: Worms beat spades.
  finding: Worms beat spades in wet soil only.
  topic: soil
  mixed:
    arxiv:2401.00002:
      words: only in wet soil
      compared: worms with spades
      on: 12 plots
      effect: 3 of 12 plots
      whose: own
  by: Ada, 2026-11
"""
    (claim,) = read(text, tmp_path).claims
    (placement,) = claim.placements
    assert claim.heading == "Worms beat spades in wet soil only."
    assert (placement.side, placement.words) == ("mixed", "only in wet soil")
    assert (placement.compared, placement.on) == ("worms with spades", "12 plots")
    assert (placement.effect, placement.whose) == ("3 of 12 plots", "own")


def test_all_faults_of_a_placement_come_at_once(tmp_path: Path) -> None:
    text = """\
- claim: Worms beat spades.
  topic: soil
  for:
    arxiv:2401.00001: {compared: [worms, spades], effekt: 3}
  by: Ada
"""
    assert faults(text, tmp_path) == snapshot(
        [
            "taxonomy/claims.yaml:4: error: found a list for 'compared'; expected text on one line.",
            "taxonomy/claims.yaml:4: error: found no 'words' under 'arxiv:2401.00001'; expected 'words: …'. Copy three to six words of the sentence of the paper that states the evidence.",
            "taxonomy/claims.yaml:4: error: found the unknown key 'effekt'; expected one of words, compared, on, effect, whose. Did you mean 'effect'?",
        ]
    )


def test_a_sentence_of_a_paper_beside_a_claim_may_be_pointed_at(tmp_path: Path) -> None:
    text = GOOD.replace(
        "[p-00000000aa]\n  by", "{p-00000000aa: worms of clay, p-00000000ab:}\n  by"
    )
    (claim,) = read(text, tmp_path).of_topic("soil")[1]
    assert [(each.paper_id, each.words) for each in claim.placements[2:]] == [
        ("p-00000000aa", "worms of clay"),
        ("p-00000000ab", ""),
    ]


def test_without_the_file_nothing_is_argued(tmp_path: Path) -> None:
    assert read_claims(tmp_path / "claims.yaml", "", GARDEN) == Claims()


CLAIM = "- claim: Worms beat spades.\n  topic: soil\n  by: Ada\n"
FAULTS = {
    "  for: {2401.00001: beats the spade}": (
        "found the number 2401.00001 as a paper; expected the id of a paper as in labels.csv: "
        "arxiv:…, doi:… or p-…. Write 'arxiv:2401.00001'."
    ),
    "  for: {arxiv:2401.00001: spade}": (
        "found 'spade' after 'arxiv:2401.00001'; expected three to six words of the sentence "
        "that states the evidence"
    ),
    "  fro: {}\n  open: true": "Did you mean 'for'?",
    "  beside: [p-1, p-1]": "found p-1 a second time (first on line 4); expected each paper once",
    "  beside: worms": "expected a mapping: 'arxiv:2410.08115: a few words', or a list: [arxiv:2601",
    "  against: worms": "found a text for 'against'; expected a mapping",
}


@pytest.mark.parametrize(("line", "expected"), FAULTS.items())
def test_a_fault_has_its_line_and_its_cure(line: str, expected: str, tmp_path: Path) -> None:
    (said,) = faults(f"{CLAIM}{line}\n", tmp_path)
    assert said.startswith("taxonomy/claims.yaml:")
    assert expected in said


def test_a_thesis_may_be_of_a_part_and_a_claim_may_not(tmp_path: Path) -> None:
    of_clay = "- thesis: Clay holds.\n  topic: soil/clay\n  by: Ada\n"
    assert read(of_clay, tmp_path).of_topic("soil/clay")[0][0].text == "Clay holds."
    (said,) = faults(of_clay.replace("thesis", "claim") + "  open: true\n", tmp_path)
    assert "expected one of soil, seeds" in said


def test_a_claim_may_have_further_words_by_which_readers_look_for_it(tmp_path: Path) -> None:
    text = "- claim: Worms beat spades.\n  topic: soil\n  open: true\n  search: WORDS\n  by: Ada\n"
    (claim,) = read(text.replace("WORDS", "ploughs, furrows"), tmp_path).claims
    assert claim.search == "ploughs, furrows"
    (said,) = faults(text.replace("WORDS", "[ploughs]"), tmp_path)
    assert "a list for 'search'" in said


def test_a_topic_follows_a_renamed_category(tmp_path: Path) -> None:
    facets = GARDEN.model_dump(mode="json")["facets"]
    facets["topic"]["categories"][0] |= {"id": "earth", "aliases": ["soil"], "children": []}
    renamed = Taxonomy.model_validate({"survey": {"title": "Gardens"}, "facets": facets})
    path = tmp_path / "claims.yaml"
    path.write_text(GOOD, encoding="utf-8")
    claims = read_claims(path, "taxonomy/claims.yaml", renamed)
    assert [claim.topic for claim in claims.claims] == ["earth", "seeds"]
    assert [thesis.topic for thesis in claims.theses] == ["earth"]


def test_a_table_without_claims_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "claims.yaml"
    path.with_suffix(".csv").write_text("claim,paper,side,words\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_claims(path, "taxonomy/claims.yaml", GARDEN)
    assert str(raised.value) == snapshot(
        "taxonomy/claims.csv: error: found no claims; expected claims.yaml next to it, with the claims to which its papers belong. Write claims.yaml, or move claims.csv out of this folder."
    )


def test_a_table_with_another_header_is_an_error(tmp_path: Path) -> None:
    assert faults(
        GOOD,
        tmp_path,
        "claim,paper,page,words\nWorms beat spades.,arxiv:2401.00001,for,a b c\n",
    ) == snapshot(
        [
            "taxonomy/claims.csv:1: error: found no column side; expected the columns claim, paper, side, words."
        ]
    )


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    said = faults("- claim: A b.\n  topic: soli\n  open: maybe\n- thesis: T\n  by: A\n", tmp_path)
    assert len(said) == 4, said
    assert "Did you mean 'soil'?" in said[1]


def test_placements_may_be_rows_of_a_table(tmp_path: Path) -> None:
    rows = "claim,paper,side,words\nWorms beat spades.,arxiv:2401.00009,against,lose to it\n"
    (claim,) = read(GOOD, tmp_path, rows).of_topic("soil")[1]
    assert claim.placements[-1] == Placement(
        "against", "arxiv:2401.00009", "lose to it", "taxonomy/claims.csv", 2
    )
    (said,) = faults(GOOD, tmp_path, rows.replace("Worms beat", "Worm beats"))
    assert "Did you mean 'Worms beat spades.'?" in said


def test_a_pointer_leads_to_one_sentence_or_is_told(tmp_path: Path) -> None:
    text = "It beats  the spade. It works only in wet soil, and only in wet soil. It beats it."
    assert sentences_with("BEATS the spade", text) == ["It beats  the spade."]
    assert len(sentences_with("it beats", text)) == 2
    papers = [
        Paper(id="arxiv:2401.00001", title="Worms", abstract=text.replace("beats", "digs")),
        Paper(id="arxiv:2401.00002", title="Rain", abstract=text),
    ]
    said = claim_faults(read(GOOD, tmp_path), papers, {})
    assert [(fault.severity, fault.line, fault.actual) for fault in said] == snapshot(
        [
            ("warning", 1, "p-00000000aa, which is not a paper of the survey"),
            ("warning", 7, "no sentence of arxiv:2401.00001 with the words 'beats the spade'"),
            ("warning", 11, "p-00000000aa, which is not a paper of the survey"),
        ]
    )


JUDGEMENT = """\
- judgement: Worms beat spades where the soil is wet.
  for: arxiv:2401.00001
  against: none
  settles: a test in dry soil
  by: Ada, 2026-11
"""


def test_a_judgement_names_its_strongest_papers_and_what_would_settle_it(tmp_path: Path) -> None:
    (judgement,) = read(JUDGEMENT, tmp_path).judgements
    assert judgement.cited_ids == ("arxiv:2401.00001",)
    assert (judgement.contradicted_by, judgement.settled_by) == ("", "a test in dry soil")


def test_faults_of_a_judgement_name_their_line(tmp_path: Path) -> None:
    text = """\
- judgement: Worms win.
  for: none
  against: 2401.00002
  topic: soil
  by: Ada
"""
    assert faults(text, tmp_path) == snapshot(
        [
            "taxonomy/claims.yaml:1: error: found no text for 'settles'; expected 'settles: …'.",
            "taxonomy/claims.yaml:2: error: found 'none' for 'for'; expected the id of a paper that supports the claim.",
            "taxonomy/claims.yaml:3: error: found the number 2401.00002 as a paper; expected the id of a paper as in labels.csv: arxiv:…, doi:… or p-…. Write 'arxiv:2401.00002'.",
            "taxonomy/claims.yaml:4: error: found the unknown key 'topic'; expected one of judgement, for, against, settles, by.",
        ]
    )


def test_a_claim_may_wait_for_its_papers(tmp_path: Path) -> None:
    claims = read(CLAIM, tmp_path)
    (fault,) = claim_faults(claims, [], {})
    assert str(fault) == snapshot(
        "taxonomy/claims.yaml:1: warning: found a claim without papers; expected papers under 'for', 'mixed' or 'against'. `fieldguide check --claims` proposes papers. If no paper tests the claim, write 'open: true' below it."
    )

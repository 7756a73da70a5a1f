"""Cues are proposed from a definition and an exemplar, without decisions."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from classifier.cli.commands import app

TAXONOMY = """\
survey: {title: Bread}
facets:
  topic:
    kind: multi
    at_most: 1
    categories:
      - {id: crusts, definition: The hard outside of a loaf., exemplars: [On rye crusts 0]}
      - {id: dances, definition: How honey bees tell where flowers are., cues: {title: [bees]}}
      - {id: bridges, definition: Steel bridges., exemplars: [On steel bridges 0]}
"""
ABOUT = {
    "rye crusts": "A hot oven stone makes hard rye crusts.",
    "bees": "A waggle dance of bees tells of flowers.",
    "steel bridges": "A long span of steel bridges needs a cable stay in South America.",
}


def project(folder: Path, taxonomy: str) -> Path:
    papers = (
        f'{{"title": "On {words} {n}", "abstract": "{text}{" Numerous." * (n < 2)}"}}\n'
        for n in range(6)
        for words, text in ABOUT.items()
    )
    for name, text in {
        "taxonomy/taxonomy.yaml": taxonomy,
        "papers/p.jsonl": "".join(papers),
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_phrases_of_papers_similar_to_an_exemplar_are_proposed(tmp_path: Path) -> None:
    told = CliRunner().invoke(
        app, ["check", "--suggest", "--project", str(project(tmp_path, TAXONOMY))]
    )
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    crusts, dances, bridges = (lines.index(f"{name}:") for name in ("crusts", "dances", "bridges"))
    assert "  hot oven stone (5 of 6 papers)" in lines[crusts:dances]
    assert "      “On rye crusts 0”" in lines[crusts:dances]
    assert "  waggle dance (6 of 6 papers)" in lines[dances:bridges]
    assert "  bees (6 of 6 papers)" not in lines  # It is a cue already.
    assert "  anywhere: [cable stay, steel bridges, span]" in lines[bridges:]
    assert "numerous" not in told.output  # The word separates no category.
    assert "america" not in told.output  # A place is not a subject.


def test_a_rejected_phrase_is_not_proposed_again(tmp_path: Path) -> None:
    rejecting = TAXONOMY.replace(
        "definition: Steel bridges.,", "definition: Steel bridges., cues: {rejected: [Spans]},"
    )
    told = CliRunner().invoke(
        app, ["check", "--suggest", "--project", str(project(tmp_path, rejecting))]
    )
    assert "  anywhere: [cable stay, steel bridges]" in told.output.splitlines()


def test_replacing_all_categories_has_a_hint_on_a_new_ledger(tmp_path: Path) -> None:
    folder = project(tmp_path, TAXONOMY)
    rows = [
        f"p-000000000{n},On rye crusts {n},topic,{value},yes,ada,2025-01-02,queue,,\n"
        for n, value in enumerate(("loaves", "hives", "roads"))
    ]
    (folder / "taxonomy" / "reviews.csv").write_text(
        "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note\n"
        + "".join(rows),
        encoding="utf-8",
    )
    told = " ".join(CliRunner().invoke(app, ["check", "--project", str(folder)]).output.split())
    assert "none of the 3 categories of facet topic in decisions" in told
    assert "start a new ledger: move taxonomy/reviews.csv away" in told
    assert told.count("aliases") == 1

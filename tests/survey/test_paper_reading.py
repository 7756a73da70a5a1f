"""What is read out of texts is the same from a memo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from classifier.files.memo import Memos
from classifier.inputs import read_inputs
from classifier.project import Project
from classifier.survey.paper_reading import read_papers

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


def test_readings_survive_the_disk(tmp_path: Path) -> None:
    inputs = read_inputs(Project(BREAD))
    first, *others = inputs.corpus.papers
    said = "We propose Crumb, a dough. RESULTS: It rose by 12.5% on the Rapeseed test."
    papers = [replace(first, abstract=said), *others]
    memos, lexicons = Memos(tmp_path), inputs.taxonomy.lexicons
    read = read_papers(papers, lexicons, memos)
    assert read[first.id].results
    assert [item.heading for item in read[first.id].sentences] == [0, len("RESULTS: ")]
    assert read[first.id].names["benchmarks"] == ("Rapeseed test",)
    ((name, content),) = memos.made.items()
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_bytes(content)

    later = Memos(tmp_path)
    assert read_papers(papers, lexicons, later) == read
    assert later.made == {}
    assert read_papers(papers, {}, later)[first.id].names == {}  # other lexicons, other readings
    one_new = [replace(first, abstract=""), *others]
    assert read_papers(one_new, lexicons, Memos(tmp_path)) == read_papers(one_new, lexicons)

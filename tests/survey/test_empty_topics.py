"""A project builds even if a topic with claims has no papers left."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from classifier.pipeline import compute
from classifier.project import Project

TOPICS = ("sourdough", "flour", "ovens", "keeping", "other")


@pytest.fixture(scope="module")
def claiming(built_bread: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden project with a thesis and two claims about each topic."""
    root = tmp_path_factory.mktemp("claiming") / "bread"
    shutil.copytree(built_bread, root)
    lines: list[str] = []
    for topic in TOPICS:
        papers = papers_of(root, topic)
        words = " ".join(papers[0]["abstract"].split()[:4]) if papers else ""
        of_topic = [f"  topic: {topic}", "  by: Ada, 2026"]
        lines += [f"- thesis: Bakers argue about {topic}.", *of_topic]
        lines += [f"- claim: It is all about {topic}.", *of_topic]
        if papers:
            lines += ["  for:", f"    {papers[0]['id']}: {json.dumps(words)}"]
        lines += [f"- claim: Nobody tested {topic}.", *of_topic, "  open: true"]
    (root / "taxonomy" / "claims.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    return root


def papers_of(root: Path, topic: str) -> list[dict[str, str]]:
    papers = json.loads((root / "out" / "papers.json").read_text("utf-8"))
    return [paper for paper in papers if paper["labels"]["topic"]["primary"] == topic]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_without_papers_passes_every_check(
    topic: str, claiming: Path, tmp_path: Path
) -> None:
    root = tmp_path / "bread"
    shutil.copytree(claiming, root)
    rows = [
        f"{paper['id']},,exclude,duplicate,,ada,2026-11-01,chosen,,\n"
        for paper in papers_of(root, topic)
    ]
    with (root / "taxonomy" / "reviews.csv").open("a", encoding="utf-8") as ledger:
        ledger.writelines(rows)
    result = compute(Project(root))
    assert result.survey.facts.select(filed=topic).number == 0
    assert f"Nobody tested {topic}" in result.files["survey.md"].decode()

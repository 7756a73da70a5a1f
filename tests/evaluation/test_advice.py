"""Each kind of suggestion for a taxonomy, on a small field."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import listed
from classifier.evaluation.advice import (
    Advice,
    advice_report,
    advise,
)
from classifier.evaluation.cue_statistics import CueStatistics, cue_statistics
from classifier.evaluation.report import text_lines
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import CueIndex
from classifier.labelling.labels import Decision, FacetLabels
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.load import LoadedTaxonomy, load_taxonomy
from classifier.taxonomy.model import Facet


def lines_of(advice: Advice, max_findings: int) -> list[str]:
    return text_lines(advice_report(advice, max_findings))


YAML = """\
survey: {title: Gardens}
facets:
  topic:
    kind: multi
    categories:
      - id: soil
        definition: What plants stand in.
        cues:
          title: [soil]
          contribution: [mix, riverbed]
          anywhere: [water, garden, compost, ripe compost, volcano]
          against: [worm~]
      - id: ponds
        definition: What frogs sit in.
        cues:
          title: [pond~]
          contribution: [frog~, gravel]
          anywhere: [reed~]
      - id: trees
        definition: What birds sit on.
        cues:
          title: [apple tree~]
          anywhere: [orchard~]
      - id: bees
        definition: What flies between.
        cues: {title: [hive~]}
      - {id: other, definition: The rest., out_of_scope: true}
"""

# kind of paper: title / what it says / the topic that it is about
SOIL = "Soil number {} / We mix ripe compost into a garden bed with worms. / soil"
POND = (
    "Ponds number {} / We put frogs and gravel into water, riverbed and reeds of a garden. / ponds"
)
TREE = "Apple trees, part {} / We prune an orchard, and the garden has shade. / trees"
PLUM = "Plum and pear, part {} / We prune twigs of a garden in March. They are higher. / trees"
FIELDS = [SOIL] * 10 + [POND] * 10 + [TREE] * 6 + [PLUM] * 6 + ["Bolts {} / We weld. / other"] * 2


def paper(number: int, line: str) -> tuple[Paper, Decision]:
    title, text, topic = (part.strip() for part in line.format(number).split("/"))
    made = Paper(title, f"p-{number:010d}", abstract=text, abstract_kind="abstract")
    return made, Decision((topic,), topic, "Ada")


MADE = [paper(number, line) for number, line in enumerate(FIELDS)]
PAPERS = [paper for paper, _ in MADE]
DECISIONS = {paper.id: {"topic": decision} for paper, decision in MADE}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedTaxonomy:
    path = tmp_path_factory.mktemp("garden") / "taxonomy.yaml"
    path.write_text(YAML, encoding="utf-8")
    return load_taxonomy(path, path.name)


def line_of(text: str) -> int:
    return YAML[: YAML.index(text)].count("\n") + 1


def lint_with(loaded: LoadedTaxonomy, decisions: dict[str, dict[str, Decision]]) -> Advice:
    classifier = TaxonomyClassifier(loaded.taxonomy, folds=2).fit(PAPERS, decisions)
    return advise(classifier, loaded.document, PAPERS, decisions)


@pytest.fixture(scope="module")
def reviewed(loaded: LoadedTaxonomy) -> Advice:
    return lint_with(loaded, DECISIONS)


def found(lint: Advice, kind: str) -> list[str]:
    return [str(finding) for finding in lint.findings if finding.kind == kind]


def test_a_cue_that_misleads_is_named_with_its_figures_and_a_cure(reviewed: Advice) -> None:
    cues = line_of("contribution: [mix")
    assert found(reviewed, "weak") == [
        f"taxonomy.yaml:{cues + 1}: the anywhere cue 'garden' of 'soil' matches 32 of 34 papers "
        "and is right in 10 of 32 reviewed ones (29% by chance); the others: trees 12, ponds 10. "
        "Labels no longer count it. Make it longer, or delete it.",
        f"taxonomy.yaml:{cues}: the contribution cue 'riverbed' of 'soil' matches 10 of 34 papers "
        "and is right in 0 of 10 reviewed ones (29% by chance); the others: ponds 10. Labels no longer count it. "
        "Make it longer, delete it, or move it to 'ponds'.",
        f"taxonomy.yaml:{cues + 2}: the against cue 'worm~' of 'soil' matches 10 of 34 papers, "
        "and 10 of 10 reviewed ones have the category (29% by chance). Labels no longer count "
        "it. Delete it: it counts against papers of its own category.",
        f"taxonomy.yaml:{cues + 1}: the anywhere cue 'water' of 'soil' matches 10 of 34 papers "
        "and is right in 0 of 10 reviewed ones (29% by chance); the others: ponds 10. Labels no longer count it. "
        "Make it longer, delete it, or move it to 'ponds'.",
    ]


def test_a_category_whose_cues_miss_its_papers_is_named(reviewed: Advice) -> None:
    [trees, bees] = [finding for finding in reviewed.findings if finding.kind == "unseen"]
    assert str(trees).startswith(
        f"taxonomy.yaml:{line_of('- id: trees')}: no cue of 'trees' is evidence for 6 of its 12 "
        "reviewed papers. Write cues for them: `fieldguide check --suggest` proposes some."
    )
    assert trees.papers[0] == snapshot("Plum and pear, part 26")
    assert str(bees).startswith(f"taxonomy.yaml:{line_of('- id: bees')}: no papers in 'bees'.")


def test_a_category_whose_cues_all_fire_wants_papers_and_no_cues(loaded: LoadedTaxonomy) -> None:
    ids = [p.id for p in PAPERS]
    few = {name: {"topic": Decision(("soil",), "soil")} for name in ids}
    [ponds] = [line for line in found(lint_with(loaded, few), "unseen") if "'ponds'" in line]
    assert ponds.endswith("no papers in 'ponds'. Find papers for it, or merge it (`replaced_by`).")
    [bees] = [line for line in found(lint_with(loaded, few), "unseen") if "'bees'" in line]
    assert "Give it cues that match, find papers for it" in bees


def test_cues_that_never_fire_are_gathered_a_category(reviewed: Advice) -> None:
    soil, bees = found(reviewed, "silent")
    assert "1 of 9 cues of 'soil' matches none of 34 papers: 'volcano' (anywhere)." in soil
    assert "1 of 1 cues of 'bees' matches none of 34 papers: 'hive~' (title)." in bees


def test_good_cues_are_not_named(reviewed: Advice) -> None:
    blamed = " ".join(found(reviewed, "weak"))
    for cue in ("soil", "compost", "pond~", "frog~", "reed~", "gravel", "apple tree~", "orchard~"):
        assert f"cue '{cue}'" not in blamed


def test_the_text_is_grouped_and_cut(reviewed: Advice) -> None:
    lines = lines_of(reviewed, max_findings=1)
    assert lines[0].startswith("16 cues, 34 papers, 34 of them reviewed.")
    heading = lines.index(next(line for line in lines if line.startswith("Misleading cues (4): ")))
    assert lines[heading + 1].startswith("  taxonomy.yaml:")
    assert lines[heading + 2] == "  … and 3 more"
    missed = next(index for index, line in enumerate(lines) if "no cue of 'trees'" in line)
    assert lines[missed + 4] == "      … and 3 more"


def test_a_long_list_says_how_many_more() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed(list("abcdefg"), 2) == snapshot("a, b and 5 more")


# Words that stand in papers of any topic, put where an author in a hurry might put them.
PLANTED = {
    ("reasoning", "reasoning"),
    ("agent-architecture", "tool"),
    ("foundation-models", "architecture"),
    ("multi-agent", "agents"),
    ("benchmarks", "tasks"),
}


@pytest.fixture(scope="module")
def shipped(root: Path) -> Inputs:
    return read_inputs(Project(root))


def planted_figures(inputs: Inputs) -> list[CueStatistics]:
    """The figures of the shipped cues and the planted ones on the shipped papers."""
    facet = inputs.taxonomy.first
    told = facet.model_dump()
    for category in told["categories"]:
        category["cues"]["anywhere"] += tuple(
            cue for owner, cue in sorted(PLANTED) if owner == category["id"]
        )
    planted = Facet.model_validate(told)
    papers = inputs.corpus.papers
    taxonomy = inputs.taxonomy.model_copy(update={"facets": {facet.id: planted}})
    evidence = CueIndex(taxonomy).count(papers)[facet.id]
    labels = [FacetLabels((), "", 0.0, "provisional", {})] * len(papers)
    decisions = [inputs.decisions.get(paper.id, {}).get(facet.id) for paper in papers]
    return [
        cue
        for cue in cue_statistics(planted, evidence, labels, decisions)
        if "/" not in cue.category and cue.view != "against"
    ]


def test_planted_weak_cues_are_named_and_good_ones_are_not(shipped: Inputs) -> None:
    cues = planted_figures(shipped)
    weak = {(cue.category, cue.cue) for cue in cues if cue.is_weak}
    good = {(c.category, c.cue) for c in cues if c.decided >= 5 and c.right >= 0.7 * c.decided}
    assert weak >= PLANTED
    assert len(good) > 20
    assert len(good & weak) <= 1
    assert len(weak - PLANTED) <= 5

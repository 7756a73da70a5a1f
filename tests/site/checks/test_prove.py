"""The golden survey is proven; and whatever is tampered with in it is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.site.checks.consistency import prove

BREAD = Path(__file__).resolve().parents[2] / "golden" / "project"
Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def bread() -> BuildResult:
    """The golden survey, in memory."""
    return compute(Project(BREAD))


def replaced(name: str, old: str, new: str) -> Callable[[Files], Files]:
    """Return what exchanges a text in one file."""

    def change(files: Files) -> Files:
        text = files[name].decode()
        assert old in text
        return {**files, name: text.replace(old, new, 1).encode()}

    return change


def with_sentence(identifier: str, **changed: object) -> Callable[[Files], Files]:
    """Return what changes a sentence of sentences.jsonl, and its text in the survey with it."""

    def change(files: Files) -> Files:
        lines, survey = [], files["survey.md"].decode()
        for line in files["sentences.jsonl"].decode().splitlines():
            sentence = json.loads(line)
            if sentence["id"] == identifier:
                survey = survey.replace(
                    sentence["text"], str(changed.get("text", sentence["text"]))
                )
                sentence |= changed
            lines.append(json.dumps(sentence))
        return {**files, "sentences.jsonl": "\n".join(lines).encode(), "survey.md": survey.encode()}

    return change


def test_the_golden_survey_is_proven(bread: BuildResult) -> None:
    assert prove(bread.files, bread.edition) == []


# what is done to the files -> what the proof says of it
TAMPERED: dict[str, tuple[Callable[[Files], Files], str]] = {
    "a paragraph of nobody's": (
        replaced("survey.md", "\n\nNot about bread.", "\n\nBread is good.\n\nNot about bread."),
        r"survey.md:\d+: error: found prose that no sentence stands behind, “Bread is good.”; "
        r"wanted sentence 'other-definition', “Not about bread. .*”. Templates print only what has "
        r"a source: say it in taxonomy.yaml, as `scope` or as a claim, where it is signed.",
    ),
    "a sentence of nobody's at the end of a paragraph": (
        replaced("survey.md", "one is out of scope. ", "one is out of scope. Bread is good. "),
        r"survey.md:\d+: error: found prose that no sentence stands behind, “Bread is good.”; .*",
    ),
    "prose behind a heading and an anchor": (
        replaced("survey.md", "\n\n## Ovens & heat", "\nBread is good.\n\n## Ovens & heat"),
        r"survey.md:\d+: error: found prose that no .*, “<a id=\"ovens\"></a> Bread is good.”; .*",
    ),
    "prose before the contents": (
        replaced("survey.md", "## Contents", "Bread is good.\n\n## Contents"),
        r"survey.md:7: error: found prose that no sentence stands behind, “Bread is good.”; .*",
    ),
    "prose behind the references": (
        lambda files: {**files, "survey.md": files["survey.md"] + b"\n\nBread is good.\n"},
        r"survey.md:\d+: error: found prose that no .*, “Bread is good.”; wanted nothing more. .*",
    ),
    "a sentence that the survey does not print": (
        replaced("survey.md", "\n\nNot about bread.", ""),
        r"survey.md: error: found no trace of sentence 'other-definition'; wanted every .*",
    ),
    "a wrong number": (
        with_sentence("method-quarantined", text="This section holds 77 papers."),
        r"survey.md: error: found sentence 'method-quarantined': the number 77 in “This section "
        r"holds 77 papers.”; wanted a value of its source: .*",
    ),
    "a wrong number in words": (
        with_sentence("method-quarantined", text="This section holds nine papers."),
        r".* sentence 'method-quarantined': the number 9 in .*",
    ),
    "a fact that there is not": (
        with_sentence("method-quarantined", source="facts: papers.eaten"),
        r".* sentence 'method-quarantined': the source 'papers.eaten'; wanted a key of facts.json.",
    ),
    "a kind with a source of another": (
        with_sentence("ovens-definition", kind="C"),
        r"sentences.jsonl: error: found sentence 'ovens-definition' of kind C with the source "
        r"'taxonomy: topic/ovens/definition'; wanted facts or metrics.",
    ),
    "two sentences of one name": (
        with_sentence("method-quarantined", id="method-flow"),
        r"sentences.jsonl: error: found the id 'method-flow' a second time; wanted ids that .*",
    ),
    "words that the paper does not say": (
        replaced("papers.json", "steam after the fourth minute", "steam after the fifth minute"),
        r".*'ovens-(?:exemplar|finding)-p-e1267a85a1': “.*”; wanted what p-e1267a85a1 says, .*",
    ),
    "a digest that says otherwise": (
        replaced("papers.json", "Introduces a lid of wet clay", "Introduces a lid of dry clay"),
        r".*'ovens-exemplar-p-fdffdc591c': “.*wet clay.*”; wanted what p-fdffdc591c says, .*",
    ),
    "a quote without its place": (
        with_sentence("sourdough-exemplar-p-ac982c6689", span=None),
        r".* no span; wanted where the text of p-ac982c6689 says it.",
    ),
    "a citation that leads nowhere": (
        replaced("survey.md", '<a id="ref-9"></a>', ""),
        r"survey.md:?\d*: error: found (a link to '#ref-9'; .*|no reference 9; .*)",
    ),
    "a reference twice": (
        replaced("survey.md", '<a id="ref-9"></a>', '<a id="ref-8"></a>'),
        r".* the anchor 'ref-8' a second time; .*|.* '#ref-9'; .*|.* no reference 9; .*",
    ),
    "a reference that nothing cites": (
        lambda files: {
            **files,
            "survey.md": re.sub(rb"\n\| \[5\]\(#ref-5\)[^\n]*", b"", files["survey.md"]),
        },
        r"survey.md: error: found the reference 5 \(p-6308a07c9b\), cited nowhere; wanted a table "
        r"row, a list or a sentence that cites it.",
    ),
    "an export that lost a paper": (
        lambda files: {
            **files,
            "references.ris": files["references.ris"].replace(
                b"ID  - p-1c93a9dbc4", b"ID  - p-cake"
            ),
        },
        r"references.ris: error: found (p-1c93a9dbc4 not at all; wanted every paper once"
        r"|'p-cake'; wanted papers of the survey and nothing else).",
    ),
    "a sheet with a paper twice": (
        lambda files: {
            **files,
            "labels.csv": files["labels.csv"] + files["labels.csv"].splitlines(keepends=True)[1],
        },
        r"labels.csv: error: found \S+ twice or more; wanted every paper once.",
    ),
}


@pytest.mark.parametrize(("change", "wanted"), TAMPERED.values(), ids=TAMPERED)
def test_what_is_tampered_with_is_named(
    change: Callable[[Files], Files], wanted: str, bread: BuildResult
) -> None:
    faults = prove(change(bread.files), bread.edition)
    assert faults
    for fault in faults:
        assert re.fullmatch(wanted, str(fault), re.DOTALL), str(fault)

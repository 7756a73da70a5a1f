"""New projects from lists, and the export of a list."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.commands.export import write_readme
from classifier.commands.new.project import new_project
from classifier.errors import OutputError, UsageError
from classifier.pipeline import compute
from classifier.project import Project
from classifier.site.exports.readme import BEGIN, END, readme_list
from classifier.survey.inputs import Inputs, read_inputs

HUMS = "A Long Name of Bees, Hives and All That Hums in Them, From Dawn to Dusk (and at Night)"
TODAY = date(2025, 6, 1)

LIST = """# Bread and bees
## Bread: "rye" / wheat
### Ovens
- [Heat in Old Ovens](https://arxiv.org/abs/2401.00001) Ada Cruz, Bo Li (ACL 2024) [[code](https://github.com/a/heat)]
- [A *Star* Oven [draft]](https://arxiv.org/abs/2401.00002)
- [Ovens Without Doors](https://arxiv.org/abs/2401.00003)
### Dough
- [Dough That Rises at Night](https://arxiv.org/abs/2401.00004)
- [Weighing Dough by Ear](https://arxiv.org/abs/2401.00005)
- [Sour Dough and Salt](https://arxiv.org/abs/2401.00006)
## A Long Name of Bees, Hives and All That Hums in Them, From Dawn to Dusk (and at Night)
- [How Bees Count Flowers](https://arxiv.org/abs/2401.00007)
- [Bees on Long Bridges](https://arxiv.org/abs/2401.00008)
- [Heat in Old Ovens](https://arxiv.org/abs/2401.00001)
- [Queens of Small Hives](https://openreview.net/forum?id=Qx1)
- [The Dance of Bees at Dawn](https://doi.org/10.1000/dance)
- [Honey for Rye Bread](https://aclanthology.org/2024.acl-long.1/)
"""

BIBLIOGRAPHY = "".join(
    f'{{"title": "On {words} {n}", "abstract": "We study {words} and show that {words} matter."}}\n'
    for n in range(8)
    for words in ("rye bread crusts", "honey bee dances", "steel bridge spans")
)


def made(tmp_path: Path, text: str, name: str = "README.md") -> tuple[Path, Inputs]:
    source = tmp_path / name
    source.write_text(text, encoding="utf-8")
    folder = tmp_path / "survey"
    new_project(folder, [source], TODAY)
    return folder, read_inputs(Project(folder))


def placements(inputs: Inputs) -> dict[str, tuple[str, set[str]]]:
    """Return title -> (name of the primary, names of all)."""
    facet = inputs.taxonomy.first
    names = {category.id: category.name for category in facet.walk()}
    titles = {paper.id: paper.title for paper in inputs.corpus.papers}
    return {
        titles[paper_id]: (
            names[decided["topic"].primary],
            {names[value] for value in decided["topic"].values},
        )
        for paper_id, decided in inputs.decisions.items()
    }


@pytest.mark.parametrize(
    ("name", "begins", "title"),
    [
        ("README.md", "# 🍞 Awesome [Bread](https://bread.org) & bees\n", "Awesome Bread & bees"),
        ("README.md", "# Papers\n", "Survey"),
        ("README.md", "", "Survey"),
        ("list.txt", "# Bread\n", "Bread"),
    ],
)
def test_the_title_of_a_survey_is_that_of_the_list_or_the_folder(
    tmp_path: Path, name: str, begins: str, title: str
) -> None:
    body = LIST.partition("\n")[2]
    assert made(tmp_path, begins + body, name)[1].taxonomy.survey.title == title


def assert_wants_definitions_alone(inputs: Inputs) -> None:
    assert all(each.severity == "notice" for each in inputs.warnings)
    assert all(each.actual.startswith("no definition of ") for each in inputs.warnings)


def test_a_list_becomes_a_project_without_warnings(tmp_path: Path) -> None:
    folder, inputs = made(tmp_path, LIST)
    assert_wants_definitions_alone(inputs)
    assert (folder / "papers" / "README.md").read_text(encoding="utf-8") == LIST
    found = placements(inputs)
    assert len(found) == len(inputs.corpus.papers) == 11
    bread = 'Bread: "rye"/wheat'
    assert found["Heat in Old Ovens"] == (bread, {bread, "Ovens", HUMS})
    (decision,) = inputs.decisions["arxiv:2401.00004"].values()
    assert (decision.drawn_by, decision.reviewed_on) == ("imported", "2025-06-01")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_two_branches_of_a_new_project_merge_their_ledgers(tmp_path: Path) -> None:
    folder, _ = made(tmp_path, LIST)
    names = ["taxonomy/reviews.csv", "taxonomy/versions.csv"]
    git("init", "-q", folder=folder)
    told = git("check-attr", "merge", *names, folder=folder)
    assert told.splitlines() == [f"{name}: merge: union" for name in names]


def git(*words: str, folder: Path) -> str:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    nowhere = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    run = subprocess.run(
        ["git", *words], cwd=folder, env=clean | nowhere, capture_output=True, check=True, text=True
    )
    return run.stdout


def test_a_heading_with_a_reserved_name_of_windows_is_a_category(tmp_path: Path) -> None:
    folder, _ = made(tmp_path, LIST.replace("### Ovens", "### CON"))
    assert "/con-papers\n" in (folder / "taxonomy" / "taxonomy.yaml").read_text("utf-8")


def test_words_of_addresses_are_not_cues(tmp_path: Path) -> None:
    """Those who publish code all write “at https://…”, which no subject is known by."""
    filed = "".join(
        f'{{"title": "{words} {n}", "abstract": "We study {words}.{code}", '
        f'"collections": ["{words}"]}}\n'
        for n in range(6)
        for words, code in (("Honey bees", " Code: https://github.com/a/b"), ("Rye bread", ""))
    )
    _, inputs = made(tmp_path, filed, "papers.jsonl")
    categories = inputs.taxonomy.first.categories
    cues = {cue for category in categories for _, some in category.cues.views() for cue in some}
    assert not [cue for cue in cues if "http" in cue or "github" in cue]
    assert cues


def test_the_yaml_is_commented_and_builds(tmp_path: Path) -> None:
    folder, _ = made(tmp_path, LIST)
    text = (folder / "taxonomy" / "taxonomy.yaml").read_text(encoding="utf-8")
    assert text.count("\n# categories  keep each id") == 1
    assert compute(Project(folder)).fact("papers.total") == 11


def test_the_schema_is_next_to_the_yaml(tmp_path: Path, root: Path) -> None:
    folder, _ = made(tmp_path, LIST)
    first = (folder / "taxonomy" / "taxonomy.yaml").read_text(encoding="utf-8").partition("\n")[0]
    named = folder / "taxonomy" / first.partition("$schema=")[2]
    assert named.read_bytes() == (root / "taxonomy" / named.name).read_bytes()


@pytest.mark.parametrize("name", ["none.jsonl", "three.md", "chinese.md"])
def test_a_project_of_few_labels_can_be_built(tmp_path: Path, name: str) -> None:
    text = {
        "none.jsonl": BIBLIOGRAPHY,
        "three.md": "".join(LIST.splitlines(keepends=True)[3:6]),
        "chinese.md": "## 面包\n- [黑麦面包](https://arxiv.org/abs/2401.00001)\n## 蜜蜂\n"
        "- [蜜蜂的舞蹈](https://arxiv.org/abs/2401.00002)\n",
    }[name]
    folder, inputs = made(tmp_path, text, name)
    assert inputs.taxonomy.first.ids
    assert compute(Project(folder)).files["index.html"]


def test_the_same_files_make_the_same_project(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    first, _ = made(one, LIST)
    second, _ = made(two, LIST)
    for path in sorted(first.rglob("*")):
        if path.is_file():
            assert path.read_bytes() == (second / path.relative_to(first)).read_bytes()


def test_a_folder_with_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match=r"contains notes\.txt; nothing was written"):
        new_project(tmp_path, [tmp_path / "notes.txt"], TODAY)
    with pytest.raises(UsageError, match="Add at least one"):
        new_project(tmp_path / "new", [], TODAY)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt"]


def test_a_project_needs_files_that_can_be_copied(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"^-: standard input has no file that the project could copy\. Save"
    ):
        new_project(tmp_path / "survey", [Path("-")], TODAY)
    assert not (tmp_path / "survey").exists()


def test_an_exported_list_is_read_as_the_same_papers_and_places(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    folder, before = made(tmp_path / "a", LIST)
    text = readme_list(compute(Project(folder)).edition)
    _, after = made(tmp_path / "b", f"# Bread\n{BEGIN}\n{text}{END}\n")
    assert {p.id for p in after.corpus.papers} == {p.id for p in before.corpus.papers}
    assert placements(after) == placements(before)
    kept = {paper.id: paper for paper in after.corpus.papers}["arxiv:2401.00001"]
    assert (kept.authors, kept.venue, kept.published.date) == (("Ada Cruz", "Bo Li"), "ACL", "2024")
    assert kept.code_urls == ("https://github.com/a/heat",)


def test_new_and_export_write_files(tmp_path: Path) -> None:
    source = tmp_path / "README.md"
    source.write_text(LIST, encoding="utf-8")
    folder = tmp_path / "survey"
    run = CliRunner().invoke(app, ["new", str(folder), str(source)])
    assert run.exit_code == 0, run.output
    assert "11 papers keep their categories, as decisions" in run.output
    assert "Without abstract: 11 of 11 papers" in run.output

    readme = tmp_path / "mine.md"
    readme.write_bytes(f"\ufeff# Mine\r\n\r\n{BEGIN}\r\nold\r\n{END}\r\nend".encode())
    write = ["export", "readme", "--into", str(readme), "--project", str(folder)]
    assert "list written" in CliRunner().invoke(app, write).output
    data = readme.read_bytes()
    assert data.startswith(f"\ufeff# Mine\r\n\r\n{BEGIN}\r\n\r\n## Bread".encode())
    assert data.endswith(f"\r\n{END}\r\nend".encode())
    assert b"old" not in data
    assert data.count(b"\n") == data.count(b"\r\n")
    assert "list is up to date" in CliRunner().invoke(app, write).output
    assert readme.read_bytes() == data


@pytest.mark.parametrize("text", ["# Mine\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{BEGIN}\n{END}\n"])
def test_a_readme_without_markers_does_not_change(tmp_path: Path, text: str) -> None:
    folder, _ = made(tmp_path, LIST)
    readme = tmp_path / "mine.md"
    readme.write_text(text, encoding="utf-8")
    write = ["export", "readme", "--into", str(readme), "--project", str(folder)]
    run = CliRunner().invoke(app, write)
    assert run.exit_code == 1
    assert "fieldguide:begin" in run.output
    assert readme.read_text(encoding="utf-8") == text


def test_papers_without_a_filing_get_drafted_categories(tmp_path: Path) -> None:
    folder, inputs = made(tmp_path, BIBLIOGRAPHY, "papers.jsonl")
    categories = inputs.taxonomy.first.categories
    names = {category.name for category in categories}
    assert {"Rye bread crusts", "Honey bee dances", "Steel bridge spans"} <= names
    assert all(len(one.exemplars) == 3 and one.cues.title for one in categories[:3])
    sheet = compute(Project(folder)).files["labels.csv"].decode()
    row = next(line for line in sheet.splitlines() if "On rye bread crusts 7" in line)
    assert "rye-bread-crusts" in row
    text = (folder / "taxonomy" / "taxonomy.yaml").read_text(encoding="utf-8")
    assert "check --suggest" in text
    assert text.count("      # Draft from ") == len(categories)
    assert "DRAFT." in text
    assert_wants_definitions_alone(inputs)
    survey = compute(Project(folder)).files["survey.md"].decode()
    assert "## Taxonomy" not in survey


def test_an_abbreviation_and_its_long_form_are_one_category(tmp_path: Path) -> None:
    text = "".join(
        f'{{"title": "On {words} {n}", "abstract": "We study {words}, {beside}."}}\n'
        for n in range(8)
        for words, beside in (
            ("RBC tests", "crumb and crust"),
            ("rye bread crusts", "known as rye bread crusts (RBC)"),
            ("honey bee dances", "flowers and hives"),
            ("steel bridge spans", "rivets and rust"),
        )
    )
    _, inputs = made(tmp_path, text, "papers.jsonl")
    names = {category.name for category in inputs.taxonomy.first.categories}
    assert len(names & {"RBC tests", "Rye bread crusts"}) == 1
    assert {"Honey bee dances", "Steel bridge spans"} <= names


def test_a_few_papers_are_one_category(tmp_path: Path) -> None:
    text = "".join(f'{{"title": "Rye bread and bees {n}"}}\n' for n in range(5))
    _, inputs = made(tmp_path, text, "papers.jsonl")
    assert inputs.taxonomy.first.ids == ("papers",)


def test_the_list_is_not_written_to_an_input(tmp_path: Path) -> None:
    """They would be read as papers again, filed where the list has them."""
    folder, _ = made(tmp_path, f"{LIST}\n{BEGIN}\n{END}\n")
    readme = folder / "papers" / "README.md"
    with pytest.raises(UsageError, match=r"is in papers/.*Choose another file with --into"):
        write_readme(Project(folder), readme)
    assert readme.read_text(encoding="utf-8") == f"{LIST}\n{BEGIN}\n{END}\n"


def test_topic_columns_of_a_table_are_its_categories(tmp_path: Path) -> None:
    rows = (
        f"{topic},{place},B. Li,2019,{topic} in {place} {n}\n"
        for n in range(4)
        for topic in ("Tides", "Mud", "Gulls")
        for place in ("harbours", "bays")
    )
    text = "Broad Topic,Subtopic,First author,Year,Title\n" + "".join(rows)
    _, inputs = made(tmp_path, text, "topics.csv")
    assert [one.name for one in inputs.taxonomy.first.categories] == ["Tides", "Mud", "Gulls"]
    assert inputs.corpus.papers[0].authors == ("B. Li",)


def test_a_category_whose_id_starts_with_a_digit_is_drafted(tmp_path: Path) -> None:
    text = BIBLIOGRAPHY.replace("rye bread crusts", "3D printing")
    _, inputs = made(tmp_path, text, "papers.jsonl")
    ids = [category.id for category in inputs.taxonomy.facets["topic"].categories]
    assert any(each.startswith("3d") for each in ids)

"""docs/themes.md: its examples do what it says."""

from __future__ import annotations

import re
from pathlib import Path

from browsing import WRITTEN_ELSEWHERE

from classifier.site.checks.links import check_site
from classifier.site.render import render_site
from classifier.survey.survey import Survey


def example(root: Path, name: str) -> str:
    """Return the template of this name that the guide shows."""
    guide = (root / "docs" / "themes.md").read_text("utf-8")
    [text] = re.findall(rf"```\w+ templates/{name}\n(.+?)```", guide, re.DOTALL)
    return text


def test_the_templates_of_the_guide_replace_the_shipped_ones(
    root: Path, survey: Survey, tmp_path: Path
) -> None:
    for name in ("404.html", "layout.html", "style.css"):
        (tmp_path / name).write_text(example(root, name), "utf-8")
    site = render_site(survey, [tmp_path])
    assert "<title>Gone · Birds that plan</title>" in site["404.html"].decode()
    for page in ("404.html", "index.html", "data.html"):
        footer = site[page].decode().partition("<footer")[2]
        assert "Edited by Ada Editor" in footer
        assert "<p>The bread group, bread@example.org</p>" in footer
    assert b"--accent: #0b5f7a;" in site["style.css"]
    assert site["style.css"].rindex(b"--accent: #e79ab8;") > site["style.css"].index(b"#7cc6df")
    assert check_site(site, other_paths=WRITTEN_ELSEWHERE) == []


def test_the_variables_of_the_guide_are_those_of_the_style_sheet(root: Path) -> None:
    rules = example(root, "style.css")
    shipped = (root / "templates" / "style.css").read_text("utf-8")
    names = re.findall(r"^  (--[\w-]+):", rules, re.MULTILINE)
    assert len(names) == 3
    assert all(f"{name}: " in shipped for name in names)


def test_a_style_sheet_of_the_project_wins(survey: Survey, tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("body { color: red }", "utf-8")
    assert render_site(survey, [tmp_path])["style.css"] == b"body { color: red }"


def test_the_guide_names_every_page_and_block(root: Path) -> None:
    guide = (root / "docs" / "themes.md").read_text("utf-8")
    for template in (root / "templates").glob("*.*"):
        assert f"`{template.name}`" in guide or template.suffix == ".js", template.name
    layout = (root / "templates" / "layout.html").read_text("utf-8")
    blocks = set(re.findall(r"block (\w+)", layout)) - {"base", "base_uri"}
    assert blocks == {
        "title",
        "description",
        "page_type",
        "metadata",
        "search",
        "skip",
        "body",
        "main",
        "footer",
        "imprint",
    }

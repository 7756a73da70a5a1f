"""docs/themes.md: its examples do what it says."""

from __future__ import annotations

import re
from pathlib import Path

from classifier.site import check_site, render_site
from classifier.site.paths import WRITTEN_ELSEWHERE
from classifier.survey.edition import Edition


def examples(root: Path, language: str) -> list[str]:
    guide = (root / "docs" / "themes.md").read_text("utf-8")
    return re.findall(rf"```{language}[^\n]*\n(.+?)```", guide, re.DOTALL)


def test_the_page_of_the_guide_replaces_the_shipped_one(
    root: Path, edition: Edition, tmp_path: Path
) -> None:
    [page] = examples(root, "html")
    (tmp_path / "404.html").write_text(page, "utf-8")
    site = render_site(edition, [tmp_path])
    assert "<title>Gone · Birds that plan</title>" in site["404.html"].decode()
    assert "Edited by Ada Editor" in site["404.html"].decode()
    assert check_site(site, also=WRITTEN_ELSEWHERE) == []


def test_the_variables_of_the_guide_are_those_of_the_style_sheet(root: Path) -> None:
    [rules] = examples(root, "css")
    shipped = (root / "templates" / "style.css").read_text("utf-8")
    names = re.findall(r"^  (--[\w-]+):", rules, re.MULTILINE)
    assert len(names) == 3
    assert all(f"{name}: " in shipped for name in names)


def test_a_style_sheet_of_the_project_wins(edition: Edition, tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("body { color: red }", "utf-8")
    assert render_site(edition, [tmp_path])["style.css"] == b"body { color: red }"


def test_the_guide_names_every_page_and_block(root: Path) -> None:
    guide = (root / "docs" / "themes.md").read_text("utf-8")
    for template in (root / "templates").glob("*.*"):
        assert f"`{template.name}`" in guide or template.suffix == ".js", template.name
    layout = (root / "templates" / "layout.html").read_text("utf-8")
    blocks = set(re.findall(r"block (\w+)", layout)) - {"base", "base_uri"}
    assert blocks == {"title", "description", "metadata", "search", "body", "main", "imprint"}

"""A fault in a project's own template is told with its line, before or while pages are printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.errors import InputError
from classifier.project import Project, embedded_project
from classifier.site.checks.templates import template_errors, template_faults
from classifier.site.render import render_site
from classifier.survey.survey import Survey

BREAD = Path(__file__).resolve().parents[2] / "golden" / "project"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project whose folder holds templates only."""
    (tmp_path / "templates").mkdir()
    return Project(tmp_path)


def write(project: Project, name: str, text: str) -> None:
    path = project.root / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def messages(project: Project) -> list[str]:
    return [str(fault) for fault in template_faults(project)]


def test_all_files_are_read_before_the_first_page(project: Project) -> None:
    write(project, "404.html", "<p>\n{{ document.title }</p>")
    write(project, "paper.html", "{{ page.title | uper }}")
    write(project, "index.html", '\n{% extends "layot.html" %}')
    write(project, "stlye.css", "{{ is never read")
    (project.root / "templates" / "data.html").write_bytes(b"one\ntwo \xe9")
    assert messages(project) == snapshot(
        [
            "templates/404.html:2: error: found a syntax error (unexpected '}'); expected a Jinja template. Put text that contains {{, {% or {# between {% raw %} and {% endraw %}.",
            "templates/data.html:2: error: found bytes that are not UTF-8; expected text in UTF-8. Save the file as UTF-8.",
            "templates/index.html:2: error: found the template 'layot.html', which does not exist; expected a template of the project or a shipped one. Did you mean 'layout.html'?",
            "templates/paper.html:1: error: found a syntax error (No filter named 'uper'); expected a filter or test of Jinja.",
            "templates/stlye.css: warning: found a template that no page uses; expected the name of a shipped template, or of a template that another template uses. Did you mean 'style.css'?",
        ]
    )


def test_a_template_of_ones_own_may_include_another(project: Project) -> None:
    write(project, "404.html", '{% extends "layout.html" %}{% include "parts/note.html" %}')
    write(project, "parts/note.html", "<p>A note.</p>")
    write(project, ".hidden.html", "{{")
    write(project, "404.html~", "{{")
    assert messages(project) == []


def test_there_may_be_no_templates_and_the_shipped_ones_are_not_looked_at(tmp_path: Path) -> None:
    assert template_faults(Project(tmp_path)) == []
    assert template_faults(embedded_project()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<p>\n{{ documnt.title }}",
            "templates/404.html:2: error: found an undefined name: 'documnt' is undefined; "
            "expected a variable of the page. docs/themes.md lists them.",
        ),
        (
            "{{ page.item.name }}",
            "templates/404.html:1: error: found an undefined name: 'page' is undefined; "
            "expected a variable of the page. Use `category`, `entry`, `parts` or `findings` "
            "instead of `page`.",
        ),
        (
            "{{ document.title + 1 }}",
            "templates/404.html:1: error: found an expression that fails (TypeError: can only "
            'concatenate str (not "int") to str); expected a valid expression.',
        ),
        (
            '{% include "404.html" %}',
            "templates/404.html:1: error: found a template that includes itself; expected "
            "a template without a cycle.",
        ),
        (
            '{% include "no" ~ "where.html" %}',
            "templates/404.html:1: error: found the template 'nowhere.html', which does not exist; "
            "expected a template of the project or a shipped one.",
        ),
    ],
)
def test_what_fails_while_a_page_is_printed_has_its_line(
    project: Project, survey: Survey, text: str, message: str
) -> None:
    write(project, "404.html", text)
    with pytest.raises(InputError) as caught, template_errors(project):
        render_site(survey, project.template_folders)
    assert [str(fault) for fault in caught.value.faults] == [message]


def test_a_macro_that_is_gone_is_told_where_a_shipped_page_wants_it(
    project: Project, survey: Survey
) -> None:
    write(project, "macros.html", "")
    expected = r"survey\.html:\d+: error: .*'macros\.html'"
    with pytest.raises(InputError, match=expected), template_errors(project):
        render_site(survey, project.template_folders)


def test_a_bug_of_ours_stays_one(project: Project) -> None:
    with pytest.raises(KeyError), template_errors(project):
        raise KeyError("ours")


def test_check_tells_faults_of_taxonomy_and_templates_together(tmp_path: Path) -> None:
    bread = shutil.copytree(BREAD, tmp_path / "bread")
    (bread / "templates").mkdir(exist_ok=True)
    (bread / "templates" / "404.html").write_text("{{", "utf-8")
    taxonomy = bread / "taxonomy" / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text("utf-8") + "\nsurprise: 1\n", "utf-8")
    result = CliRunner().invoke(app, ["check", "--project", str(bread)], catch_exceptions=False)
    assert result.exit_code == 1
    assert "unknown key 'surprise'" in result.stderr
    assert "templates/404.html:1: error: found a syntax error" in result.stderr

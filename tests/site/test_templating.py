"""Templates print what Jinja's own print, in less time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from jinja2.compiler import CodeGenerator
from markupsafe import Markup, escape

from classifier.site import render_site, templating
from classifier.site.templating import make_environment, printed
from classifier.survey.survey import Survey


class Text(str):
    """A text that is no plain str."""


@given(st.one_of(st.text(), st.text().map(Markup), st.text().map(Text), st.integers(), st.none()))
def test_a_value_is_printed_as_markupsafe_escapes_it(value: object) -> None:
    assert printed(value) == str(escape(value))


@pytest.mark.parametrize("name", ["edition", "hostile_edition"])
def test_a_site_is_the_same_bytes_as_from_the_templates_of_jinja(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition: Survey = request.getfixturevalue(name)
    site = render_site(edition)
    monkeypatch.setattr(templating, "PrintingGenerator", CodeGenerator)
    assert render_site(edition) == site


TEMPLATES = {
    "base.html": "{% block a %}<a {{ x }}>{% endblock %}|{{ x }}{% if y %}{% block b %}b"
    '{% endblock %}{% include "part.html" %}{% endif %}|',
    "part.html": "{% for i in [1, 2] %}{{ loop.index }}{{ x }}{% block c scoped %}{{ i }}"
    "{% endblock %}{% endfor %}",
    "macros.html": "{% macro m(t) %}<i>{{ t }}</i>"
    "{{ caller() if caller is defined }}{% endmacro %}",
    "child.html": '{% extends "base.html" %}{% from "macros.html" import m %}lost{{ x }}'
    "{% block a %}{{ super() }}{{ m(x) }}{% endblock %}",
    "own.html": '{% from "macros.html" import m %}{% set s %}<{{ x }}{% endset %}{{ s }}'
    "{% call m(x) %}{{ x }}{% endcall %}{% filter upper %}{{ x }}{% endfilter %}{{ x ~ 1 }}"
    "{% autoescape false %}{{ x }}{% endautoescape %}{{ [x] }}{{ x | safe }}",
    "late.html": '{% if y %}{% extends "base.html" %}{% endif %}{% block b %}{{ x }}{% endblock %}',
    "plain.md": "{{ x }}{% block b %}{{ x }}{% endblock %}",
}


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("y", [True, False])
def test_any_template_prints_what_jinja_prints(
    name: str, y: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each, text in TEMPLATES.items():
        (tmp_path / each).write_text(text, "utf-8")

    def text() -> str:
        return make_environment([tmp_path]).get_template(name).render(x="<&'\">", y=y)

    ours = text()
    monkeypatch.setattr(templating, "PrintingGenerator", CodeGenerator)
    assert text() == ours


@pytest.mark.parametrize("text", ["{{ gone }}", "{% block b %}{{ x.gone }}{% endblock %}"])
def test_an_unknown_name_is_an_error_wherever_it_stands(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(text, "utf-8")
    with pytest.raises(UndefinedError):
        make_environment([tmp_path]).get_template("a.html").render(x=1)


def test_a_template_may_extend_the_shipped_one_that_it_replaces(
    edition: Survey, tmp_path: Path
) -> None:
    (tmp_path / "layout.html").write_text(
        '{% extends "shipped/layout.html" %}'
        "{% block footer %}{{ super() }}<p>Ours</p>\n{% endblock %}"
    )
    (tmp_path / "style.css").write_text(
        '{% include "shipped/style.css" %}\n:root { --accent: #7a2048; }\n'
    )
    site, plain = render_site(edition, project_template_folders=[tmp_path]), render_site(edition)
    assert site["style.css"] == plain["style.css"] + b":root { --accent: #7a2048; }\n"
    for page in ("index.html", "papers.html"):
        footer = plain[page].decode().partition('<footer class="site">')[2]
        shown = footer.replace("</p>\n", "</p>\n<p>Ours</p>\n", 1)
        assert site[page].decode().partition('<footer class="site">')[2] == shown

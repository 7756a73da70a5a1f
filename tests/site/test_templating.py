"""Templates are looked up by name, and say what they miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from classifier.site.context import make_environment
from classifier.site.render import render_site
from classifier.survey.survey import Survey


@pytest.mark.parametrize("text", ["{{ gone }}", "{% block b %}{{ x.gone }}{% endblock %}"])
def test_an_unknown_name_is_an_error_wherever_it_stands(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(text, "utf-8")
    with pytest.raises(UndefinedError):
        make_environment([tmp_path]).get_template("a.html").render(x=1)


def test_a_template_may_extend_the_shipped_one_that_it_replaces(
    survey: Survey, tmp_path: Path
) -> None:
    (tmp_path / "layout.html").write_text(
        '{% extends "shipped/layout.html" %}'
        "{% block footer %}{{ super() }}<p>Ours</p>\n{% endblock %}"
    )
    (tmp_path / "style.css").write_text(
        '{% include "shipped/style.css" %}\n:root { --accent: #7a2048; }\n'
    )
    site, plain = render_site(survey, project_template_folders=[tmp_path]), render_site(survey)
    assert site["style.css"].endswith(b":root { --accent: #7a2048; }\n")
    assert b".heat .l4 { background: #7a2048;" in site["style.css"]
    assert b"#7a2048" in site["figures/topics.svg"]
    for page in ("index.html", "data.html"):
        footer = plain[page].decode().partition('<footer class="site">')[2]
        shown = footer.replace("</p>\n", "</p>\n<p>Ours</p>\n", 1)
        assert site[page].decode().partition('<footer class="site">')[2] == shown

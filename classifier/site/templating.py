"""The Jinja environment of the site: a project's own templates first, then the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, select_autoescape

from classifier.project import shipped_folder
from classifier.site.paths import STYLE_SHEETS


def make_environment(template_folders: Sequence[Path]) -> Environment:
    """Return an environment that looks a template up in each folder in turn, the shipped one last.

    HTML and SVG are escaped, Markdown is not. A name that a page does not know is an error.
    """
    folders = [*template_folders, shipped_folder("templates")]
    return Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in dict.fromkeys(folders)]),
        autoescape=select_autoescape(enabled_extensions=("html", "svg", "xml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def style_sheets(environment: Environment) -> tuple[tuple[str, str], ...]:
    """Return (name, medium) of the style sheets that there are."""
    names = environment.list_templates(extensions=["css"])
    return tuple(sheet for sheet in STYLE_SHEETS if sheet[0] in names)

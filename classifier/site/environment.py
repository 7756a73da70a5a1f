"""The Jinja environment of the site: a project's own templates first, then the shipped ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateNotFound,
    select_autoescape,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from classifier.project import shipped_folder
from classifier.site.colours import DARK, LIGHT, accents, colours_of
from classifier.site.paths import STYLE_SHEETS

SHIPPED = "shipped"
"""Before this and a slash, a name means the shipped template though an own one replaces it."""


def make_environment(template_folders: Sequence[Path], accent: str = "") -> Environment:
    """Return an environment that looks a template up in each folder in turn, the shipped one last.

    `shipped/layout.html` is the shipped one in any case: one of the same name can extend it.
    HTML and SVG are escaped, Markdown is not. A name that a page does not know is an error. Where
    a project has templates of its own all of them run in Jinja's sandbox, which reaches nothing of
    Python but what a page is given. accent: `survey.accent`; all templates know it as `accents`
    (light, dark), and as `colours` what the style sheet makes of it.
    """
    folders = list(dict.fromkeys([*template_folders, shipped_folder("templates")]))
    is_foreign = any(folder.is_dir() and not is_shipped(folder) for folder in folders)
    kind = ImmutableSandboxedEnvironment if is_foreign else Environment
    environment = kind(
        loader=ChoiceLoader(
            [*map(_Folder, folders), PrefixLoader({SHIPPED: _Folder(folders[-1])})]
        ),
        autoescape=select_autoescape(enabled_extensions=("html", "svg", "xml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters["grouped"] = grouped
    environment.globals["accents"] = accents(accent) if accent else (LIGHT, DARK)
    environment.globals["colours"] = colours_of("")
    return environment


def grouped(number: int) -> str:
    """Return a number as the survey writes it.

    >>> grouped(20_000)
    '20,000'
    """
    return f"{number:,}"


def is_shipped(folder: Path) -> bool:
    """Return whether a folder of templates is the one that comes with Fieldguide."""
    return folder.resolve() == shipped_folder("templates").resolve()


def leads_out(template: Path, folder: Path) -> bool:
    """Return whether a template is a link out of the project whose templates `folder` holds."""
    return not template.resolve().is_relative_to(folder.resolve().parent)


class _Folder(FileSystemLoader):
    """Templates of a folder; a link that leads out of the project is none."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return a template as its base class does; raises TemplateNotFound beyond."""
        found = super().get_source(environment, template)
        if leads_out(Path(found[1]), Path(self.searchpath[0])):
            raise TemplateNotFound(template)
        return found


def style_sheets(environment: Environment) -> tuple[tuple[str, str], ...]:
    """Return (name, medium) of the style sheets that there are."""
    names = environment.list_templates(extensions=["css"])
    return tuple(sheet for sheet in STYLE_SHEETS if sheet[0] in names)

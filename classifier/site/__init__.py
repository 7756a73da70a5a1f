"""From an edition to files: the survey in Markdown, the static site, the references.

Each name is imported when it is first used: a look at templates needs no printing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from classifier.site.check import check_site
    from classifier.site.render import render_site
    from classifier.site.template_check import template_errors, template_faults

_HOMES = {
    "check_site": "check",
    "render_site": "render",
    "template_errors": "template_check",
    "template_faults": "template_check",
}

__all__ = [
    "check_site",
    "render_site",
    "template_errors",
    "template_faults",
]


def __getattr__(name: str) -> object:
    """Import a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

"""Whether the pictures that a project's own templates draw are XML, which no browser repairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.parsers import expat

from classifier.errors import Fault
from classifier.project import Project
from classifier.site.checks.templates import own_templates

_DRAWN_BY = {"figures/": "figures/figure.svg", "icon.svg": "icon.svg"}
_DRAWN_BY["opensearch.xml"] = "opensearch.xml"
"""How the path of a picture begins -> the template that draws it."""


def picture_faults(project: Project, files: Mapping[str, bytes]) -> list[Fault]:
    """Return what is wrong with SVG and XML that the project's own templates made, a fault each.

    Of one template the first file is named: the others have the same fault.
    """
    own = own_templates(project)
    made_by = {start: name for start, name in _DRAWN_BY.items() if name in own}
    faults: list[Fault] = []
    for start, template in made_by.items():
        broken = next(_broken(start, files), None)
        if broken is not None:
            path, message = broken
            found = f"what makes {path} no XML ({message})"
            cure = "Close every element, quote every attribute, and write &lt; and &amp; in texts."
            shown = project.shown(own[template])
            faults.append(Fault("error", shown, None, found, "well-formed XML", cure))
    return faults


def _broken(start: str, files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield (path, what the parser says) of the files that are no XML, in their order."""
    for path in sorted(files):
        if path.startswith(start) and path.endswith((".svg", ".xml")):
            try:
                expat.ParserCreate().Parse(files[path], True)
            except expat.ExpatError as error:
                yield path, str(error)

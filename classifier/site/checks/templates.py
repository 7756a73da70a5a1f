"""What is wrong with a project's own templates, in the words that their writer needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from xml.parsers import expat

from jinja2 import Environment, TemplateNotFound, TemplateSyntaxError, UndefinedError, meta
from jinja2.exceptions import TemplateAssertionError

from classifier.errors import Fault, InputError, sort_faults
from classifier.project import Project
from classifier.site.context import leads_out, make_environment
from classifier.text.normalise import did_you_mean

_RAW = "Text that holds {{, {% or {# goes between {% raw %} and {% endraw %}."
_LINKED = "a link that leads out of the project"
_CLOSE = "Close every element, quote every attribute, and write &lt; and &amp; in texts."
_NAMES = "docs/themes.md says which those are."
_RENAMED = {
    "page": "What stood in `page` has a name of its own: `category`, `entry`, `parts`, `findings`.",
    "html": "It is `html(text, root)` now, and `sentence_html(sentence, root)` of a sentence.",
    "item": "It is `category` now.",
    "topic_page": "It is `c/{{ entry.first.primary }}.html` now.",
}
"""Names that templates of earlier versions used -> the new ones."""


def template_faults(project: Project) -> list[Fault]:
    """Return the faults of the project's own templates, before any page is rendered.

    Errors: a file that is not UTF-8, that Jinja cannot read, or that names a template which is not
    there. A warning, whatever it holds: a file that stands in for no shipped one and that no other
    names, since a slip in its name would go unseen.
    """
    environment = make_environment(project.template_folders)
    files = own_templates(project)
    shipped = set(make_environment([]).list_templates())
    faults: dict[str, list[Fault]] = {}
    named: set[str] = set()
    for name, path in files.items():
        shown = project.shown(project.root / "templates" / name)
        if leads_out(path, project.template_folders[0]):
            expected = "a file of the project"
            faults[name] = [
                Fault("error", shown, None, _LINKED, expected, "Copy what it leads to.")
            ]
            continue
        try:
            references = _references(environment, name, path)
        except (OSError, UnicodeDecodeError, TemplateSyntaxError) as error:
            faults[name] = [_reading_fault(shown, error)]
            continue
        known = {*files, *shipped}
        gone = {each: line for each, line in references.items() if each not in known}
        faults[name] = [_missing(shown, line, each, known) for each, line in gone.items()]
        named |= set(references)
    for name in set(files) - shipped - named:
        found = "a template of which no page is made"
        expected = "the name of a shipped one, or one that another of yours names"
        hint = did_you_mean(name, shipped)
        faults[name] = [Fault("warning", project.shown(files[name]), None, found, expected, hint)]
    return sort_faults([fault for found in faults.values() for fault in found])


@contextmanager
def template_errors(project: Project) -> Iterator[None]:
    """Turn what a project's own template raises while it prints into an InputError with its line.

    What is raised by the shipped templates alone is a bug of ours and stays as it is.
    """
    try:
        yield
    except Exception as error:  # an expression in a template may raise anything
        fault = _printing_fault(project, error)
        if fault is None:
            raise
        raise InputError([fault]) from error


def own_templates(project: Project) -> dict[str, Path]:
    """Return the project's own templates by name, without hidden files and editors' copies."""
    own, shipped = project.template_folders
    if not own.is_dir() or own.resolve() == shipped.resolve():
        return {}
    files = {path.relative_to(own).as_posix(): path for path in sorted(own.rglob("*"))}
    return {
        name: path
        for name, path in files.items()
        if path.is_file() and not name.endswith("~") and not f"/{name}".count("/.")
    }


def _references(environment: Environment, name: str, path: Path) -> dict[str, int]:
    """Return the templates that one names -> the line; raises what keeps it from being read."""
    source = path.read_text(encoding="utf-8")
    tree = environment.parse(source, name, str(path))
    named = [*meta.find_referenced_templates(tree)]
    environment.compile(tree, name, str(path))  # parsing alone does not miss a filter
    return {each: source[: source.find(each)].count("\n") + 1 for each in named if each}


def _reading_fault(file: str, error: OSError | UnicodeDecodeError | TemplateSyntaxError) -> Fault:
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        found = "bytes that are not UTF-8"
        return Fault("error", file, line, found, "a text in UTF-8", "Save it as UTF-8.")
    if isinstance(error, OSError):
        found = (error.strerror or str(error)).lower()
        return Fault("error", file, None, found, "a file that can be read")
    found = f"a fault of syntax ({str(error.message).rstrip('.')})"
    if isinstance(error, TemplateAssertionError):
        return Fault("error", file, error.lineno, found, "what Jinja knows")
    return Fault("error", file, error.lineno, found, "a Jinja template", _RAW)


def _printing_fault(project: Project, error: Exception) -> Fault | None:
    """Return the fault at the innermost line of a template, or None where no own one is to blame.

    A shipped template may fail over an own one: over a macro that is gone from `macros.html`.
    """
    own, shipped = project.template_folders
    frames = extract_tb(error.__traceback__)
    blamed = [frame for frame in frames if Path(frame.filename).is_relative_to(own)]
    if not blamed and isinstance(error, UndefinedError) and own_templates(project):
        blamed = [frame for frame in frames if Path(frame.filename).is_relative_to(shipped)]
    if not blamed:
        return None
    file, line = project.shown(Path(blamed[-1].filename)), blamed[-1].lineno
    if isinstance(error, UndefinedError):
        words = str(error.message).split("'")
        hint = next((_RENAMED[word] for word in reversed(words) if word in _RENAMED), _NAMES)
        found = f"a name that means nothing: {error.message}"
        return Fault("error", file, line, found, "a name that the page knows", hint)
    if isinstance(error, TemplateNotFound):
        return _missing(file, line, str(error.name), set())
    if isinstance(error, RecursionError):
        return Fault("error", file, line, "a template that leads back to itself", "one that ends")
    found = f"what cannot be printed ({type(error).__name__}: {error})"
    return Fault("error", file, line, found, "a template that prints")


def _missing(file: str, line: int | None, name: str, known: set[str]) -> Fault:
    found = f"the template '{name}', which is not there"
    expected, hint = "one of yours or a shipped one", did_you_mean(name, known)
    return Fault("error", file, line, found, expected, hint)


_TEMPLATE_OF_PICTURE = {"figures/": "figures/figure.svg", "icon.svg": "icon.svg"}
"""Prefix of a picture's path -> the template that draws it."""


def picture_faults(project: Project, files: Mapping[str, bytes]) -> list[Fault]:
    """Return what is wrong with SVG that the project's own templates made, a fault each.

    Of one template the first file is named: the others have the same fault.
    """
    own = own_templates(project)
    faults: dict[str, Fault] = {}
    for path in sorted(files):
        template = next(
            (by for start, by in _TEMPLATE_OF_PICTURE.items() if path.startswith(start)), ""
        )
        if template in own and template not in faults and path.endswith(".svg"):
            try:
                expat.ParserCreate().Parse(files[path], True)
            except expat.ExpatError as error:
                found = f"what makes {path} no XML ({error})"
                shown = project.shown(own[template])
                faults[template] = Fault("error", shown, None, found, "well-formed XML", _CLOSE)
    return list(faults.values())

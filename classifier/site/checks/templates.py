"""Faults of the project's own templates, with file and line."""

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

_RAW = "Put text with {{, {% or {# between {% raw %} and {% endraw %}."
_LINKED = "a link to a file outside the project"
_CLOSE = "Close every element, quote every attribute, and write &lt; and &amp; in texts."
_NAMES = "docs/themes.md lists the names."
_RENAMED = {
    "page": "Its fields are names of their own now: `category`, `entry`, `parts`, `findings`.",
    "html": "It is `html(text, root)` now; for a sentence `sentence_html(sentence, root)`.",
    "item": "It is `category` now.",
    "topic_page": "It is `c/{{ entry.first.primary }}.html` now.",
}
"""Name in templates of earlier versions -> hint at the new name."""


def template_faults(project: Project) -> list[Fault]:
    """Return the faults of the project's own templates that are known before rendering.

    Errors: a file that is not UTF-8, that Jinja cannot parse, or that refers to a missing template.
    Warning: a file that replaces no shipped template and to which no template refers, because its
    name may be misspelt.
    """
    environment = make_environment(project.template_folders)
    files = own_templates(project)
    shipped = set(make_environment([]).list_templates())
    faults: dict[str, list[Fault]] = {}
    referenced: set[str] = set()
    for name, path in files.items():
        shown = project.shown(project.root / "templates" / name)
        if leads_out(path, project.template_folders[0]):
            expected = "a file of the project"
            faults[name] = [
                Fault("error", shown, None, _LINKED, expected, "Copy the file that it links to.")
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
        referenced |= set(references)
    for name in set(files) - shipped - referenced:
        found = "a template that no page uses"
        expected = "the name of a shipped template, or one that another of your templates uses"
        hint = did_you_mean(name, shipped)
        faults[name] = [Fault("warning", project.shown(files[name]), None, found, expected, hint)]
    return sort_faults([fault for found in faults.values() for fault in found])


@contextmanager
def template_errors(project: Project) -> Iterator[None]:
    """Convert an error that one of the project's own templates raises into an InputError.

    An error that only shipped templates raise is our bug and is raised again.
    """
    try:
        yield
    except Exception as error:  # an expression in a template may raise anything
        fault = _printing_fault(project, error)
        if fault is None:
            raise
        raise InputError([fault]) from error


def own_templates(project: Project) -> dict[str, Path]:
    """Return name -> path of the project's own templates, without hidden files and backups."""
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
    """Return name -> line of the templates to which one refers. Raises the errors of reading it."""
    source = path.read_text(encoding="utf-8")
    tree = environment.parse(source, name, str(path))
    names = [*meta.find_referenced_templates(tree)]
    environment.compile(tree, name, str(path))  # Parsing does not check filters.
    return {each: source[: source.find(each)].count("\n") + 1 for each in names if each}


def _reading_fault(file: str, error: OSError | UnicodeDecodeError | TemplateSyntaxError) -> Fault:
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        found = "bytes that are not UTF-8"
        return Fault("error", file, line, found, "a text in UTF-8", "Save it as UTF-8.")
    if isinstance(error, OSError):
        found = (error.strerror or str(error)).lower()
        return Fault("error", file, None, found, "a file that can be read")
    found = f"a syntax error ({str(error.message).rstrip('.')})"
    if isinstance(error, TemplateAssertionError):
        return Fault("error", file, error.lineno, found, "a filter or test of Jinja")
    return Fault("error", file, error.lineno, found, "a Jinja template", _RAW)


def _printing_fault(project: Project, error: Exception) -> Fault | None:
    """Return the fault at the innermost line of a template; None if no own template caused it.

    A shipped template can fail because of an own one, such as a `macros.html` without a macro.
    """
    own, shipped = project.template_folders
    frames = extract_tb(error.__traceback__)
    causes = [frame for frame in frames if Path(frame.filename).is_relative_to(own)]
    if not causes and isinstance(error, UndefinedError) and own_templates(project):
        causes = [frame for frame in frames if Path(frame.filename).is_relative_to(shipped)]
    if not causes:
        return None
    file, line = project.shown(Path(causes[-1].filename)), causes[-1].lineno
    if isinstance(error, UndefinedError):
        words = str(error.message).split("'")
        hint = next((_RENAMED[word] for word in reversed(words) if word in _RENAMED), _NAMES)
        found = f"an unknown name: {error.message}"
        return Fault("error", file, line, found, "a name that this page has", hint)
    if isinstance(error, TemplateNotFound):
        return _missing(file, line, str(error.name), set())
    if isinstance(error, RecursionError):
        return Fault("error", file, line, "a template that includes itself", "a template that ends")
    found = f"an expression that fails ({type(error).__name__}: {error})"
    return Fault("error", file, line, found, "an expression with a value")


def _missing(file: str, line: int | None, name: str, known: set[str]) -> Fault:
    found = f"the template '{name}', which does not exist"
    expected, hint = "a template of the project or a shipped one", did_you_mean(name, known)
    return Fault("error", file, line, found, expected, hint)


_TEMPLATE_OF_PICTURE = {"figures/": "figures/figure.svg", "icon.svg": "icon.svg"}
"""Prefix of the path of a picture -> its template."""


def picture_faults(project: Project, files: Mapping[str, bytes]) -> list[Fault]:
    """Return the first fault of the SVG files of each of the project's own templates."""
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
                found = f"text that makes {path} invalid XML ({error})"
                shown = project.shown(own[template])
                faults[template] = Fault("error", shown, None, found, "well-formed XML", _CLOSE)
    return list(faults.values())

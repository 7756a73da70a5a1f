"""Check the project's own templates, and report errors that occur while they are rendered."""

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
from classifier.site.context import is_outside_project, make_environment
from classifier.text.normalise import did_you_mean

_RAW_HINT = "Put text that contains {{, {% or {# between {% raw %} and {% endraw %}."
_XML_HINT = "Close every element, quote every attribute, and write &lt; and &amp; in texts."
_NAMES_HINT = "docs/themes.md lists them."
_RENAMED = {
    "page": "Use `category`, `entry`, `parts` or `findings` instead of `page`.",
    "html": "Write `html(text, root)`, or `sentence_html(sentence, root)` for a sentence.",
    "item": "Use `category` instead of `item`.",
    "topic_page": "Write `c/{{ entry.first.primary }}.html` instead of `topic_page`.",
}
"""Name in templates of earlier versions -> hint with the current name."""


def template_faults(project: Project) -> list[Fault]:
    """Return the faults in the project's own templates, before any page is rendered.

    Errors: a file that is not UTF-8, has a syntax error, or refers to a missing template. Warning:
    a file that neither replaces a shipped template nor is used by another template, probably
    because its name is misspelt.
    """
    environment = make_environment(project.template_folders)
    files = own_templates(project)
    shipped = set(make_environment([]).list_templates())
    known = {*files, *shipped}
    faults: dict[str, list[Fault]] = {}
    referenced: set[str] = set()
    for name, path in files.items():
        file = project.shown(project.root / "templates" / name)
        if is_outside_project(path, project.template_folders[0]):
            actual, hint = "a link to a file outside the project", "Copy the file into templates/."
            faults[name] = [Fault("error", file, None, actual, "a file of the project", hint)]
            continue
        try:
            references = _references(environment, name, path)
        except (OSError, UnicodeDecodeError, TemplateSyntaxError) as error:
            faults[name] = [_reading_fault(file, error)]
            continue
        referenced |= set(references)
        faults[name] = [
            _missing_template_fault(file, line, each, known)
            for each, line in references.items()
            if each not in known
        ]
    for name in set(files) - shipped - referenced:
        actual = "a template that no page uses"
        expected = "the name of a shipped template, or of a template that another template uses"
        hint = did_you_mean(name, shipped)
        faults[name] = [Fault("warning", project.shown(files[name]), None, actual, expected, hint)]
    return sort_faults([fault for each in faults.values() for fault in each])


@contextmanager
def template_errors(project: Project) -> Iterator[None]:
    """Convert an exception in one of the project's templates to an InputError with its line.

    An exception in shipped templates only is a bug of Fieldguide, and is not converted.
    """
    try:
        yield
    except Exception as error:  # an expression in a template may raise anything
        fault = _rendering_fault(project, error)
        if fault is None:
            raise
        raise InputError([fault]) from error


def own_templates(project: Project) -> dict[str, Path]:
    """Return the project's own templates by name, without hidden files and backups."""
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
    """Return the templates to which a template refers, with the line of each reference.

    Raises OSError, UnicodeDecodeError or TemplateSyntaxError.
    """
    source = path.read_text(encoding="utf-8")
    tree = environment.parse(source, name, str(path))
    references = [*meta.find_referenced_templates(tree)]
    environment.compile(tree, name, str(path))  # Parsing alone does not find unknown filters.
    return {each: source[: source.find(each)].count("\n") + 1 for each in references if each}


def _reading_fault(file: str, error: OSError | UnicodeDecodeError | TemplateSyntaxError) -> Fault:
    """Return the fault of a template that cannot be read or parsed."""
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        actual = "bytes that are not UTF-8"
        return Fault("error", file, line, actual, "text in UTF-8", "Save the file as UTF-8.")
    if isinstance(error, OSError):
        actual = (error.strerror or str(error)).lower()
        return Fault("error", file, None, actual, "a readable file")
    actual = f"a syntax error ({str(error.message).rstrip('.')})"
    if isinstance(error, TemplateAssertionError):
        return Fault("error", file, error.lineno, actual, "a filter or test of Jinja")
    return Fault("error", file, error.lineno, actual, "a Jinja template", _RAW_HINT)


def _rendering_fault(project: Project, error: Exception) -> Fault | None:
    """Return the fault at the innermost template line of a traceback; None for shipped templates.

    The project's templates can also cause a shipped template to fail: for example, the project's
    `macros.html` may lack a macro.
    """
    own, shipped = project.template_folders
    frames = extract_tb(error.__traceback__)
    in_templates = [frame for frame in frames if Path(frame.filename).is_relative_to(own)]
    if not in_templates and isinstance(error, UndefinedError) and own_templates(project):
        in_templates = [frame for frame in frames if Path(frame.filename).is_relative_to(shipped)]
    if not in_templates:
        return None
    file, line = project.shown(Path(in_templates[-1].filename)), in_templates[-1].lineno
    if isinstance(error, UndefinedError):
        words = str(error.message).split("'")
        hint = next((_RENAMED[word] for word in reversed(words) if word in _RENAMED), _NAMES_HINT)
        actual = f"an undefined name: {error.message}"
        return Fault("error", file, line, actual, "a variable of the page", hint)
    if isinstance(error, TemplateNotFound):
        return _missing_template_fault(file, line, str(error.name), set())
    if isinstance(error, RecursionError):
        actual = "a template that includes itself"
        return Fault("error", file, line, actual, "a template without a cycle")
    actual = f"an expression that fails ({type(error).__name__}: {error})"
    return Fault("error", file, line, actual, "a valid expression")


def _missing_template_fault(file: str, line: int | None, name: str, known_names: set[str]) -> Fault:
    """Return the fault of a reference to a missing template."""
    actual = f"the template '{name}', which does not exist"
    expected, hint = "a template of the project or a shipped one", did_you_mean(name, known_names)
    return Fault("error", file, line, actual, expected, hint)


def picture_faults(project: Project, files: Mapping[str, bytes]) -> list[Fault]:
    """Return a fault for each template of the project that creates malformed SVG.

    Only the first malformed file of a template is reported, because the others have the same fault.
    """
    own = own_templates(project)
    faults: dict[str, Fault] = {}
    for path in sorted(files):
        template = "figures/figure.svg" if path.startswith("figures/") else path
        if template in own and template not in faults and path.endswith(".svg"):
            try:
                expat.ParserCreate().Parse(files[path], True)
            except expat.ExpatError as error:
                actual = f"a template that makes {path} malformed ({error})"
                file = project.shown(own[template])
                faults[template] = Fault("error", file, None, actual, "valid XML", _XML_HINT)
    return list(faults.values())

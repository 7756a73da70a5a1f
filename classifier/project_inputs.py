"""All that people wrote in a project, templates included: what `check` looks at, and a build."""

from __future__ import annotations

from dataclasses import replace

from classifier.errors import InputError, sort_faults
from classifier.files.memo import Memos
from classifier.inputs import Inputs, read_inputs
from classifier.progress import Progress
from classifier.project import Project
from classifier.site.template_check import template_faults


def read_project(
    project: Project, progress: Progress | None = None, *, memos: Memos | None = None
) -> Inputs:
    """Return what people wrote, after a look at their templates, too.

    Raises InputError with the faults of all of it; what is doubtful in templates stands among the
    warnings.
    """
    templates = template_faults(project, memos)
    try:
        inputs = read_inputs(project, progress, memos=memos)
    except InputError as error:
        raise InputError(sort_faults([*error.faults, *templates])) from error
    faults = tuple(sort_faults([*inputs.warnings, *templates]))
    if any(fault.severity == "error" for fault in faults):
        raise InputError(faults)
    return replace(inputs, warnings=faults)

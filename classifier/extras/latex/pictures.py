"""The figures of the survey as PDF, which TeX can include: set by WeasyPrint from the same SVG."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

from classifier.site.environment import make_environment
from classifier.site.figures.files import figure_files, figures_of
from classifier.site.pdf import plain_colours
from classifier.survey.document import Document

_SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


def can_draw() -> bool:
    """Return whether WeasyPrint is installed."""
    return importlib.util.find_spec("weasyprint") is not None


def figure_pdfs(document: Document, template_folders: Sequence[Path]) -> dict[str, bytes]:
    """Return id -> PDF of each figure, of the size of its picture; none without WeasyPrint."""
    if not can_draw():
        return {}
    environment = make_environment(template_folders)
    pictures = {}
    for figure in figures_of(document):
        _, svg = next(figure_files(figure, environment))
        pictures[figure.id] = _pdf(plain_colours(svg))
    return pictures


def _pdf(svg: str) -> bytes:
    from weasyprint import HTML

    size = _SIZE.search(svg)
    width, height = (size[1], size[2]) if size else ("672", "400")
    style = f"@page{{size:{width}px {height}px;margin:0}}body{{margin:0}}svg{{display:block}}"
    pdf: bytes = HTML(string=f"<style>{style}</style>{svg}").write_pdf()
    return pdf

"""From an edition to files: the survey in Markdown, the static site, the references."""

from classifier.site.check import check_site
from classifier.site.press import Annex
from classifier.site.printer import Printer
from classifier.site.render import print_site, render_site
from classifier.site.template_check import template_errors, template_faults

__all__ = [
    "Annex",
    "Printer",
    "check_site",
    "print_site",
    "render_site",
    "template_errors",
    "template_faults",
]

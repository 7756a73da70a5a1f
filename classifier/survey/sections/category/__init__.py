"""The section of a category: what the data says of it, a kind of statement a file."""

from __future__ import annotations

from classifier.survey.sections.category.section import category_sections

__all__ = ["category_sections"]

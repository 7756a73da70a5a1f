"""Figures as SVG pictures: a function per kind of chart makes a drawing, a template renders it."""

"""Figures as pictures: each kind of chart computes a drawing, one template prints it as SVG."""

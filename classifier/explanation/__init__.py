"""Explanations of the labels of a paper, as text and as JSON."""

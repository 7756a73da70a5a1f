"""Measure the quality of labels: gold labels, cross-validation, metrics and the report."""

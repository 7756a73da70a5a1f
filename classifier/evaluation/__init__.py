"""How good the labels are: gold truth, cross-validation, figures and the printed report."""

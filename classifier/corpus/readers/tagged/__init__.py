"""Texts of tagged lines: RIS, MEDLINE, Web of Science, EndNote, mailed lists of arXiv."""

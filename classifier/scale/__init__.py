"""Labelling files of any length: read in chunks, labelled anywhere, joined in input order."""

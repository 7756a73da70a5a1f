"""Reads, checks and edits a taxonomy in YAML; parses and matches its cues."""

"""Texts of papers: display forms, identity keys, tokens, sentences and their roles."""

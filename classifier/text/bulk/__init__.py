"""Many texts at once, as arrays: tokens, sentences, roles, negation, equal to those of one text."""

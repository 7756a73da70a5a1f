"""The taxonomy: what a person writes in YAML, how its cues match, and what is wrong with it."""

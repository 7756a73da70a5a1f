"""The proof of the survey: what it says stands in its sources, and every paper stands in it."""

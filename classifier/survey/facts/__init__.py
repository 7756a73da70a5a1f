"""Facts: what the survey counts, each number with the query that gives it."""

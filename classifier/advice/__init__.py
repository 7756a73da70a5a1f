"""What to do next: what is weak in a taxonomy, and what is missing from it."""

"""What to do next: which terms tell papers apart, which categories are missing."""

"""Compare two publications of a survey and report the changes."""

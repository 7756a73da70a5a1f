"""What changed between two publications of a survey: labels, papers, figures, categories."""

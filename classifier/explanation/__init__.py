"""Why a paper has its labels: what is told, gathered from a classifier, as text and as JSON."""

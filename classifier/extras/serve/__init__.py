"""A local web server that rebuilds the survey when its files change."""

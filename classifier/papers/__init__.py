"""Read files and merge their records into distinct papers, with ids and sources."""

"""From files to distinct papers: readers, identity, merging, provenance."""

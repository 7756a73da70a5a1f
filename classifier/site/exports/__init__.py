"""Files of the site for other programs: references, tables, feeds, metadata."""

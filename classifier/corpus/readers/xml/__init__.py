"""XML, read as it streams: feeds of arXiv, OAI-PMH, PubMed, EndNote."""

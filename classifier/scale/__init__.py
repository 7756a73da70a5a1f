"""Label files of any length: read chunks, label them in any process, join them in order."""

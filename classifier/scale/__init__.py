"""Labels files of any length: reads chunks, labels them in any process, joins them in order."""

"""The sections of the survey, one a file, in words, tables and figures."""

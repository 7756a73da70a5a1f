"""The sections of the survey, one module per section."""

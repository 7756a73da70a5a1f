"""Write the survey from labelled papers: facts, sentences and tables, each with its source."""

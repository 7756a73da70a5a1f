"""From labelled papers to a document: facts, sentences, tables, each with its source."""

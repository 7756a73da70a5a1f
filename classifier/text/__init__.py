"""Text as papers have it: display forms, identity keys, tokens, sentences and their roles."""

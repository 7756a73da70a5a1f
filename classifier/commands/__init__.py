"""One use of the whole a file: what the commands of the command line call."""

"""Finding what records lack: matches in a sheet that a person corrects, then taken."""

"""Finding what records lack: matches in a sheet that a person corrects, then taken.

`lacking` says which papers ask for it, `find` asks the services, `match` judges what they give,
`sheet` is taxonomy/metadata-matches.csv, and `take` writes what a person agreed to.
"""

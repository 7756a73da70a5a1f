"""A new project from what somebody has: a list, a bibliography, any files of papers.

`filing` reads where papers were filed before, `taxonomy` makes categories of it, or of terms where
nothing was filed, `lesson` explains the file that comes out, `project` puts the folder together,
and `first_look` says what a first build shows.
"""

"""A new project from what somebody has: a list, a bibliography, any files of papers.

`filing` reads where papers were filed before, `categories` makes a taxonomy of it, or of terms
where nothing was filed (`phrases` writes those as people do), `recipe` rebuilds it in CI, and
`project` puts the folder together, with a taxonomy.yaml that teaches how to go on.
"""

"""Create a project from a list, a bibliography or other files of papers: `fieldguide new`.

`filing` reads the collections or keywords of papers. Without them, `draft` finds subjects in the
`phrases` of the papers. `categories` makes a taxonomy of either, `screening` reads verdicts,
`recipe` writes the CI workflow, and `project` writes the folder with a commented taxonomy.yaml.
"""

"""`fieldguide new`: a project from a list, a bibliography or any files of papers.

`filing` reads how papers were filed, `draft` finds subjects where they were not (in `phrases`),
`categories` turns either into a taxonomy, `recipe` writes the CI workflow, and `project` writes the
folder with a commented taxonomy.yaml.
"""

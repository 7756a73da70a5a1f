"""`fieldguide skos write` and `fieldguide skos read`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from classifier.cli.options import ProjectOption, command_group, output_option
from classifier.cli.printing import command, count, print_faults, say
from classifier.project import open_project

skos_app = command_group(
    "skos",
    "Hand the taxonomy to SKOS tools, or start one from a thesaurus (needs rdflib: "
    "pip install 'fieldguide[skos]').",
)


@skos_app.command()
@command
def write(
    output: Annotated[
        Path | None, output_option("FILE.ttl", "Where to. Default: standard output.")
    ] = None,
    facet: Annotated[
        list[str] | None,
        typer.Option("--facet", metavar="ID", help="Only this facet; may be repeated."),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", metavar="TAG", help="Of the taxonomy's texts. Default: en.")
    ] = "en",
    project: ProjectOption = None,
) -> None:
    """Write the project's taxonomy as SKOS in Turtle: a scheme a facet, a concept a category.

    Examples: `fieldguide skos write -o taxonomy.ttl`;
    `fieldguide skos write --facet topic -o topics.ttl` for Annif.
    """
    from classifier.extras.skos.write import save_skos, write_skos
    from classifier.taxonomy.load import load_taxonomy

    where = open_project(project)
    path = where.taxonomy_file
    taxonomy = load_taxonomy(path, where.shown(path)).taxonomy
    if output is None:
        sys.stdout.buffer.write(write_skos(taxonomy, facet_ids=facet or (), language=language))
        return
    save_skos(output, taxonomy, facet_ids=facet or (), language=language)
    facets = [taxonomy.facet(identifier) for identifier in facet or taxonomy.facets]
    concepts = sum(1 for each in facets for _ in each.walk(retired=True))
    print(f"{count(len(facets), 'scheme')} with {count(concepts, 'concept')}: {output}")


@skos_app.command()
@command
def read(
    thesaurus: Annotated[
        Path,
        typer.Argument(metavar="THESAURUS", help="A SKOS file: .ttl, .nt, .rdf, .xml or .owl."),
    ],
    output: Annotated[
        Path | None, output_option("FILE", "A taxonomy.yaml that is not there.")
    ] = None,
    language: Annotated[
        str,
        typer.Option("--language", metavar="TAG", help="Which labels to prefer. Default: en."),
    ] = "en",
) -> None:
    """Start a taxonomy from a thesaurus, as YAML whose comments say what to do next.

    A scheme becomes a facet, its top concepts categories, the concepts below their children; labels
    become cues, definitions stay. What a taxonomy cannot hold is listed. No file is overwritten.
    Without -o the YAML goes to standard output.

    Examples: `fieldguide skos read apiculture.ttl -o bees/taxonomy/taxonomy.yaml`;
    `fieldguide skos read thesaurus.rdf --language de | less`.
    """
    from classifier.extras.skos.read import read_skos, save_draft

    found = read_skos(thesaurus, language=language)
    print_faults(found.warnings)
    if output is None:
        sys.stdout.buffer.write(found.yaml().encode())
        return
    save_draft(output, found)
    facets = found.taxonomy.facets.values()
    categories = sum(1 for facet in facets for _ in facet.walk(retired=True))
    print(
        f"{count(len(facets), 'facet')} with {count(categories, 'category', 'categories')}: "
        f"{output}"
    )
    say("Next: read the comment on top of it, then run `fieldguide check`.")

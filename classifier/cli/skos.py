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
    "Export the taxonomy to SKOS, or create a taxonomy from a thesaurus (needs rdflib: "
    "pip install 'fieldguide[skos]').\n\n"
    "Example: `fieldguide skos write -o taxonomy.ttl`.",
)


@skos_app.command()
@command
def write(
    output: Annotated[
        Path | None, output_option("FILE.ttl", "The file to write. Default: standard output.")
    ] = None,
    facet: Annotated[
        list[str] | None,
        typer.Option("--facet", metavar="ID", help="Only this facet; may be repeated."),
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            "--language", metavar="TAG", help="Language of the taxonomy's texts. Default: en."
        ),
    ] = "en",
    project: ProjectOption = None,
) -> None:
    """Write the taxonomy as SKOS in Turtle.

    Each facet becomes a concept scheme, and each category a concept.

    Examples: `fieldguide skos write -o taxonomy.ttl`;
    `fieldguide skos write --facet topic -o topics.ttl` for Annif.
    """
    from classifier.extras.skos import save_skos, write_skos
    from classifier.taxonomy.load import load_taxonomy

    where = open_project(project)
    path = where.taxonomy_file
    taxonomy = load_taxonomy(path, where.shown(path)).taxonomy
    if output is None:
        sys.stdout.buffer.write(write_skos(taxonomy, facet_ids=facet or (), language=language))
        return
    save_skos(output, taxonomy, facet_ids=facet or (), language=language)
    facets = [taxonomy.facet(identifier) for identifier in facet or taxonomy.facets]
    concepts = sum(1 for each in facets for _ in each.walk(include_retired=True))
    print(f"{count(len(facets), 'scheme')} with {count(concepts, 'concept')}: {output}")


@skos_app.command()
@command
def read(
    thesaurus: Annotated[
        Path,
        typer.Argument(metavar="THESAURUS", help="A SKOS file: .ttl, .nt, .rdf, .xml or .owl."),
    ],
    output: Annotated[
        Path | None, output_option("FILE", "The taxonomy.yaml to write; must not exist yet.")
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            "--language", metavar="TAG", help="Preferred language of labels. Default: en."
        ),
    ] = "en",
) -> None:
    """Create a taxonomy from a thesaurus, as YAML with comments on the next steps.

    Each concept scheme becomes a facet, its top concepts become categories, and the concepts below
    them subcategories. Labels become cues; definitions stay. Parts of the thesaurus that a taxonomy
    cannot express are listed. Without -o, YAML goes to standard output.

    Example: `fieldguide skos read apiculture.ttl -o bees/taxonomy/taxonomy.yaml`.
    """
    from classifier.extras.skos import draft_yaml, read_skos, save_draft

    taxonomy, warnings = read_skos(thesaurus, language=language)
    print_faults(warnings)
    if output is None:
        sys.stdout.buffer.write(draft_yaml(taxonomy).encode())
        return
    save_draft(output, taxonomy)
    facets = taxonomy.facets.values()
    categories = sum(1 for facet in facets for _ in facet.walk(include_retired=True))
    print(
        f"{count(len(facets), 'facet')} with {count(categories, 'category', 'categories')}: "
        f"{output}"
    )
    say("Next: read the comment at the top of the file, then run `fieldguide check`.")

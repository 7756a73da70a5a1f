"""The RDF terms and file formats of both directions."""

from __future__ import annotations

from rdflib import Namespace

OWN = Namespace("urn:fieldguide:terms#")
"""What SKOS has no word for, under the names of taxonomy.yaml: `cues`, `core`, `at_most`, …"""

SKOSXL = Namespace("http://www.w3.org/2008/05/skos-xl#")
"""Labels as resources of their own: https://www.w3.org/TR/skos-reference/skos-xl.html."""

FORMATS = {".ttl": "turtle", ".rdf": "xml", ".nt": "nt", ".jsonld": "json-ld"}
"""File ending -> rdflib's name of the format, as written."""

# Thesauri are handed out under more endings; N-Triples are Turtle, whose parser knows the line.
READ_FORMATS = {**FORMATS, ".nt": "turtle", ".xml": "xml", ".owl": "xml", ".json": "json-ld"}

INCLUDES, EXCLUDES = "Includes: ", "Excludes: "
"""How the scope notes begin that an entry of `includes` or `excludes` becomes."""

"""SKOS, the W3C vocabulary for thesauri: convert a thesaurus to a taxonomy, and back.

Source: https://www.w3.org/TR/skos-reference/. Importing any of these modules raises UsageError if
rdflib is not installed.
"""

from classifier.errors import UsageError

try:
    import rdflib  # noqa: F401
except ImportError as error:
    raise UsageError("SKOS needs rdflib: pip install 'fieldguide[skos]'.") from error

"""SKOS, the W3C vocabulary for thesauri: a thesaurus becomes a taxonomy, a taxonomy becomes SKOS.

Source: https://www.w3.org/TR/skos-reference/. Importing any module raises UsageError if rdflib is
not installed.
"""

from classifier.errors import UsageError

try:
    import rdflib  # noqa: F401
except ImportError as error:
    raise UsageError("SKOS needs rdflib: pip install 'fieldguide[skos]'.") from error

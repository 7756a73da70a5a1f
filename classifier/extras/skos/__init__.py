"""SKOS, the W3C's vocabulary for thesauri: a thesaurus starts a taxonomy, a taxonomy leaves as one.

Source: SKOS Reference, W3C Recommendation, 2009, https://www.w3.org/TR/skos-reference/.
Importing any part raises UsageError, with the hint, where rdflib is not installed.
"""

from classifier.errors import UsageError

try:
    import rdflib  # noqa: F401
except ImportError as error:
    raise UsageError("SKOS needs rdflib: pip install 'fieldguide[skos]'.") from error

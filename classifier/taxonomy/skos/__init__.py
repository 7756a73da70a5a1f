"""SKOS, the W3C's vocabulary for thesauri: a thesaurus starts a taxonomy, a taxonomy leaves as one.

Source: SKOS Reference, W3C Recommendation, 2009, https://www.w3.org/TR/skos-reference/.
"""

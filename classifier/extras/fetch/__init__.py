"""Filling `papers/` from the network: the only part that uses it, and never part of a build.

A `Service` is an interface on the network and its manners; a `Source` says how a `Query` becomes
pages of it. The `Transport` asks politely and patiently, `Pages` keeps every answer at once, so
that a command that was cut off goes on where it was, and `papers_file` joins what came with what
is there. `metadata/` finds what title-only records lack.
"""

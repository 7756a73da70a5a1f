"""Records of JSON sources as fields of ours, one module a source.

Each module has a pure function `fields(record)`, which returns the fields of one paper for
`readers.fields.read_fields` whatever stands in the record, and `is_record(record)`, which says
whether an object looks like a record of that source. `sources.SOURCES` lists them in the order in
which they are asked. What a source does not state, or states in a form that says nothing, is left
out or empty.
"""

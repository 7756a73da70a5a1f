"""Tables of any program: CSV, workbooks, Parquet; which column is which field."""

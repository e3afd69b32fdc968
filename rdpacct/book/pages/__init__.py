"""The theorem book as pages: one for each entry, with an index, the errata and a search."""

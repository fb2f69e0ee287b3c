"""The figures and the table of the RMA paper."""

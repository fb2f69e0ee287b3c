"""The figures and tables of the CEL paper."""

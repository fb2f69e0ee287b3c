"""The compiled engine: one entry for each distinct future, matches as a graph (DESIGN 4)."""

"""The papers' figures and tables, from this code."""

"""How fast recognition is, and how its cost grows: ``python -m mnemata.paper_figures.benchmarks``."""

"""Commands that are killed, stopped and disturbed find in the end what they find undisturbed."""

from mnemata.paper_figures.benchmarks.faults.page import NAME, figure

__all__ = ["NAME", "figure"]

"""Symbolic register transducers: SRT Def. 21 to 26."""

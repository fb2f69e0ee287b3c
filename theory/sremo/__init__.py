"""Symbolic regular expressions with memory and output (SREMO): SRT Def. 15 to 20, 32, 39, 44."""

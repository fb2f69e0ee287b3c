"""Complex event automata (CEA): CEL Def. 5.1 to 5.4, 8.7, and their evaluation (Section 9)."""

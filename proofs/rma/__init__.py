"""What the paper claims of core-CEPL and register match automata."""

"""Register match automata: RMA Def. 3 to 7."""

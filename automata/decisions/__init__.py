"""Questions about patterns and automata, answered by Z3: yes or no with an example, or unknown."""

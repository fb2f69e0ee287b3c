"""What the paper claims of complex event logic and complex event automata."""

"""Constructions on complex event automata, one module each; published ones that are wrong stand beside."""

"""Decisions about complex event automata: three-valued, with witnesses that were checked by running."""

"""Constructions on register match automata: translation of core-CEPL, closure, determinization."""

"""Automata with registers: their definitions, constructions, execution and drawing."""

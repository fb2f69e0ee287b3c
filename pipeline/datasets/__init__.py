"""The papers' data sets: generated streams like them, and the public originals."""

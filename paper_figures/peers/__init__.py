"""The same patterns over the same bytes in other complex event systems."""

"""What can be wrong with a request for a drawing."""

from mnemata.theory.errors import MnemataError


class DrawingError(MnemataError, ValueError):
    """A drawing was asked for in a way that cannot be honoured; the message says what would be right."""

"""What a peer's language cannot say."""

from __future__ import annotations

from mnemata.theory.errors import UnsupportedError


class InexpressibleError(UnsupportedError):
    """A pattern uses a construct that the language of a peer does not have.

    Parameters
    ----------
    language : str
        The language, for the reader.
    construct : str
        What it cannot say.
    """

    def __init__(self, language: str, construct: str) -> None:
        self.language, self.construct = language, construct
        super().__init__(f"{language} cannot express {construct}")

    def __reduce__(self) -> tuple[type[InexpressibleError], tuple[str, str]]:
        return type(self), (self.language, self.construct)

"""An import hook that serves a broken source in place of the one on disk."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType

from mnemata.proofs.mutation.mutant import Mutant
from mnemata.theory.errors import EnvironmentProblem


def install(mutant: Mutant) -> None:
    """From now on in this process, importing the module of a mutant gives the mutant.

    Raises
    ------
    EnvironmentProblem
        The module was imported before; whoever has it would go on with the unbroken one.
    """
    if mutant.qualified in sys.modules:
        raise EnvironmentProblem(
            f"{mutant.module} is imported already; a mutant needs a process in which it is not"
        )
    sys.meta_path.insert(0, _Finder(mutant))


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._mutant.qualified:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(fullname, path, target) for finder in others)), None)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(self._mutant, fullname, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, mutant: Mutant, fullname: str, path: str) -> None:
        super().__init__(fullname, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType | None:
        """Compiled anew each time: neither read from the cache of compiled modules nor left there."""
        source = self.get_source(fullname)
        return None if source is None else self.source_to_code(self._mutant.applied(source), self.path)

"""Modules that are not in the browser yet: their import asks for the pack they come in."""

import sys
from collections.abc import Callable, Iterable

from figures.laboratory import imports


class PackNeeded(BaseException):
    """Not an Exception, so that `except ImportError` in the reader's code does not swallow it."""

    def __init__(self, pack: str) -> None:
        super().__init__(pack)
        self.pack = pack


class PackFinder:
    """Last in `sys.meta_path`: is asked only about modules that nobody else has found."""

    def __init__(self, provides: dict[str, Iterable[str]]) -> None:
        self.packs = {pack: frozenset(names) for pack, names in provides.items()}
        self.report: Callable[[str], None] = lambda pack: None

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        pack = self.pack_of(name)
        if pack is not None:
            self.report(pack)
            raise PackNeeded(pack)

    def pack_of(self, name: str) -> str | None:
        prefixes = {name[:end] for end in (*_dots(name), len(name))}
        fits = (pack for pack, names in self.packs.items() if not prefixes.isdisjoint(names))
        return next(fits, None)

    def installed(self, pack: str) -> None:
        del self.packs[pack]
        _look_again()


_finder = PackFinder({})


def install(provides: dict[str, Iterable[str]]) -> None:
    """Watch for imports of what the packs provide; a second call changes nothing."""
    if _finder not in sys.meta_path:
        _finder.packs = {pack: frozenset(names) for pack, names in provides.items()}
        sys.meta_path.append(_finder)
        _look_again()


def installed(pack: str) -> None:
    _finder.installed(pack)


def needed(code: str) -> list[str]:
    """Packs without which a program would stop half-way, as far as its text tells."""
    return sorted({pack for name in imports.mentioned(code) if (pack := _finder.pack_of(name))})


def report_to(listener: Callable[[str], None]) -> None:
    """Tell at once of a pack that is asked for, even if the program hides the request."""
    _finder.report = listener


def _look_again() -> None:
    """Folders have new files. (importlib.invalidate_caches() would import half of `email`.)"""
    for finder in sys.path_importer_cache.values():
        if hasattr(finder, "invalidate_caches"):
            finder.invalidate_caches()


def _dots(name: str) -> list[int]:
    return [position for position, letter in enumerate(name) if letter == "."]

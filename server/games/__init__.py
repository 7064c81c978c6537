"""The rulesets, one file per family, found by discovery: a new file here (or a registered class) is a new game."""

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeGuard

from server.core.position import Position
from server.core.rules import Rules
from server.errors import GameError

_registry: dict[str, Rules] = {}
_earlier: dict[tuple[str, int], Rules] = {}


def register(cls: type[Rules]) -> type[Rules]:
    """Make a ruleset known under its key; a class decorator for rulesets that live elsewhere (tests, plug-ins).

    Of two versions of one ruleset the higher is played, the lower judges what was played under it. Raises ValueError
    where two rulesets claim one key and version.
    """
    known = _registry.get(cls.key)
    if known is None or known.version < cls.version:
        if known is not None:
            _earlier[known.key, known.version] = known
        _registry[cls.key] = cls()
    elif known.version > cls.version:
        _earlier.setdefault((cls.key, cls.version), cls())
    elif type(known) is not cls:
        raise ValueError(f"two rulesets are called {cls.key}")
    return cls


def unregister(key: str) -> None:
    """Forget a ruleset that was registered from elsewhere; its attempts can no longer be opened."""
    _registry.pop(key, None)


def _is_ruleset(thing: object) -> TypeGuard[type[Rules]]:
    return inspect.isclass(thing) and issubclass(thing, Rules) and "key" in vars(thing)


@cache
def _discover() -> None:
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for cls in vars(module).copy().values():
            if _is_ruleset(cls) and cls.__module__ == module.__name__:
                register(cls)


def rulesets() -> Mapping[str, Rules]:
    """Every known ruleset by key, in order of family file and definition."""
    _discover()
    return MappingProxyType(_registry)


def ruleset(key: str, version: int | None = None) -> Rules:
    """The ruleset of a key, at a version where one is given. Raises ``ruleset/unknown``."""
    _discover()
    rules = _registry.get(key)
    if rules is not None and version is not None and rules.version != version:
        rules = _earlier.get((key, version))
    if rules is None:
        raise GameError("ruleset/unknown", "no such ruleset")
    return rules


def winnable(key: str, piles: Mapping[str, tuple[int, ...]]) -> bool | None:
    """The patient ``winnable`` of the piles that a player sees; made for worker processes, so all of it pickles.

    Raises ``ruleset/unknown``.
    """
    return ruleset(key).winnable(Position(piles), {}, patient=True)

"""The rulesets, one file per family, found by discovery: a new file here (or a registered class) is a new game."""

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeGuard

from server.core.rules import Rules
from server.errors import GameError

_registry: dict[str, Rules] = {}


def register(cls: type[Rules]) -> type[Rules]:
    """Make a ruleset known under its key; a class decorator for rulesets that live elsewhere (tests, plug-ins)."""
    known = _registry.get(cls.key)
    if known is not None and type(known) is not cls:
        raise ValueError(f"two rulesets are called {cls.key}")
    _registry[cls.key] = known or cls()
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


def ruleset(key: str) -> Rules:
    """The ruleset of a key. Raises ``ruleset/unknown``."""
    _discover()
    try:
        return _registry[key]
    except (KeyError, TypeError):
        raise GameError("ruleset/unknown", "no such ruleset") from None

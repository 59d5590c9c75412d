"""Registries of extension points (dialects, operators, providers) that find their entries by import."""

import importlib
import importlib.util
import os
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from harness.errors import HarnessError

PLUGINS = "ORACLE_FACTORY_PLUGINS"
"""The environment variable that names modules with further entries, separated by commas: every process reads it."""


class NamedEntry(Protocol):
    """An entry of a registry."""

    @property
    def name(self) -> str:
        """Return the entry's unique name."""


Entry = TypeVar("Entry", bound=NamedEntry)


@dataclass(slots=True)
class Registry(Generic[Entry]):
    """The entries that the modules of one package, and those named in `$ORACLE_FACTORY_PLUGINS`, register when imported.

    Modules are imported in sorted order on first use, plugins last, so the order of entries is stable.
    """

    package: str
    _entries: dict[str, Entry] = field(default_factory=dict)
    _loaded: bool = False

    def add(self, entry: Entry) -> Entry:
        """Register an entry; a second entry of the same name is a programming error."""
        if not self._loaded and os.environ.get(PLUGINS):
            self.load()  # a plugin that another registry imports first comes after the package all the same
        if entry.name in self._entries:
            raise ValueError(f"{self.package}: {entry.name!r} is registered twice")
        self._entries[entry.name] = entry
        return entry

    def load(self) -> None:
        """Import every module of the package, and every plugin, once; errors as in `plugin_files`."""
        if self._loaded:
            return
        self._loaded = True
        package = importlib.import_module(self.package)
        for module in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
            importlib.import_module(f"{self.package}.{module}")
        for plugin in plugin_files():
            importlib.import_module(plugin)

    def __iter__(self) -> Iterator[Entry]:
        self.load()
        return iter(self._entries.values())

    def get(self, name: str) -> Entry | None:
        """Return the entry of that name, if there is one."""
        self.load()
        return self._entries.get(name)

    def require(self, name: str) -> Entry:
        """Return the entry of that name or raise `HarnessError` naming the known ones."""
        entry = self.get(name)
        if entry is None:
            raise HarnessError(f"{name!r} is not known to {self.package}; known: {', '.join(sorted(self._entries))}")
        return entry


def plugin_files() -> dict[str, Path]:
    """Return the file of each module that `$ORACLE_FACTORY_PLUGINS` names, in the order given, or raise a `HarnessError` if there is none."""
    files: dict[str, Path] = {}
    for name in filter(None, map(str.strip, os.environ.get(PLUGINS, "").split(","))):
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            spec = None
        if spec is None or spec.origin is None:
            message = f"{PLUGINS} names {name!r}: expected a module that can be imported; put its folder on PYTHONPATH"
            raise HarnessError(message)
        files[name] = Path(spec.origin)
    return files

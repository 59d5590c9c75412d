"""Tests of the registry: entries are discovered without a list, in a stable order, each exactly once."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.program import dialects
from harness.program.dialect import DIALECTS
from harness.registry import PLUGINS, Registry

FILES = sorted(
    path.stem.replace("_", "-") for path in Path(dialects.__file__).parent.glob("*.py") if path.stem != "__init__"
)


@dataclass(frozen=True)
class Entry:
    """Something with a name."""

    name: str


def test_a_second_entry_of_a_name_is_an_error() -> None:
    """Two modules that claim one name are told apart at once."""
    registry: Registry[Entry] = Registry("harness.program.dialects")
    registry.add(Entry("x"))
    with pytest.raises(ValueError, match="'x' is registered twice"):
        registry.add(Entry("x"))


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    """The error on an unknown name lists the known names."""
    with pytest.raises(HarnessError, match=rf"'x' is not known to .*; known: {', '.join(FILES)}"):
        DIALECTS.require("x")


def test_a_plugin_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable, the module and what to do."""
    monkeypatch.setenv(PLUGINS, "no_such_entries")
    registry: Registry[Entry] = Registry("harness.program.dialects")
    with pytest.raises(HarnessError, match="ORACLE_FACTORY_PLUGINS names 'no_such_entries': expected a module"):
        registry.load()

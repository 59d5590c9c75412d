"""A pytest plugin, `-p tests.processor_time` with `-n0`: the processor seconds of each folder and of the costliest tests, their processes included."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

SHOWN = int(os.environ.get("SHOWN", "20"))
_SECONDS: defaultdict[str, float] = defaultdict(float)


def _used() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _costliest(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda entry: -entry[1])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Count what a test uses, with the fixtures that it is the first to need."""
    before = _used()
    try:
        return (yield)
    finally:
        _SECONDS[item.nodeid] += _used() - before


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sums of folders and the costliest tests; what is left of the whole is imports and collection."""
    folders: defaultdict[str, float] = defaultdict(float)
    items: defaultdict[str, int] = defaultdict(int)
    for name, seconds in _SECONDS.items():
        folder = "/".join(Path(name.partition("::")[0]).parts[:2])
        folders[folder] += seconds
        items[folder] += 1
    terminalreporter.section("processor seconds")
    terminalreporter.write_line(f"{_used():6.1f}  the whole session")
    for folder, seconds in _costliest(folders):
        terminalreporter.write_line(f"{seconds:6.1f}  {items[folder]:4} tests  {folder}")
    for name, seconds in _costliest(_SECONDS)[:SHOWN]:
        terminalreporter.write_line(f"{seconds:6.1f}  {name}")

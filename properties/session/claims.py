"""The claims of the suites as items of pytest: their ids, their stage, and how a verdict ends an item."""

import functools
import zlib
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression  # pytest has no public way to ask what -m selects

from harness.domain import Status, Verdict
from harness.paths import ROOT, given_paths
from harness.stages import STAGES
from harness.text.characters import one_line

SUITES = {ROOT / stage.suite: stage.name for stage in STAGES if stage.suite}
"""The stage whose claims a module's items are."""


class Finding(AssertionError):
    """A refuted claim: the product's result, not a defect of the machinery."""


def require(verdict: Verdict) -> None:
    """Pass on CONFIRMED, xfail on UNKNOWN, fail as a finding on REFUTED."""
    if verdict.status is Status.CONFIRMED:
        return
    if verdict.status is Status.UNKNOWN:
        pytest.xfail(verdict_line(verdict))
    raise Finding(verdict_line(verdict))


def verdict_line(verdict: Verdict) -> str:
    """Return a verdict as one printable line of at most 300 characters."""
    return one_line(": ".join(filter(None, (verdict.status.name, verdict.method, verdict.reason))), limit=300)


def selected(metafunc: pytest.Metafunc) -> bool:
    """Tell whether -m may select the test, so that tens of thousands of unselected claims need no items."""
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    expression = metafunc.config.option.markexpr
    try:
        return not expression or Expression.compile(expression).evaluate(lambda name, /, **_: name in marks)
    except SyntaxError:  # pytest itself reports the error
        return False


def item_id(*parts: str) -> str:
    """Return an id for a test item: printable ASCII, at most 150 characters, problem first."""
    text = ":".join([parts[0], "~".join(parts[1:])])
    clean = "".join(character if "!" <= character <= "~" else f"\\u{ord(character):04x}" for character in text)
    return clean if len(clean) <= 150 else f"{clean[:130]}...{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


@functools.cache
def stage_of(module: Path) -> str | None:
    """Return the stage whose claims the items of a module are; a module of that name elsewhere is another."""
    return SUITES.get(module.resolve())


def module_of(config: pytest.Config, item: str) -> Path:
    """Return the module of an item's id, whose path begins at the root of the session, or outside of it at what the session was given."""
    return _module(item.partition("::")[0], config.rootpath, tuple(config.args), packages=config.option.pyargs)


@functools.cache
def _module(name: str, root: Path, arguments: tuple[str, ...], *, packages: bool) -> Path:
    bases = (root, *given_paths(arguments, packages=packages))
    return next((path for path in (base / name for base in bases) if stage_of(path)), root / name).resolve()


def is_claim(config: pytest.Config, item: str) -> bool:
    """Tell whether the item of an id is a claim."""
    return stage_of(module_of(config, item)) is not None


def is_worker(config: pytest.Config) -> bool:
    """Tell whether this process is an xdist worker."""
    return hasattr(config, "workerinput")

"""A session of pytest on the suites: its claims as items, its options as the settings of a run, and its findings and gate."""

from __future__ import annotations

import contextlib
import functools
import math
import shlex
import zlib
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.mark.expression import Expression  # pytest has no public way to ask what -m selects

from harness.command_line.runnable_commands import runnable
from harness.command_line.session_options import REPRODUCTION_DEFAULTS, reproduction_options
from harness.corpora.problems import answers_of
from harness.domain import Status, Verdict
from harness.errors import HarnessError
from harness.paths import ROOT, given_paths
from harness.stages import STAGES
from harness.store.run_folder import held_lock
from harness.text.characters import one_line
from harness.text.nouns import counted

if TYPE_CHECKING:
    from properties.engine.inputs import RunSettings, SessionInputs

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


FILES = ("formalizations", "labels", "solutions", "smt_problems")
LOCKS = pytest.StashKey[ExitStack]()
LONGEST_MESSAGE = 2_000


@contextlib.contextmanager
def usage_errors() -> Generator[None]:
    """Report what cannot be used as a usage error of pytest, on one line."""
    try:
        yield
    except HarnessError as error:
        raise pytest.UsageError(one_line(str(error), limit=LONGEST_MESSAGE)) from None


def settings_of(config: pytest.Config) -> RunSettings:
    """Return the settings that the options give; a weight that is no finite number, or a corpus without formalizations, raises a `HarnessError`."""
    from oracles.consensus.confidence_score import ConsensusWeights  # sessions without a stage do not import them
    from properties.engine.inputs import RunSettings

    given = {name: config.getoption(f"harness_{name}") for name in REPRODUCTION_DEFAULTS if name not in {"run", "runs"}}
    weights, bonus = _numbers("weights", given["weights"]), _numbers("bonus", given.pop("bonus"))
    if len(weights) != 2:
        raise HarnessError(f"--harness-weights {given['weights']!r}: expected two numbers such as 0.7,0.3")
    # Solutions, labelled or not, need no formalization: a session that names no formalizations judges them only.
    if not given["formalizations"] and not given["labels"] and not given["solutions"]:
        how = "name a file by --harness-formalizations PATH, or compile its annotated solutions by --harness-formalizations annotation"
        given["formalizations"] = answers_of(given["corpus"], how)
    given |= {name: tuple(given[name]) for name in FILES}
    given["family"] = tuple(given["family"])
    given["weights"] = ConsensusWeights(weights[0], weights[1], bonus)
    given["strict"] = given["strict"] == "yes"
    given["min_confidence"] = given["min_confidence"] or 0.0
    return RunSettings(**given)


def _numbers(option: str, text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(map(float, text.split(",")))
    except ValueError:
        numbers = ()
    if not numbers or not all(0 <= number < math.inf for number in numbers):
        raise HarnessError(f"--harness-{option} {text!r}: expected numbers separated by commas, none below zero")
    return numbers


def require_files(config: pytest.Config) -> None:
    """Check, before any worker starts, that all files which the options name exist; a `pytest.UsageError` names each that is missing."""
    from generators.formalizations.annotation_compiler import MODEL  # sessions without a stage do not import it

    corpus, mistakes = config.getoption("harness_corpus"), list[str]()
    named = corpus.partition("=")[2] or corpus
    if not corpus.startswith(("mini", "gsm8k:")) and not Path(corpus).exists() and not Path(named).exists():
        mistakes.append(
            f"--harness-corpus {corpus!r}: no such file; give a file of JSON lines, Parquet or Arrow, a folder of such files, mini, gsm8k:train or gsm8k:test"
        )
    for option in FILES:
        for name in config.getoption(f"harness_{option}"):
            if not Path(name).exists() and not (option == "formalizations" and name == MODEL):
                mistakes.append(f"--harness-{option.replace('_', '-')} {name!r}: no such file")
    excluded = config.getoption("harness_exclude")
    if excluded is not None and not Path(excluded).is_file():
        mistakes.append(f"--harness-exclude {excluded!r}: no such file")
    if mistakes:
        raise pytest.UsageError(one_line("; ".join(mistakes), limit=LONGEST_MESSAGE))


def hold_run(config: pytest.Config, inputs: SessionInputs) -> None:
    """Hold the lock of the run until the session ends; a run that another process works on raises a `HarnessError`."""
    if LOCKS not in config.stash:
        config.stash[LOCKS] = locks = ExitStack()
        config.add_cleanup(locks.close)
        locks.enter_context(held_lock(inputs.run.folder, inputs.options.run))


SHOWN_FINDINGS = 15
LONGEST_REASON = 2_000


def is_finding(report: pytest.TestReport) -> bool:
    """Tell whether a report is on a refuted claim."""
    return bool(getattr(report, "harness_finding", False))


def write_findings(
    terminal: pytest.TerminalReporter, findings: Sequence[pytest.TestReport], *, sealed: bool, listed: bool
) -> None:
    """Write the first findings, a line each, if they are `listed`, and the command that reproduces one; `sealed` tells that files hold them all."""
    if listed:
        terminal.section(counted(len(findings), "finding"), sep="-")
        for report in findings[:SHOWN_FINDINGS]:
            terminal.write_line(f"{report.nodeid.partition('::')[2]} {report.longrepr}")
    if listed and len(findings) > SHOWN_FINDINGS:
        more = f"… and {len(findings) - SHOWN_FINDINGS} more"
        terminal.write_line(f"{more}, in verdicts.jsonl and the report" if sealed else more)
    item = findings[0].nodeid
    module = module_of(terminal.config, item)
    if module.is_relative_to(ROOT):
        item = f"{module.relative_to(ROOT)}::{item.partition('::')[2]}"
    command = shlex.join(["pytest", "-n0", *reproduction_options(terminal.config), item])
    terminal.write_line(f"reproduce one: {runnable(command)}")


def count_findings(terminal: pytest.TerminalReporter, findings: Sequence[pytest.TestReport]) -> None:
    """Let pytest's last line count findings that fail nothing as findings, not as failures."""
    name = "finding, not a failure" if len(findings) == 1 else "findings, not failures"
    terminal.stats[name] = list(findings)
    terminal._set_main_color()  # noqa: SLF001  # which also reads what there is to count


def write_gate(terminal: pytest.TerminalReporter, failures: list[str], *, minimum: float | None, findings: int) -> None:
    """Write why the gate fails the session of so many `findings`, or its condition; `minimum` is `None` if the session does not pass."""
    gate = terminal.config.getoption("harness_gate")
    if gate != "findings" and minimum is not None:
        asked = f"every problem's confidence is at least {minimum:g}; " if gate == "consensus" else ""
        terminal.write_line(f"gate {gate}: {asked}findings do not fail this session")
    elif gate == "findings" and findings and not failures:
        by_design = f"gate findings: {counted(findings, 'finding')} fail this session by design"
        terminal.write_line(f"{by_design}; --harness-gate=consensus asks for oracles only", red=True)
    for line in failures:
        terminal.write_line(f"harness: {one_line(line, limit=LONGEST_REASON)}", red=True)


@dataclass(slots=True)
class ReporterStream:
    """The terminal of pytest as a stream; output that is captured while a test runs is not written to it."""

    reporter: pytest.TerminalReporter

    def isatty(self) -> bool:
        """Tell whether it is an interactive terminal."""
        return bool(self.reporter.isatty) and self.reporter.hasmarkup

    def write(self, text: str) -> None:
        """Write a state of the line, or a whole line."""
        if not self.isatty():
            self.reporter.ensure_newline()
        self.reporter.write(text)

    def flush(self) -> None:
        """Let the terminal show what was written."""
        self.reporter.flush()

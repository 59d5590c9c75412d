"""The findings and the gate of a session in the terminal, in pytest's counts, and in the JUnit XML."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from harness.command_line.runnable_commands import runnable
from harness.command_line.session_options import reproduction_options
from harness.paths import ROOT
from harness.text.characters import one_line
from harness.text.nouns import counted
from properties.session.claims import module_of

SHOWN_FINDINGS = 15
LONGEST_REASON = 2_000


def is_finding(report: pytest.TestReport) -> bool:
    """Tell whether a report is on a refuted claim."""
    return bool(getattr(report, "harness_finding", False))


def write_findings(
    terminal: pytest.TerminalReporter,
    config: pytest.Config,
    findings: Sequence[pytest.TestReport],
    *,
    sealed: bool,
    listed: bool,
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
    module = module_of(config, item)
    if module.is_relative_to(ROOT):
        item = f"{module.relative_to(ROOT)}::{item.partition('::')[2]}"
    command = shlex.join(["pytest", "-n0", *reproduction_options(config), item])
    terminal.write_line(f"reproduce one: {runnable(command)}")


def count_findings(terminal: pytest.TerminalReporter, findings: Sequence[pytest.TestReport]) -> None:
    """Let pytest's last line count findings that fail nothing as findings, not as failures."""
    name = "finding, not a failure" if len(findings) == 1 else "findings, not failures"
    terminal.stats[name] = list(findings)
    terminal._set_main_color()  # noqa: SLF001  # which also reads what there is to count


def write_gate(
    terminal: pytest.TerminalReporter,
    config: pytest.Config,
    failures: list[str],
    *,
    minimum: float | None,
    findings: int,
) -> None:
    """Write why the gate fails the session of so many `findings`, or its condition; `minimum` is `None` if the session does not pass."""
    gate = config.getoption("harness_gate")
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

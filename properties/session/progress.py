"""The progress of a session of pytest: problems done of all, findings so far, and the time left, in place of a letter for each claim."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from harness.store.stage_progress import StageProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable


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


@dataclass(eq=False, slots=True)
class ClaimProgress:
    """Counts the claims of a session as their reports arrive, in the process that controls it; a problem is done with its last claim.

    It is a plugin of the session; `problem_of` takes the id of an item and returns the problem of its claim, `None` if
    the item is no claim.
    """

    reporter: pytest.TerminalReporter
    problem_of: Callable[[str], str | None]
    _left: Counter[str] = field(default_factory=Counter)
    _claims: int = 0
    _done: int = 0
    _ended: bool = False
    _progress: StageProgress = field(init=False)

    def __post_init__(self) -> None:
        self._progress = StageProgress("judging", ReporterStream(self.reporter), work="claims")  # type: ignore[arg-type]  # what a progress asks of a stream

    def begin(self, items: Iterable[str]) -> None:
        """Take the ids of the session's items."""
        self._left = Counter(problem for problem in map(self.problem_of, items) if problem is not None)
        self._claims = self._left.total()
        self._progress.began(len(self._left))

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self, report: pytest.TestReport, config: pytest.Config) -> Generator[None, Any, Any]:
        """Print no letter for a claim while claims are judged, except in verbose mode; the summary names them as usual."""
        status = yield
        if self._ended or config.getoption("verbose") > 0 or self.problem_of(report.nodeid) is None:
            return status
        return status[0], "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the report on a claim; a claim whose set-up failed has no other."""
        ended = report.when == "call" or (report.when == "setup" and report.failed)
        problem = self.problem_of(report.nodeid) if ended else None
        if problem is not None:
            self._done += 1
            self._left[problem] -= 1
            finding = bool(getattr(report, "harness_finding", False))
            share = self._done / (self._claims or 1)
            self._progress.advanced(self._left[problem] == 0, findings=finding, share=share)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Remove the line."""
        self._ended = True
        self._progress.cleared()
        return (yield)

"""A session of pytest says how many problems are done of all, whatever the number and the order of the claims on them."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from harness.paths import ROOT
from harness.store.stage_progress import StageProgress
from properties.session.claims import item_id, problem_of
from properties.session.progress import ClaimProgress

if TYPE_CHECKING:
    import random

SUITE = "properties/test_formalization.py::test_ut3"


@dataclass
class Reporter:
    """A terminal reporter that keeps what is written, line by line."""

    isatty: bool = False
    hasmarkup: bool = False
    kept: io.StringIO = field(default_factory=io.StringIO)

    def write(self, text: str) -> None:
        """Keep a text."""
        self.kept.write(text)

    def ensure_newline(self) -> None:
        """Do nothing: every text is a line."""

    def flush(self) -> None:
        """Do nothing."""


@dataclass
class Report:
    """The report on a judged claim."""

    nodeid: str
    harness_finding: bool = False
    when: str = "call"
    failed: bool = False


def shown(problems: dict[str, int], order: list[int], findings: set[int]) -> list[str]:
    """Return the lines of a session of so many claims on each problem, whose reports arrive in an order."""
    ids = [
        f"{SUITE}[{item_id(problem, str(number), 'x:y')}]"
        for problem, count in problems.items()
        for number in range(count)
    ]
    names = {item_id(problem)[:-1] for problem in problems}
    reporter: Any = Reporter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.store.stage_progress.SHORT", 0.0)
        patch.setattr("harness.store.stage_progress.APART_IN_A_FILE", 0.0)
        progress = ClaimProgress(reporter, functools.partial(problem_of, ROOT, names))
        progress.begin([*ids, "tests/test_other.py::test_other[a:b]"])
        for place in order:
            progress.pytest_runtest_logreport(Report(ids[place % len(ids)], place in findings))  # type: ignore[arg-type]  # a report's part
        progress.pytest_runtest_logreport(Report("tests/test_other.py::test_other[a:b]"))  # type: ignore[arg-type]  # as above
    return [line.partition(", 0 s")[0] for line in reporter.kept.getvalue().splitlines()]


names = st.text(alphabet="ab:~[]é -", min_size=1, max_size=8) | st.just("long" * 60)


@given(st.dictionaries(names, st.integers(1, 4), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_in_the_end_every_problem_is_done(problems: dict[str, int], chance: random.Random) -> None:
    """Whatever the ids of the problems and the order of the reports, all are done after the last one, and none more than once."""
    order = list(range(sum(problems.values())))
    chance.shuffle(order)
    last = shown(problems, order, set(order))[-1].split()
    assert last[1] == last[3] != "0"
    assert last[5:9] == ["100%", "of", "their", "claims,"]
    assert last[9:] == [str(len(order)), "findings" if len(order) > 1 else "finding"]


def test_progress_in_a_file() -> None:
    """Elsewhere than on a terminal there is a line every fifteen seconds; estimates leave out the time of preparing, the end counts it."""
    now, stream = [0.0], io.StringIO()
    progress = StageProgress("mutation", stream, lambda: now[0], lambda: 1.5 * now[0])
    now[0] = 40.0
    progress.began(200)
    for _ in range(20):
        now[0] += 1.0
        progress.advanced(10)
    progress.ended("sealed")
    assert stream.getvalue().splitlines() == [
        "mutation: 150 of 200 problems (75%), 15 s, ETA 5 s",
        "mutation: sealed, 1 min 0 s, 1 min 30 s of CPU",
    ]

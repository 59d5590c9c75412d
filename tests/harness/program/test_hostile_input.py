"""Tests of hostile responses: each ends in a value or a typed reason, without a hang, a crash or exhausted memory."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from harness.domain import Problem, Response, Status
from harness.program.dialect import DIALECTS
from harness.program.lifter import Candidate, read_candidate
from harness.program.refusal import RefusalReason
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.gold_answer_screening import screen
from tests.cases import cases, lines_beside

LIMIT = 5.0
MOST_GROWTH = 300_000  # KiB


ROWS: dict[str, dict[str, Any]] = {row["name"]: row for row in lines_beside(__file__, "hostile_replies.jsonl")}
"""By what it is, a reply: a text, or its parts, each a text or one with how many times it stands there; some are forbidden."""


def repeated(part: str | list[Any]) -> str:
    """Return a part of a reply."""
    return part if isinstance(part, str) else str(part[0]) * int(part[1])


HOSTILE = {
    **{name: "".join(map(repeated, row["text"])) for name, row in ROWS.items()},
    "many parameters": "".join(f"p{number} = {number}\n" for number in range(7_000)) + "ans = p1\n",
    "deep ifs": "".join(f"{' ' * depth}if 1:\n" for depth in range(95)) + " " * 95 + "ans = 1\n",
}


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` where the block works longer, by the processor's clock: a hang is then one failed test."""

    def interrupt(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_settled(candidate: Candidate) -> bool:
    """Tell whether a candidate has a value, the name of an exception, or a reason that begins with its kind."""
    if candidate.outcome is not None:
        return candidate.reason is None and (candidate.outcome.value is None) is not (candidate.outcome.error is None)
    return candidate.reason is not None and candidate.reason.partition(":")[0] in set(RefusalReason)


@pytest.fixture(scope="module")
def memory_before() -> int:
    """Return what this process has held at most before any of the texts is read, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@cases("case", HOSTILE)
def test_hostile_text_ends_in_a_value_or_a_reason(memory_before: int, case: str) -> None:
    """Within seconds there is an exact value, an exception's name, or a typed reason; it is shown, and not refuted against itself.

    What must never run is forbidden, and no program; all texts together take less than 300 MB on top of what the tests hold.
    """
    with limited(LIMIT):
        candidate = read_candidate(Response("p", "m", HOSTILE[case]))
    with limited(LIMIT):
        verdict = screen(Problem("p", "", "#### 72", "72"), candidate)
    assert (is_settled(candidate), verdict.status) == (True, Status.REFUTED)
    with limited(3 * LIMIT):
        inputs = () if candidate.program is None else candidate.program.parameters[:8]
        alignment = align(inputs, inputs, lambda left, right: float(left == right))
        assert EquivalenceJudge("p").judge(candidate, candidate, alignment).status is not Status.REFUTED
    if ROWS.get(case, {}).get("forbidden"):
        assert (candidate.program, str(candidate.reason).partition(":")[0]) == (None, RefusalReason.FORBIDDEN)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory_before < MOST_GROWTH


EXAMPLES = tuple(text for dialect in DIALECTS for text in dialect.examples)
PIECES = (
    *"([{}\"'\\\n#:,=x-\ud800\0",
    *(")", "    ", "```", "**", "//", "9" * 30, "0.1e400", "if a:", "while 1:", "return ", "None", "[]", "lambda:"),
    *("*a", "not "),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Cut, repeat and insert pieces at random places of a real formalization."""
    text = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 20)))
        new = draw(st.one_of(st.sampled_from(PIECES), st.just(text[start:end] * 2), st.just(""), st.text(max_size=3)))
        text = text[:start] + new + text[end:]
    return text


@given(st.text(max_size=200) | mutated())
@settings(max_examples=1500)
@example("a = [b\n")
def test_any_text_and_any_mutated_formalization_is_settled(text: str) -> None:
    """Arbitrary text, and a real formalization whatever changes it suffers, is read without an exception."""
    assert is_settled(read_candidate(Response("p", "m", text)))

"""Benchmark of the audit of edited texts: false objections, detected errors and time.

`python -m benchmarks.edited_audit FILE` reads another file of candidates, the `conceptual.jsonl` of a mutation stage.
"""

from __future__ import annotations

import json
import re
import sys
import time
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from harness.domain import Problem, Response
from harness.text.numbers import mentions
from oracles.labels.edits.audit import audit_edit
from oracles.labels.edits.candidate import subject_of
from oracles.labels.edits.findings import EditFindingKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from oracles.labels.edits.candidate import ReviewCandidate
    from oracles.labels.edits.findings import EditFinding

    Typed = tuple[int, str] | None

MINI = Path(__file__).parents[1] / "corpora" / "mini"
MOST = 5_000
SEED = 5
_STILL = re.compile(r"the words still say (['\"])(.*)\1", re.DOTALL)
_BETWEEN = re.compile(r"(?<=[a-z]) (?=[a-z])")
_SIGN = re.compile(r"(?<=\d)[-+*/](?=\d)")


@dataclass(slots=True)
class AuditCounts:
    """How many texts were audited, how many as they should be, and the seconds of processor time that each took."""

    texts: int = 0
    right: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, seconds: float, *, right: bool) -> None:
        """Count one more."""
        self.texts += 1
        self.right += right
        self.seconds.append(seconds)

    def row(self, name: str) -> str:
        """Return a row of the table."""
        ordered = sorted(self.seconds)
        middle, late = (1_000 * ordered[len(ordered) * part // 100] for part in (50, 95))
        return f"| {name} | {self.texts:,} | {self.right:,} | {middle:.1f} ms | {late:.1f} ms |"


def measure(_data: Path) -> str:
    """Audit texts of all candidates of the bundled corpus and return the figures as Markdown."""
    head = ["## Audit of edited texts", "", "    python -m benchmarks edited_audit", ""]
    return "\n".join([*head, _table(_bundled())])


def _bundled() -> Iterator[dict[str, Any]]:
    """Yield what the operators make of the bundled corpus."""
    from properties.stages.certified_flaws import make  # loads every operator, which a file of candidates needs not

    problems = {problem["problem_id"]: problem for problem in _lines(MINI / "problems.jsonl")}
    for said in _lines(MINI / "formalizations.jsonl"):
        if said["model"] == "birch":
            problem = problems[said["problem_id"]]
            solution, _, gold = problem["answer"].rpartition("####")
            whole = Problem(said["problem_id"], problem["question"], solution.strip(), gold.strip(), problem["tier"])
            yield from make(whole, [Response(said["problem_id"], "birch", said["response"])], seed=0).records


def _table(records: Iterable[dict[str, Any]]) -> str:
    random, tallies = Random(SEED), {name: AuditCounts() for name in ("untouched", "told to lose words", *_TYPED)}
    for record in records:
        subject = subject_of(record)
        own = {match[2].lower() for edit in record["edits"] if (match := _STILL.fullmatch(edit))}
        found, seconds = _audited(record, subject, subject.lines)
        words = {finding.found.lower() for finding in found if finding.kind is EditFindingKind.STALE_WORD}
        tally = tallies["told to lose words" if own else "untouched"]
        tally.add(seconds, right=words == own and len(found) >= len(own) and bool(found) == bool(own))
        for name, (typed, expected) in _TYPED.items():
            mistake = None if own else typed(subject, random)
            if mistake is not None and mistake[1] != subject.lines[mistake[0]]:
                place, text = mistake
                found, seconds = _audited(record, subject, (*subject.lines[:place], text, *subject.lines[place + 1 :]))
                there = {finding.kind for finding in found if finding.where == subject.labels[place]}
                tallies[name].add(seconds, right=bool(there & expected) if expected else not found)
    head = "| typed | texts | judged right | median | 95th percentile |\n|---|---|---|---|---|"
    return "\n".join([head, *(tally.row(name) for name, tally in tallies.items() if tally.texts)])


def _audited(
    record: dict[str, Any], subject: ReviewCandidate, lines: tuple[str, ...]
) -> tuple[tuple[EditFinding, ...], float]:
    started = time.process_time()
    found = audit_edit(record, lines, subject.explanation)
    return found, time.process_time() - started


def _line(subject: ReviewCandidate, random: Random) -> int:
    """Return a line from the error on, the answer's left out."""
    last = max(len(subject.lines) - 2, 0)
    return random.randint(min(subject.place, last), last)


def _adjective(subject: ReviewCandidate, random: Random) -> Typed:
    if subject.place == len(subject.lines) - 1:
        return None
    place = _line(subject, random)
    gaps = [match.start() for match in _BETWEEN.finditer(subject.lines[place])]
    if not gaps:
        return None
    at, text = random.choice(gaps), subject.lines[place]
    return place, f"{text[:at]} {random.choice(['small', 'red', 'very', 'nice', 'local'])}{text[at:]}"


def _punctuation(subject: ReviewCandidate, random: Random) -> Typed:
    if subject.place == len(subject.lines) - 1:
        return None
    place = _line(subject, random)
    return place, f"Well, {subject.lines[place].rstrip('.')}{random.choice(['!', ', as we see.', '', ' …'])}"


def _number(subject: ReviewCandidate, random: Random, new: Callable[[int], str]) -> Typed:
    if subject.place == len(subject.lines) - 1:
        return None
    place = _line(subject, random)
    found = [mention for mention in mentions(subject.lines[place]) if mention.text.isdigit()]
    if not found:
        return None
    mention, text = random.choice(found), subject.lines[place]
    return place, f"{text[: mention.start]}{new(int(mention.text))}{text[mention.end :]}"


def _old_value(subject: ReviewCandidate, random: Random) -> Typed:
    old = [value for value in subject.stale if value >= 0 and value.denominator == 1]
    return _number(subject, random, lambda _: str(random.choice(old))) if old else None


def _sign(subject: ReviewCandidate, random: Random) -> Typed:
    place = _line(subject, random)
    found = list(_SIGN.finditer(subject.lines[place]))
    if not found or place < subject.place:
        return None
    match, text = random.choice(found), subject.lines[place]
    return (
        place,
        f"{text[: match.start()]}{random.choice([sign for sign in '+-*/' if sign != match[0]])}{text[match.end() :]}",
    )


_SAME = EditFindingKind.SAME_AS_CORRECT
_NUMBERS = frozenset(kind for kind in EditFindingKind if kind.endswith("-number")) | {_SAME}
_EQUATIONS = frozenset(kind for kind in EditFindingKind if kind.endswith("-equation")) | {_SAME}
_NOTHING: frozenset[EditFindingKind] = frozenset()
_TYPED: dict[str, tuple[Callable[[ReviewCandidate, Random], Typed], frozenset[EditFindingKind]]] = {
    "an adjective": (_adjective, _NOTHING),
    "other punctuation": (_punctuation, _NOTHING),
    "another number": (lambda subject, random: _number(subject, random, lambda own: str(own + 9)), _NUMBERS),
    "a number left out": (lambda subject, random: _number(subject, random, lambda _: ""), _NUMBERS),
    "an old value": (_old_value, frozenset({EditFindingKind.STALE_NUMBER, _SAME})),
    "another sign": (_sign, _EQUATIONS),
    "another answer": (lambda subject, _: (len(subject.lines) - 1, "#### 98765"), frozenset({EditFindingKind.ANSWER})),
}
"""What is typed, and which kinds of finding there have to be on its line; none where it is harmless."""


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    print(_table(islice(_lines(Path(sys.argv[1])), MOST)) if len(sys.argv) > 1 else measure(MINI))

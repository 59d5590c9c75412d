"""The answer of a verifier on a solution, and the interface of an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from harness.result_display import Result, Results
from harness.solution.labels import CORRECT, FLAWED, ErrorClass, ErrorType
from sft.samples.items import Item, UnreadLine, error_details

LONGEST_EXPLANATION = 600
LONGEST_FOUND = 300
LONGEST_ERROR = 200


@dataclass(frozen=True, slots=True)
class HintKind:
    """A kind of hint, declared by its module of evidence.

    `error_type` is the type of error that it speaks for. `sentence`
    explains the error, with `{where}`, `{found}` and `{expected}`; without one, a general sentence is used. `certainty` is
    the measured share of flawed solutions among those with such a hint, zero if a hint alone does not decide. `equation`
    marks the kind of false equations, which no engine outvotes where the audit certifies their line, `placed` kinds whose line is the place of the error.
    """

    name: str
    error_type: ErrorType
    sentence: str = ""
    certainty: float = 0.0
    placed: bool = True
    equation: bool = False

    def at(self, line: str, found: str, expected: str = "") -> Hint:
        """Return a hint of this kind on a line."""
        return Hint(line, self, found, expected)


@dataclass(frozen=True, slots=True)
class Hint:
    """An observation that speaks for an error: its line, its kind, the found text and the expected text.

    `found` and `expected` are short texts, `expected` may be empty.
    """

    line: str
    kind: HintKind
    found: str
    expected: str = ""

    def record(self) -> dict[str, str]:
        """Return the JSON form."""
        fields = {"line": self.line, "kind": self.kind.name, "found": self.found, "expected": self.expected}
        return {name: text[:LONGEST_FOUND] for name, text in fields.items()}


@dataclass(frozen=True, slots=True, repr=False)
class Judgement(Result):
    """A verifier's answer on one item.

    `confidence` is the engine's probability, from 0 to 1, that the verdict is right; `evidence` holds the deciding hints, those
    of the greatest weight first. `error_type` is `None` for an error of unknown kind; it, `line` and `explanation` are empty if the verdict is Correct, `correction`
    also where it is not known how the line should read. `valid` is false
    if a model's own answer did not satisfy the schema and was repaired. `unread` are the lines that were not read. `error` says
    why nothing could be judged; the verdict is then null, with confidence 0, and `flawed` is false. `prior` is the share of flawed
    solutions that the confidence assumes, `None` if the engine has none. `diagnosis` is the JSON form of the diagnosis by an oracle, with its
    certificate, `None` from other engines. `not_covered` says what the verdict Correct does not cover.
    """

    flawed: bool
    confidence: float
    error_class: ErrorClass | None = None
    error_type: ErrorType | None = None
    line: str = ""
    explanation: str = ""
    correction: str = ""
    evidence: tuple[Hint, ...] = ()
    valid: bool = True
    unread: tuple[UnreadLine, ...] = ()
    prior: float | None = None
    error: str = ""
    diagnosis: Mapping[str, Any] | None = None
    not_covered: str = ""

    def record(self) -> dict[str, Any]:
        """Return the JSON form: `verdict` and `error_details`, with `error_class`, `confidence` and `evidence`.

        The verdict is null and `error` is present if nothing was judged; an `error_type` may be `conceptual_error`, of unknown kind.
        """
        details = None
        if self.flawed and (self.error_type is not None or self.line):
            kind = str(self.error_type or self.error_class)
            alias = (self.error_type.alias or "") if self.error_type else ""
            explanation, correction = (text[:LONGEST_EXPLANATION] for text in (self.explanation, self.correction))
            details = error_details(kind, self.line, explanation, alias, correction)
        return {
            "verdict": None if self.error else FLAWED if self.flawed else CORRECT,
            "error_details": details,
            "error_class": None if self.error_class is None else str(self.error_class),
            "confidence": round(self.confidence, 4),
            "evidence": [hint.record() for hint in self.evidence],
            **({} if self.prior is None else {"prior": round(self.prior, 4)}),
            **({"unread": [line.record() for line in self.unread]} if self.unread else {}),
            **({"error": self.error[:LONGEST_ERROR]} if self.error else {}),
            **({} if self.diagnosis is None else {"diagnosis": dict(self.diagnosis)}),
            **({"not_covered": self.not_covered} if self.not_covered else {}),
        }

    @property
    def summary(self) -> str:
        """Return the verdict, its confidence, and the line and kind of the error."""
        if self.error:
            return f"not judged: {self.error}"
        kind = f"{self.line} {self.error_type or self.error_class or 'error'}, " if self.flawed else ""
        doubt = f"; not covered: {self.not_covered}" if self.not_covered else ""
        return f"{FLAWED if self.flawed else CORRECT}, {kind}{self.confidence:.2f}{doubt}"

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row of the verdict and the fields of the error."""
        kind = str(self.error_type or self.error_class or "")
        verdict = None if self.error else FLAWED if self.flawed else CORRECT
        row = {"verdict": verdict, "confidence": self.confidence, "line": self.line, "error_type": kind}
        row |= {"explanation": self.explanation, "correction": self.correction}
        return [{**row, "error": self.error, "not_covered": self.not_covered}]

    @classmethod
    def of_error(cls, error_type: ErrorType, line: str, explanation: str, confidence: float) -> Judgement:
        """Return the verdict Flawed, with the type and the line of the error and its explanation."""
        return cls(
            flawed=True,
            confidence=confidence,
            error_class=error_type.error_class,
            error_type=error_type,
            line=line,
            explanation=explanation,
        )

    @classmethod
    def unjudged(cls, reason: str) -> Judgement:
        """Return the judgement on an item that could not be judged, with the reason."""
        return cls(flawed=False, confidence=0.0, error=reason)


@dataclass(frozen=True, repr=False)
class Judgements(Results[Judgement]):
    """The judgements on several solutions, in their order."""

    judgements: tuple[Judgement, ...]

    @property
    def summary(self) -> str:
        """Return the counts of verdicts."""
        flawed, unjudged = sum(own.flawed for own in self), sum(bool(own.error) for own in self)
        doubts = ", ".join(dict.fromkeys(own.not_covered for own in self if own.not_covered))
        doubt = f"; Correct does not cover {doubts}" if doubts else ""
        return f"{len(self):,} solutions, {flawed:,} flawed, {unjudged:,} not judged{doubt}"


class Engine(Protocol):
    """A way to judge solutions."""

    @property
    def name(self) -> str:
        """Return the name of the engine, as `--engine` takes it."""

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order; an item that cannot be judged gets `Judgement.unjudged`, not an exception."""


@runtime_checkable
class ShareEstimator(Protocol):
    """An engine that estimates the share of flawed solutions of a batch."""

    def beside(self, proved: int) -> Engine:
        """Return the engine for solutions beside which so many of the same batch are proved to be flawed."""

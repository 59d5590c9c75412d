"""The core types of the project: problem, response, parameter, verdict, evidence and counterexample."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import Field, PlainSerializer, PlainValidator

from harness.json_form import Integer, Number

Exact = int | Fraction
"""An exact rational; `Fraction` marks what Python would hold in a float."""
Values = Mapping[str, Exact]
"""The exact value of each variable."""


def decimal_places(value: Exact, most: int = 12) -> int | None:
    """Return how many decimals a number takes, `None` where they are more than `most` or do not end."""
    if 10**most % value.denominator:
        return None
    return next(places for places in range(most + 1) if not 10**places % value.denominator)


class Status(enum.IntEnum):
    """A three-valued verdict, ordered; UNKNOWN never reads as agreement."""

    REFUTED = 0
    UNKNOWN = 1
    CONFIRMED = 2


class Provenance(enum.StrEnum):
    """Where an input value comes from."""

    QUESTION = "question"
    WORLD_KNOWLEDGE = "world_knowledge"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Problem:
    """A word problem."""

    problem_id: str
    """The id in the corpus."""
    question: str
    solution: str
    """The annotated solution without the final answer's line."""
    gold: str | None
    """The text after `####`; null where the corpus gives none."""
    tier: Integer | None = None
    """The tier that the corpus states."""


@dataclass(frozen=True, slots=True)
class Response:
    """The reply of a model that was asked to formalize a problem, with fences and prose; `tier` is what the record states.

    `made` tells whether no model said it, but this program compiled it from the annotated solution; `saw_solution` whether the model was
    shown the worked solution, `None` where the record does not say.
    """

    problem_id: str
    model: str
    text: str
    dialect: str | None = None
    tier: int | None = None
    made: bool = False
    saw_solution: bool | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """An input of a formalization with its default value and what the model wrote about it."""

    name: str
    value: Exact
    type: str
    provenance: Provenance
    comment: str
    line: int

    @property
    def text(self) -> str:
        """The words that carry the meaning: the name's words, then the comment."""
        words = self.name.replace("_", " ").strip()
        return f"{words}: {self.comment}" if self.comment else words


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Inputs on which two programs differ."""

    inputs: Mapping[str, str]
    """Exact values by parameter, `left|right` where two are aligned."""
    left: str
    """The result of the left program: an exact value or the name of an exception."""
    right: str
    """The result of the right program."""


class CauseKind(enum.StrEnum):
    """The difference between two programs that a counterexample refutes; `logic` where no softer cause explains it."""

    LOGIC = "logic"
    ROUNDING = "rounding"
    UNUSED_INPUT = "unused_input"
    DUPLICATE_FACT = "duplicate_fact"
    ALIGNMENT = "alignment"
    OUTSIDE_DOMAIN = "outside_domain"


class CauseBasis(enum.StrEnum):
    """How certain a cause is: the re-try was proved equal, agreed at the points tested, or no re-try made the two equal."""

    PROVED = "proved"
    TESTED = "tested"
    NO_RETRY_AGREED = "no_retry_agreed"


@dataclass(frozen=True, slots=True)
class RefutationCause:
    """Why two programs differ, found by comparing them again with one difference taken away."""

    kind: CauseKind
    """What they differ in."""
    basis: CauseBasis
    """Whether the comparison without that difference was proved equal, was tested only, or never agreed (`logic`)."""
    method: str
    """The method that decided that comparison: a rung of UT-3, `evaluation` where it was tested, `none` for `logic`."""
    checked: Integer = 0
    """At how many points the two agreed in that comparison; 0 for `logic`."""
    inputs: tuple[str, ...] = ()
    """The inputs whose freezing, joint movement or other assignment makes the two agree, `left|right` where two are aligned."""


class WitnessKind(enum.StrEnum):
    """How near a counterexample is to the problem: its own values, sensible values near them, or extreme values."""

    OWN_VALUES = "own_values"
    SENSIBLE = "sensible"
    EXTREME = "extreme"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence against a claim on one line of a solution."""

    line: str
    """The line: `L1`, `L2`, …, or `FA` for the final answer."""
    cause: str
    """The kind of fault."""
    found: str
    """The text or value found."""
    expected: str
    """The text or value expected."""


@dataclass(frozen=True, slots=True)
class AlignedParameters:
    """Two parameters that mean the same."""

    left: str
    """The parameter of the left program."""
    right: str
    """The parameter of the right program."""
    value: str
    """Their exact value."""
    similarity: Number
    """The cosine of the embeddings of their words, -1 to 1."""


@dataclass(frozen=True, slots=True)
class SecondAlignment:
    """The second-best matching, where it differs from the best."""

    aligned: tuple[AlignedParameters, ...]
    """The pairs that the best matching lacks."""
    shortfall: Number
    """The difference of its weight from the best."""


@dataclass(frozen=True, slots=True)
class ParameterAlignment:
    """Which parameters of two programs mean the same."""

    aligned: tuple[AlignedParameters, ...] = ()
    """The pairs of the best matching."""
    unaligned_left: tuple[str, ...] = ()
    """Parameters of the left program without a partner."""
    unaligned_right: tuple[str, ...] = ()
    """Parameters of the right program without a partner."""
    runner_up: SecondAlignment | None = None
    """The second-best matching; null if there is only one matching."""


def _status(name: object) -> Status:
    if isinstance(name, Status):
        return name
    if not isinstance(name, str) or name not in Status.__members__:
        raise ValueError(f"expected one of {', '.join(Status.__members__)}")
    return Status[name]


StatusName = Annotated[
    Status, PlainValidator(_status, str), PlainSerializer(lambda status: status.name, return_type=str)
]
"""A status, in JSON its name."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one claim: the decision, its method, how much was checked, and the evidence against the claim."""

    claim: str
    """The claim: `ut1`, `ut2`, `ut3`, or that of another stage."""
    problem_id: str
    left: str
    """The model, operator or record that the claim is about; of a pair the first."""
    right: str | None
    """The second model of a pair; null for other claims."""
    status: StatusName
    """`REFUTED`, `UNKNOWN` or `CONFIRMED`."""
    method: str
    """What decided."""
    checked: Integer = 0
    """How many comparisons the verdict rests on."""
    unsupported: Integer = 0
    """How many comparisons could not be made."""
    reason: str | None = None
    """Why it is not confirmed."""
    domain: Mapping[str, str] | None = None
    """The values of each input for which the verdict holds: those that both programs admit, and whether a bound is a guess."""
    counterexample: Counterexample | None = None
    """Inputs on which the two sides of a pair differ."""
    alignment: ParameterAlignment | None = None
    """For UT-2: which parameters mean the same."""
    frozen: Annotated[Integer | None, Field(exclude_if=lambda frozen: frozen is None)] = None
    """For UT-3: how many parameters of the two programs have no partner and kept their value; absent for other claims."""
    findings: Annotated[tuple[Evidence, ...], Field(exclude_if=lambda findings: not findings)] = ()
    """The evidence against the claim line by line; absent if there is none."""
    cause: Annotated[RefutationCause | None, Field(exclude_if=lambda cause: cause is None)] = None
    """For a refuted pair of UT-3: the cause of the difference; absent for other verdicts."""
    witness: Annotated[WitnessKind | None, Field(exclude_if=lambda witness: witness is None)] = None
    """For a refuted pair of UT-3: how near its counterexample is to the problem; absent for other verdicts."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what identifies the claim among all claims of a run."""
        return (self.claim, self.problem_id, self.left, self.right or "")

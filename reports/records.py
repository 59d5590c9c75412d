"""What does one line of each artefact of the formalization stage hold?"""

from typing import Literal, NotRequired, TypedDict

Claim = Literal["ut1", "ut2", "ut3"]
Status = Literal["REFUTED", "UNKNOWN", "CONFIRMED"]

CLAIMS: tuple[Claim, ...] = ("ut1", "ut2", "ut3")
STATUSES: tuple[Status, ...] = ("REFUTED", "UNKNOWN", "CONFIRMED")
CLAIM_TITLES: dict[Claim, str] = {"ut1": "UT-1", "ut2": "UT-2", "ut3": "UT-3"}


class Problem(TypedDict):
    """A line of `problems.jsonl`."""

    problem_id: str
    question: str
    solution: NotRequired[str | None]
    gold: NotRequired[str | None]
    tier: NotRequired[int | None]


class Parameter(TypedDict):
    """A parameter of a program: a question input or world knowledge."""

    name: str
    value: str
    type: NotRequired[str | None]
    provenance: NotRequired[str | None]
    comment: NotRequired[str | None]


class Program(TypedDict):
    """A line of `programs.jsonl`; `reason` says why it could not be read, `repairs` what reading it took."""

    problem_id: str
    model: str
    dialect: NotRequired[str | None]
    code: NotRequired[str | None]
    parameters: NotRequired[list[Parameter] | None]
    value: NotRequired[str | None]
    reason: NotRequired[str | None]
    repairs: NotRequired[list[str] | None]


class Counterexample(TypedDict):
    """Inputs on which two programs differ, keyed `left_name|right_name` where aligned."""

    inputs: dict[str, str]
    left: NotRequired[str | None]
    right: NotRequired[str | None]


class AlignedParameters(TypedDict):
    """Two parameters taken for the same quantity; `similarity` is null where no text decided."""

    left: str
    right: str
    value: NotRequired[str | None]
    similarity: NotRequired[float | None]


class Alignment(TypedDict):
    """Which parameters of two programs mean the same, and which have no partner."""

    aligned: list[AlignedParameters]
    unaligned_left: list[str]
    unaligned_right: list[str]
    runner_up: NotRequired[object]


class Verdict(TypedDict):
    """A line of `verdicts.jsonl`: one claim about one program (UT-1) or one pair."""

    claim: Claim
    problem_id: str
    left: str
    right: str | None
    status: Status
    method: NotRequired[str | None]
    checked: NotRequired[int | None]
    unsupported: NotRequired[int | None]
    reason: NotRequired[str | None]
    error_bound: NotRequired[str | None]
    domain: NotRequired[dict[str, str] | None]
    counterexample: NotRequired[Counterexample | None]
    alignment: NotRequired[Alignment | None]


class Dissenter(TypedDict):
    """A program outside the clique, and the member that it disagrees with."""

    model: str
    against: NotRequired[str | None]
    reason: NotRequired[str | None]
    counterexample: NotRequired[Counterexample | None]


class PairScore(TypedDict):
    """How much of two programs was validated, 0 to 1."""

    left: str
    right: str
    score: float


class Consensus(TypedDict):
    """A line of `consensus.jsonl`; `confidence` may exceed 1."""

    problem_id: str
    clique: list[str]
    clique_size: int
    confidence: float
    oracle: str | None
    dissenters: NotRequired[list[Dissenter] | None]
    pairs: NotRequired[list[PairScore] | None]

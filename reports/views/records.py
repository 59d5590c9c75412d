"""Types of the records that a run's artefacts hold, one for each kind of line in a JSONL file."""

from typing import Literal, NotRequired, TypedDict

Claim = Literal["ut1", "ut2", "ut3"]
Status = Literal["REFUTED", "UNKNOWN", "CONFIRMED"]

CLAIMS: tuple[Claim, ...] = ("ut1", "ut2", "ut3")
STATUSES: tuple[Status, ...] = ("REFUTED", "UNKNOWN", "CONFIRMED")
CLAIM_TITLES: dict[Claim, str] = {"ut1": "UT-1", "ut2": "UT-2", "ut3": "UT-3"}

TraceClaim = Literal["answer", "structure", "provenance", "graph", "lines"]
Role = Literal["question_input", "world_knowledge_input", "input", "output", "answer"]

TRACE_CLAIMS: tuple[TraceClaim, ...] = ("answer", "structure", "provenance", "graph", "lines")
INPUT_ROLES: tuple[Role, ...] = ("question_input", "world_knowledge_input", "input")
ROLES: tuple[Role, ...] = (*INPUT_ROLES, "output", "answer")
ROLE_TITLES: dict[Role, str] = {
    "question_input": "question input",
    "world_knowledge_input": "world knowledge",
    "input": "input of unknown origin",
    "output": "output",
    "answer": "answer",
}


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


class TraceEntry(TypedDict):
    """A variable of a trace: its exact value, the line its code stands under, and the variables that its code reads."""

    variable: str
    value: str
    role: Role
    line: str | None
    code: str
    comment: str
    reads: list[str]


class PlacedValue(TypedDict):
    """A variable at a place of a line, and its value as it is written there."""

    variable: str
    text: str | None


class UnexplainedNumber(TypedDict):
    """A number of a line that no variable explains for certain."""

    text: str
    candidates: list[str]


class TraceLine(TypedDict):
    """A line of the solution as words and values."""

    line: str
    parts: list[str | PlacedValue]
    literals: list[UnexplainedNumber]


class Mismatch(TypedDict):
    """A line whose template gives something else than the solution says."""

    line: str
    cause: str
    given: str
    expected: str


class Trace(TypedDict):
    """A line of `traces.jsonl`, as `harness.records.template.TraceRecord` describes it."""

    problem_id: str
    model: str
    tier: int | None
    result: str
    answer: str
    entries: list[TraceEntry]
    lines: list[TraceLine]
    mismatches: list[Mismatch]
    dead: list[str]


class Finding(TypedDict):
    """What a claim about a template found on a line."""

    line: NotRequired[str | None]
    cause: NotRequired[str | None]
    found: NotRequired[str | None]
    expected: NotRequired[str | None]


class TraceVerdict(TypedDict):
    """A line of the template stage's `verdicts.jsonl`: one claim about one template."""

    claim: TraceClaim
    problem_id: str
    left: str
    status: Status
    method: NotRequired[str | None]
    reason: NotRequired[str | None]
    findings: NotRequired[list[Finding] | None]


ErrorClassName = Literal["computational_error", "conceptual_error", "skipped_step"]

ERROR_CLASSES: tuple[ErrorClassName, ...] = ("computational_error", "conceptual_error", "skipped_step")
POSITIONS: tuple[str, ...] = ("early", "middle", "late")


class ErrorDetails(TypedDict):
    """What is wrong with a flawed solution; the line is `L1`, `L2`, … or `FA`, the final answer."""

    error_type: str
    error_class: str
    erroneous_line_number: str
    explanation: str
    correction: str


class FlawLabel(TypedDict):
    """The label of a flawed solution."""

    verdict: str
    error_details: ErrorDetails


class Plausibility(TypedDict):
    """How likely a person is to write a flawed solution, 0 to 1, and why."""

    score: float
    reasons: list[str]


class FlawValue(TypedDict):
    """A variable of the solution whose value the flaw changes; `after` is null where its step is gone."""

    variable: str
    line: str | None
    before: str
    after: str | None


class CertifiedProgram(TypedDict):
    """A program of a certificate: given inputs, then steps of line, variable and expression, one of which is the answer."""

    inputs: list[list[str]]
    steps: list[list[str]]
    answer: str


class FlawCertificate(TypedDict):
    """What is proved of a flawed solution; `mutant` is null for a slip, `stated` what each step is said to give."""

    claim: str
    oracle: CertifiedProgram
    mutant: CertifiedProgram | None
    stated: dict[str, str]
    change: dict[str, str]


class Flaw(TypedDict):
    """A line of `computational.jsonl` or `conceptual.jsonl`: a flawed solution, its label and its certificate."""

    flaw_id: str
    problem_id: str
    model: str
    tier: int | None
    position: str
    operator: str
    question: str
    solution: str
    flawed_solution: str
    label: FlawLabel
    mutation: dict[str, str]
    values: list[FlawValue]
    plausibility: Plausibility
    needs_edit: bool
    edits: list[str]
    certificate: FlawCertificate


class DiscardedChange(TypedDict):
    """A line of `discarded.jsonl`: a change that gave no flawed solution, and why."""

    problem_id: str
    operator: str
    line: str
    change: str
    why: str
    detail: str


VARIANT_CLASSES: tuple[str, ...] = ("contradictory", "solvable", "underspecified")
"""The classes of problems, by their labels 0, 1 and 2."""


class VariantEdit(TypedDict):
    """What stood from one place of a problem to another, and what stands there now."""

    span: list[int]
    before: str
    after: str


class StatedFact(TypedDict):
    """A value that a problem states, with the words that do; `span` is null for world knowledge."""

    name: str
    variable: str
    value: str
    source: str
    words: str
    span: list[int] | None


class StatedStep(TypedDict):
    """A quantity that a problem determines by others, with the words of the solution."""

    name: str
    variable: str
    expression: str
    words: str


class StatedBound(TypedDict):
    """What the kind of a quantity asks of it; `limit` is a variable or a number."""

    name: str
    variable: str
    kind: str
    words: str
    limit: str | None


class VariantSystem(TypedDict):
    """What an edited problem says of its quantities, and which of them it asks for."""

    facts: list[StatedFact]
    steps: list[StatedStep]
    bounds: list[StatedBound]
    answer: str


class VariantCertificate(TypedDict):
    """A script that any solver runs, and what it should answer."""

    smtlib: str
    expect: str


class Variant(TypedDict):
    """A line of `variants.jsonl`: an edited problem, its class and its certificate.

    `core` names the constraints that clash; `models` are the values of a solution, or of two that differ in the answer.
    """

    variant_id: str
    problem_id: str
    model: str
    tier: int | None
    operator: str
    class_label: int
    twin_of: str | None
    question: str
    modified_problem_text: str
    edits: list[VariantEdit]
    reasoning_trace: str
    system: VariantSystem
    certificate: VariantCertificate
    core: list[str]
    models: list[dict[str, str]]
    solution: str | None
    gold: str | None


class DiscardedEdit(TypedDict):
    """A line of the variant stage's `discarded.jsonl`: an edit that gave no variant, and why."""

    problem_id: str
    operator: str
    what: str
    why: str
    detail: str

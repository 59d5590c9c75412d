"""The records of the formalization stage: programs, consensus and oracles; verdicts are in `harness.domain`."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from harness.domain import CauseKind, Counterexample, Provenance
from harness.json_form import Integer, Number


@dataclass(frozen=True, slots=True)
class ParameterRecord:
    """A parameter of a program."""

    name: str
    """Its name in the program."""
    value: str
    """Its exact default value, `7` or `7/2`."""
    type: str
    """The type that the program gives it; `Any` where it gives none."""
    provenance: Provenance
    """Where the value comes from."""
    comment: str
    """The model's comment on it."""
    idle: Annotated[bool, Field(exclude_if=lambda idle: not idle)] = False
    """Whether no change of its value was found to change the answer; absent where one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRecord:
    """A formalization as it was read; without a program where it was refused."""

    problem_id: str
    model: str
    """Who wrote it."""
    dialect: str | None
    """The dialect of the program."""
    code: str | None
    """The program."""
    parameters: tuple[ParameterRecord, ...]
    """Its parameters, in order."""
    value: str | None
    """The exact result for the default values."""
    reason: str | None
    """Why it could not be read or evaluated."""
    repairs: tuple[str, ...]
    """What was repaired to read it."""
    literal: Annotated[bool, Field(exclude_if=lambda literal: not literal)] = False
    """Whether no number of the question reaches its answer, so that p_right does not count it; absent where one does."""
    saw_solution: Annotated[bool | None, Field(exclude_if=lambda saw: saw is None)] = None
    """Whether its model was shown the worked solution, so that it is no witness of the gold answer; absent where its answer does not say."""
    form: Annotated[str | None, Field(exclude_if=lambda form: form is None)] = None
    """A fingerprint of the operations by which it comes to its answer, whatever the names and statements; absent where they are few."""


@dataclass(frozen=True, slots=True)
class PairScore:
    """The quality score of a pair of equivalent formalizations."""

    left: str
    """The first model."""
    right: str
    """The second model."""
    score: Number
    """PairwiseQualityScore: 0.7 · share of aligned inputs + 0.3 · mean similarity."""
    uncounted: Annotated[CauseKind | None, Field(exclude_if=lambda cause: cause is None)] = None
    """For a refuted pair: the cause of the difference, which was not counted against the pair; absent for confirmed pairs."""


class ProbabilityBasis(enum.StrEnum):
    """The basis of the probability that an oracle is right."""

    PRIOR = "prior"
    """One model, or models that never differ: how often the public programs are right."""
    AGREEMENT = "agreement"
    """The agreement of the run's models; no answer is known."""
    FEW_PROBLEMS = "few_problems"
    """The same in a run of fewer than 20 problems: what public programs show counts for more than the run does."""
    KNOWN_ANSWERS = "known_answers"
    """Agreement, with weights adjusted by the run's problems with a known answer."""
    GOLD_ANSWER = "gold_answer"
    """The answer is known; the doubt that remains is whether the logic is right or the value is right by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRecord:
    """How many of the answers with about one probability are right: the evidence that the probabilities of a run rest on."""

    basis: ProbabilityBasis
    """The basis of the probabilities."""
    evidence: str
    """Whose answers were counted."""
    low: Number
    """The least probability of the range."""
    high: Number
    """The end of the range, which belongs to the next one, except for 1."""
    answers: Integer
    """How many answers have a probability in the range."""
    mean: Number
    """Their mean probability."""
    right: Number
    """The share of them that is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRecord:
    """The accuracy of a model of the run, estimated from the answers of all its models without gold answers."""

    model: str
    """The model."""
    problems: Integer
    """How many problems it was asked for; programs that only state a value are not counted."""
    accuracy: Number
    """The estimated share of right values; with few problems it stays near the mean of models in general."""
    one_witness_with: Annotated[str | None, Field(exclude_if=lambda other: other is None)] = None
    """A model that stands for it where both answer, as the two never differ; absent where none does."""
    family: Annotated[str | None, Field(exclude_if=lambda family: family is None)] = None
    """The model of which it and others of the run count as samples, by their names, as `--harness-family` says, or by the forms of their programs; absent where it is the only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldDoubt:
    """A value on which models that were not shown the worked solution agree against the gold answer of a problem."""

    value: str
    """That value."""
    models: tuple[str, ...]
    """The models that give it."""
    witnesses: Number
    """The number of independent witnesses that they are worth, without repetition."""
    gold_models: tuple[str, ...]
    """The models that give the gold answer and were not shown its solution."""
    p_right: Number
    """The probability that the value is right, as if the gold answer were not known."""


class ConsensusFindingKind(enum.StrEnum):
    """A possible error of a consensus although its members agree."""

    MAY_NEED_ROUNDING = "may need rounding"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusFinding:
    """A doubt about the oracle that the agreement of the clique does not show."""

    kind: ConsensusFindingKind
    """What may be wrong."""
    asked: str
    """The noun of the things whose number the question asks for, in the singular."""
    inputs: Mapping[str, str]
    """The input of the oracle that was moved, with its value, for which the oracle gives a fraction."""
    value: str
    """That fraction."""
    dissenters: tuple[str, ...]
    """The formalizations outside the clique that differ from a member by rounding only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissenter:
    """A formalization outside the clique."""

    model: str
    """Who wrote it."""
    against: str | None
    """The member of the clique that it was compared with; null where screening refuted it."""
    reason: str | None
    """Why it is not equivalent."""
    counterexample: Counterexample | None
    """Inputs on which the two differ."""
    cause: Annotated[CauseKind | None, Field(exclude_if=lambda cause: cause is None)] = None
    """The cause of the difference from that member; absent if the pair was not refuted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusRecord:
    """The consensus of a problem's formalizations."""

    problem_id: str
    clique: tuple[str, ...]
    """The models of the largest clique of equivalent formalizations."""
    clique_size: Integer
    """How many they are."""
    confidence: Number
    """The confidence score, 0 where there is no pair; it may exceed 1."""
    oracle: str | None
    """The model whose formalization is the oracle."""
    dissenters: tuple[Dissenter, ...]
    """The formalizations outside the clique."""
    pairs: tuple[PairScore, ...]
    """The scores of all confirmed pairs, and of refuted ones whose cause was not counted against them."""
    counted: tuple[CauseKind, ...] = tuple(CauseKind)
    """The causes of a refutation that separate two formalizations: all of them, or fewer under `--harness-strict=no`."""
    findings: Annotated[tuple[ConsensusFinding, ...], Field(exclude_if=lambda findings: not findings)] = ()
    """Doubts about the oracle that the agreement does not show; absent where there are none."""
    gold_doubt: Annotated[GoldDoubt | None, Field(exclude_if=lambda doubt: doubt is None)] = None
    """The evidence against the gold answer; absent if there is little."""
    p_right: Number | None = None
    """The probability that the oracle is right; null where there is no oracle."""
    p_right_basis: ProbabilityBasis | None = None
    """The basis of that probability; null if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleProvenance:
    """The formalizations that an oracle is chosen from."""

    run: str
    """The fingerprint of the run."""
    clique: tuple[str, ...]
    """The models of the clique."""
    pairs: tuple[PairScore, ...]
    """The scores of the pairs within the clique."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleRecord(ProgramRecord):
    """The formalization that stands for its clique."""

    confidence: Number
    """The confidence score of the clique."""
    clique_size: Integer
    """How many formalizations agree."""
    p_right: Number | None = None
    """The probability that the oracle is right; null in files of earlier versions."""
    provenance: OracleProvenance
    """The formalizations that the choice is based on."""

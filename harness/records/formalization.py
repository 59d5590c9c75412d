"""The records of the formalization stage: programs, consensus and oracles; verdicts are in `harness.domain`."""

from dataclasses import dataclass

from harness.domain import Counterexample, Provenance
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
    """What the model wrote about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRecord:
    """A formalization as it was read; without a program where it was refused."""

    problem_id: str
    """The problem that it formalizes."""
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


@dataclass(frozen=True, slots=True)
class PairScore:
    """How much of two equivalent formalizations was validated."""

    left: str
    """The first model."""
    right: str
    """The second model."""
    score: Number
    """PairwiseQualityScore: 0.7 · share of aligned inputs + 0.3 · mean similarity."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusRecord:
    """The consensus of a problem's formalizations."""

    problem_id: str
    """The problem."""
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
    """The scores of all confirmed pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleProvenance:
    """What an oracle rests on."""

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
    provenance: OracleProvenance
    """What the choice rests on."""

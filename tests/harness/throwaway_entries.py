"""Registry entries as a third party adds them: one for each registry, in a module that no package imports."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from generators.constraints.problem.domain import DOMAINS, Drafting, domain
from generators.flaws.mutation_operator import Mutant, mutation_operator
from generators.flaws.slip import ComputedResult, slip
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.variant_operator import DiscardedVariant, VariantDiscard, VariantProposal, variant_operator
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.domain import Exact
from harness.llm.provider import Provider, ProviderAccess, provider
from harness.program import ir
from harness.program.dialect import AnswerPlace, ModuleShape, dialect
from harness.program.syntax.code_extraction import ProgramSource
from harness.solution.labels import ErrorType
from sft.samples.evidence_registry import Signal
from sft.samples.items import Item
from sft.samples.problem_judgement import ProblemFinding
from sft.samples.solution_judgement import Engine, Hint, HintKind, Judgement
from sft.validator.problem_text import ProblemText, problem_evidence
from sft.verifier.case import Case, evidence
from sft.verifier.engine_registry import EngineSettings, engine

NAME = "throwaway"
KIND = HintKind(NAME, ErrorType.SCOPING, "{where} holds the throw-away {found}.", certainty=0.9)


@dialect(NAME, examples=("throwaway_answer = 1",))
def throwaway_dialect(_: ProgramSource, shape: ModuleShape) -> AnswerPlace | None:
    """Recognise a variable of its own, which it marks more clearly than any other dialect does."""
    found = "throwaway_answer" in shape.variables
    return AnswerPlace(variable="throwaway_answer", precedence=-1) if found else None


@provider(NAME)
def open_throwaway(_: ProviderAccess) -> Provider:
    """Refuse to open."""
    raise NotImplementedError


@slip(NAME, rank=1_000, cause="Seven thousand too many")
def seven_more(computed: ComputedResult) -> Iterable[Exact]:
    """Yield the result and 7,777."""
    yield computed.value + 7_777


@mutation_operator(
    f"{NAME}_operator",
    error_type=ErrorType.EXTRANEOUS_OPERATION,
    explanation="{wrong} stands where {right} should.",
)
def tripled(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step times three."""
    for step in source.steps:
        new = ir.Binary("*", source.expression(step.variable), ir.Const(3))
        yield Mutant(step.variable, "nothing more", "3", expression=new)


@variant_operator(f"{NAME}_variant", problem_class=ProblemClass.SOLVABLE)
def unedited(subject: VariantSubject, random: Random) -> Iterator[VariantProposal | DiscardedVariant]:
    """Yield nothing but a discard."""
    del subject, random
    yield DiscardedVariant(f"{NAME}_variant", "the problem", VariantDiscard.NO_PLACE)


@domain(NAME)
def throwaway_domain() -> dict[Drafting, int]:
    """Return the kinds of puzzles."""
    return DOMAINS.require("puzzles").kinds


@evidence(NAME)
def throwaway_evidence(case: Case) -> Signal[Hint]:
    """Find a line that says so."""
    hints = [KIND.at(f"L{number}", line) for number, line in enumerate(case.item.lines, start=1) if NAME in line]
    return Signal({"lines": float(len(hints))}, tuple(hints))


@problem_evidence(NAME)
def throwaway_problem_evidence(problem: ProblemText) -> Signal[ProblemFinding]:
    """Find a problem that says so."""
    found = NAME in problem.text
    shown = (ProblemFinding(NAME, ProblemClass.UNDERSPECIFIED, NAME, "It says so."),) if found else ()
    return Signal({"found": float(found)}, shown)


class ThrowawayEngine:
    """An engine that calls everything correct."""

    name = NAME

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item."""
        return (Judgement(flawed=False, confidence=0.5) for _ in items)


@engine(NAME)
def open_throwaway_engine(_: EngineSettings) -> Engine:
    """Return the engine."""
    return ThrowawayEngine()

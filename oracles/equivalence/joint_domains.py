"""The joint domains of aligned inputs, and decisions that do not rest on a guessed bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.domain import Status
from harness.program.evaluation.evaluator import format_exact
from oracles.equivalence.input_domain import joint_domain, pair_name
from oracles.equivalence.ladder_decision import LadderDecision, ScopedDecision

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.program.ir import Program
    from oracles.alignment.parameter_matching import Alignment
    from oracles.equivalence.input_domain import InputDomain


def joint_domains(left: Program, right: Program, alignment: Alignment) -> tuple[InputDomain, ...]:
    """Return the domain of each aligned pair, guessed bounds included."""
    return tuple(joint_domain(left.parameters[pair.left], right.parameters[pair.right]) for pair in alignment.pairs)


def described_domains(left: Program, right: Program, scope: ScopedDecision) -> dict[str, str]:
    """Return the domain of each aligned pair in words, with the types that the two sides give where they differ."""
    described: dict[str, str] = {}
    for pair, domain in zip(scope.alignment.pairs, scope.domains, strict=True):
        types = left.parameters[pair.left].type, right.parameters[pair.right].type
        note = "" if types[0] == types[1] else f" ({types[0]} on the left, {types[1]} on the right)"
        name = pair_name(left.parameters[pair.left], right.parameters[pair.right])
        number = sum(name == known.partition(" #")[0] for known in described)
        described[f"{name} #{number + 1}" if number else name] = f"{domain}{note}"
    return described


def decide_beyond_guesses(
    left: Program,
    right: Program,
    alignment: Alignment,
    decide: Callable[[tuple[InputDomain, ...]], LadderDecision],
) -> ScopedDecision:
    """Decide a pair so that neither CONFIRMED nor REFUTED rests on a guessed bound.

    CONFIRMED holds without the guessed bounds, REFUTED within them. Equality within them only, or a difference beyond
    them only, is UNKNOWN.
    """
    domains = joint_domains(left, right, alignment)
    certain = tuple(domain.without_guess() for domain in domains)
    beyond = decide(certain)
    if certain == domains or beyond.status is Status.CONFIRMED:
        return ScopedDecision(beyond, alignment, certain)
    within = decide(domains)
    if within.status is Status.CONFIRMED or (within.status, beyond.status) == (Status.UNKNOWN, Status.REFUTED):
        guesses = " and ".join(
            f"{pair_name(left.parameters[pair.left], right.parameters[pair.right])} is at most {format_exact(domain.high)}"
            for pair, domain in zip(alignment.pairs, domains, strict=True)
            if domain.guessed and domain.high is not None
        )
        equal = "equal only" if within.status is Status.CONFIRMED else "no difference was found"
        reason = f"{equal} while {guesses}, a bound guessed from its name; beyond it: {beyond.explained().reason}"
        within = LadderDecision(Status.UNKNOWN, within.method, within.checked, within.unsupported, reason)
    return ScopedDecision(within, alignment, domains)

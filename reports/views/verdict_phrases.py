"""English sentences for verdicts, counterexamples, confidence scores and dissenting programs."""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from harness.domain import CauseKind, Counterexample, Verdict, WitnessKind
from harness.records.formalization import (
    ConsensusFinding,
    ConsensusRecord,
    Dissenter,
    ParameterRecord,
)
from harness.text.characters import one_line

# Bounded: an exponent in a record would take all memory.
_NUMBER = re.compile(r"-?[0-9]{1,60}(?:\.[0-9]{1,60}|/0*[1-9][0-9]{0,60})?")

Values = Mapping[str, str]


def parameter_values(parameters: Iterable[ParameterRecord]) -> dict[str, str]:
    """Return the values of parameters in the problem, by name."""
    return {parameter.name: parameter.value for parameter in parameters}


def counterexample_sentence(
    counterexample: Counterexample,
    *,
    left_values: Values,
    right_values: Values,
) -> str:
    """Return the inputs on which two programs differ; inputs with their value of the problem are left out.

    Returns:
        For example `with b = 1 and everything else as in the problem: left 7, right 5`.
    """
    changed = _changed_inputs(counterexample, left_values, right_values)
    outputs = f"left {counterexample.left}, right {counterexample.right}"
    if not changed:
        return f"with the problem's own values: {outputs}"
    others = len(changed) < max(len(counterexample.inputs), len(left_values), len(right_values))
    rest = " and everything else as in the problem" if others else ""
    return f"with {', '.join(changed)}{rest}: {outputs}"


def method_phrase(verdict: Verdict) -> str:
    """Return the method of a verdict and how much it checked, such as `smt, 12 checked`."""
    parts = [verdict.method or "no method", f"{verdict.checked:,} checked"]
    if verdict.unsupported:
        parts.append(f"{verdict.unsupported:,} unsupported")
    if verdict.error_bound:
        parts.append(f"error at most {verdict.error_bound}")
    if verdict.frozen:
        parts.append(frozen_phrase(verdict))
    return one_line(", ".join(parts))


def frozen_phrase(verdict: Verdict) -> str:
    """Return how many inputs of both programs of a UT-3 verdict are frozen, such as `3 of 7 inputs frozen`."""
    frozen = verdict.frozen or 0
    return f"{frozen:,} of {2 * len(verdict.domain or ()) + frozen:,} inputs frozen"


def finding_text(verdict: Verdict, *, left_values: Values, right_values: Values) -> str:
    """Return the counterexample of a verdict with the cause of the refutation, and whether its values are extreme; else its reason, else its method."""
    counterexample = telling_counterexample(verdict)
    if counterexample is None:
        return verdict.reason or f"no reason given (method {verdict.method})"
    sentence = counterexample_sentence(counterexample, left_values=left_values, right_values=right_values)
    extreme = " (extreme values)" if verdict.witness is WitnessKind.EXTREME else ""
    if verdict.cause is None:
        return f"{sentence}{extreme}"
    return f"{sentence}{extreme}; cause: {cause_title(verdict.cause.kind)}, {verdict.cause.basis.replace('_', ' ')}"


def telling_counterexample(verdict: Verdict) -> Counterexample | None:
    """Return the counterexample of a verdict, unless its reason says the same, as in UT-1."""
    return None if verdict.right is None and verdict.reason else verdict.counterexample


def cause_title(kind: CauseKind) -> str:
    """Return a cause of a refutation in words."""
    return kind.replace("_", " ")


def rounding_sentence(finding: ConsensusFinding) -> str:
    """Return a finding of a consensus in a sentence, with those who round."""
    moved = ", ".join(f"{name} = {value}" for name, value in finding.inputs.items())
    dissenters = ", ".join(finding.dissenters)
    who = (
        f"; outside the clique, {dissenters} differ{'s' if len(finding.dissenters) == 1 else ''} by rounding"
        if dissenters
        else ""
    )
    return f"{finding.kind}: the question asks for a whole number ({finding.asked}), but with {moved} the oracle gives {finding.value}{who}"


def pair_of(verdict: Verdict) -> str:
    """Return the subject of a verdict: `model` or `left ~ right`."""
    right = verdict.right
    return verdict.left if right is None else f"{verdict.left} ~ {right}"


def confidence_sentence(consensus: ConsensusRecord) -> str:
    """Return how a confidence score results from the scores of the clique's pairs."""
    clique = set(consensus.clique)
    scores = [pair.score for pair in consensus.pairs if pair.left in clique and pair.right in clique]
    confidence = consensus.confidence
    if not scores:
        return f"{confidence:.3f}: no pair of the clique was scored"
    mean = sum(scores) / len(scores)
    pairs = f"{len(scores)} pair{'s' if len(scores) > 1 else ''}"
    if mean <= 0:
        return f"{confidence:.3f}: the mean score of the clique's {pairs} is 0"
    return (
        f"{confidence:.3f} = {mean:.3f}, the mean score of the clique's {pairs}, "
        f"times {confidence / mean:.2f} for a clique of {consensus.clique_size}"
    )


def dissent_reason(dissenter: Dissenter) -> str:
    """Return in a few words why a program is outside the clique."""
    reason, against = dissenter.reason, dissenter.against
    if reason:
        return reason
    if dissenter.counterexample is not None:
        return f"counterexample against {against}" if against else "counterexample"
    return f"not proved equivalent to {against}" if against else "no reason given"


def _changed_inputs(counterexample: Counterexample, left_values: Values, right_values: Values) -> list[str]:
    changed = []
    for key, value in counterexample.inputs.items():
        left_name, _, right_name = key.partition("|")
        in_problem = left_values.get(left_name, right_values.get(right_name or left_name))
        if in_problem is None or not is_equal(in_problem, value):
            partner = "" if right_name in {"", left_name} else f" (right: {right_name})"
            changed.append(f"{left_name or right_name}{partner} = {value}")
    return changed


def is_equal(left: str, right: str) -> bool:
    """Tell whether two values are the same number, or the same text if one is not a plain number."""
    if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
        return Fraction(left) == Fraction(right)
    return left == right

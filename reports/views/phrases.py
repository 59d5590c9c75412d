"""Titles and sentences for the records of a run: verdicts, cliques, probabilities and what flaws and variants rest on."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any

from harness.constraint_system import ProblemClass
from harness.domain import Status, Verdict, WitnessKind
from harness.json_form import MalformedRecordError, read_record
from harness.records import formalization as records
from harness.records.provenance import SourceProvenance, SourceRule
from harness.solution.trace import VariableRole
from harness.text.characters import one_line, spaced
from harness.text.nouns import counted

STATUSES = tuple(Status.__members__)
CLAIM_TITLES = {"ut1": "UT-1", "ut2": "UT-2", "ut3": "UT-3", "classes": "Classes"}
TRACE_CLAIMS = ("answer", "structure", "provenance", "graph", "lines")
ROLE_TITLES = {
    VariableRole.QUESTION_INPUT: "question input",
    VariableRole.WORLD_KNOWLEDGE_INPUT: "world knowledge",
    VariableRole.INPUT: "input of unknown origin",
    VariableRole.OUTPUT: "output",
    VariableRole.ANSWER: "answer",
}
POSITIONS = ("early", "middle", "late")
VARIANT_CLASSES = tuple(problem_class.word for problem_class in ProblemClass)
"""The classes of problems, by their labels 0, 1 and 2."""
SURE_ENOUGH = 0.9
"""An oracle that is right with less probability should be looked at."""
EXAMPLE = 0.95
"""The probability whose calibration is shown first."""
BASIS_TITLES = {
    records.ProbabilityBasis.PRIOR: "how often public programs are right: one model, or models that never differ, are one witness; answers of another model would add one",
    records.ProbabilityBasis.AGREEMENT: "what the models agree on",
    records.ProbabilityBasis.FEW_PROBLEMS: "what public programs show of models that agree: on fewer than 20 problems, a run tells little of its own models",
    records.ProbabilityBasis.KNOWN_ANSWERS: "what they agree on, and this run's known answers",
    records.ProbabilityBasis.GOLD_ANSWER: "the known answer, which leaves the logic in doubt",
}
NOTHING_COMPUTED = "no probability: no program computes its answer from the numbers of the question"
STANDINGS: Mapping[str, str] = {
    "oracle": "the oracle of its clique",
    "other member": "another member of its clique",
    "confirmed by UT-1": "confirmed by UT-1 alone",
}
"""The standing of a source within its clique, as manifests name it, in words."""
# Bounded: an exponent in a record would take all memory.
NUMBER = re.compile(r"-?[0-9]{1,60}(?:\.[0-9]{1,60}|/0*[1-9][0-9]{0,60})?")
PARAMETER_FIELDS = attrgetter("name", "value", "type", "provenance", "comment")
"""The row of a parameter in tables."""
DECIMALS = 4

Values = Mapping[str, str]


def decimal(text: str) -> str:
    """Return a number as people write it: `91/5` as `18.2`, `1/3` as `0.3333…`; other texts as they are."""
    if not NUMBER.fullmatch(text):
        return text
    value = Fraction(text)
    rounded = round(value, DECIMALS)
    whole = f"{float(rounded):.{DECIMALS}f}".rstrip("0").rstrip(".") if rounded.denominator > 1 else str(rounded)
    return whole if rounded == value else f"{whole}…"


def parameter_values(parameters: Iterable[records.ParameterRecord]) -> dict[str, str]:
    """Return the values of parameters in the problem, by name."""
    return {parameter.name: parameter.value for parameter in parameters}


def counterexample_sentence(verdict: Verdict, values: Mapping[str, Values], model: str | None = None) -> str:
    """Return the inputs on which two programs differ, and both results: `with b = 1, ann gives 7, bob 5`.

    `values` are the parameters of the programs by model; inputs with their value of the problem are left out. Of `model`, one of the
    two, the sentence speaks as `it`, by the names of its inputs. The text is empty where there is no counterexample, or the
    verdict's reason says the same, as in UT-1.
    """
    found = verdict.counterexample
    if found is None or (verdict.right is None and verdict.reason):
        return ""
    sides = [(verdict.left, found.left), (verdict.right or "the known answer", found.right)]
    place = int(model is not None and model != verdict.left)
    changed = []
    for key, value in found.inputs.items():
        left_name, _, right_name = key.partition("|")
        names = (left_name, right_name or left_name)
        own = (values.get(side, {}).get(name) for (side, _), name in zip(sides, names, strict=True))
        in_problem = next((known for known in own if known is not None), None)
        if in_problem is None or not is_equal(in_problem, value):
            label = names[place] or names[1 - place]
            if model is None and right_name not in {"", left_name}:
                label += f" ({verdict.right}: {right_name})"
            changed.append(f"{label} = {_exact(value)}")
    where = f"with {', '.join(changed)}" if changed else "with the problem's numbers"
    (name, result), (other, second) = sides[place], sides[1 - place]
    return f"{where}{f', {name}' if model is None else ' it'} gives {_exact(result)}, {other} {_exact(second)}"


def _exact(text: str) -> str:
    """Return a number in decimals where they say it exactly: the inputs of a counterexample are there to be tried."""
    decimals = decimal(text)
    return text if decimals.endswith("…") else decimals


def method_phrase(verdict: Verdict) -> str:
    """Return the method of a verdict and how much it checked, such as `smt, 12 checked`."""
    frozen = verdict.frozen or 0
    parts = [
        verdict.method or "no method",
        f"{verdict.checked:,} checked",
        f"{verdict.unsupported:,} unsupported" if verdict.unsupported else "",
        # of both programs
        f"{frozen:,} of {2 * len(verdict.domain or ()) + frozen:,} inputs frozen" if frozen else "",
    ]
    return one_line(", ".join(filter(None, parts)))


def finding_text(verdict: Verdict, values: Mapping[str, Values]) -> str:
    """Return the counterexample of a verdict with the cause of the refutation, and whether its values are extreme; else its reason, else its method."""
    sentence = counterexample_sentence(verdict, values)
    if not sentence:
        return verdict.reason or f"no reason given (method {verdict.method})"
    extreme = " (extreme values)" if verdict.witness is WitnessKind.EXTREME else ""
    if verdict.cause is None:
        return f"{sentence}{extreme}"
    return f"{sentence}{extreme}; cause: {spaced(verdict.cause.kind)}, {verdict.cause.basis.replace('_', ' ')}"


def rounding_sentence(finding: records.ConsensusFinding) -> str:
    """Return a finding of a consensus in a sentence, with those who round."""
    moved = ", ".join(f"{name} = {decimal(value)}" for name, value in finding.inputs.items())
    differ = f"{', '.join(finding.dissenters)} differ{'s' if len(finding.dissenters) == 1 else ''} by rounding"
    outside = f"; outside the clique, {differ}" if finding.dissenters else ""
    value = f"{decimal(finding.value)}, not a whole number ({finding.asked})"
    return f"{finding.kind}: with {moved} the oracle gives {value}{outside}"


def pair_of(verdict: Verdict) -> str:
    """Return the subject of a verdict: `model` or `left ~ right`."""
    right = verdict.right
    return verdict.left if right is None else f"{verdict.left} ~ {right}"


def confidence_sentence(consensus: records.ConsensusRecord) -> str:
    """Return how a confidence score results from the scores of the clique's pairs."""
    clique = set(consensus.clique)
    scores = [pair.score for pair in consensus.pairs if pair.left in clique and pair.right in clique]
    confidence = consensus.confidence
    if not scores:
        return f"{confidence:.3f}: no pair of the clique was scored"
    mean = sum(scores) / len(scores)
    pairs = counted(len(scores), "pair")
    if mean <= 0:
        return f"{confidence:.3f}: the mean score of the clique's {pairs} is 0"
    return (
        f"{confidence:.3f} = {mean:.3f}, the mean score of the clique's {pairs}, "
        f"times {confidence / mean:.2f} for a clique of {consensus.clique_size}"
    )


def dissent_reason(dissenter: records.Dissenter) -> str:
    """Return in a few words why a program is outside the clique."""
    if dissenter.reason:
        return dissenter.reason
    return f"not proved equivalent to {dissenter.against}" if dissenter.against else "no reason given"


def is_equal(left: str, right: str) -> bool:
    """Tell whether two values are the same number, or the same text if one is not a plain number."""
    if NUMBER.fullmatch(left) and NUMBER.fullmatch(right):
        return Fraction(left) == Fraction(right)
    return left == right


def calibration_sentence(rows: Sequence[records.CalibrationRecord]) -> str:
    """Return how many of 100 oracles with a probability of about 0.95 are right, and whose answers were counted."""
    row = next((row for row in rows if row.low <= EXAMPLE < row.high), max(rows, key=attrgetter("answers")))
    return (
        f"Of 100 oracles with a probability of {row.low:.2f} to {row.high:.2f}, {100 * row.right:.0f} are right "
        f"(measured on {row.answers:,} of {one_line(row.evidence, limit=300)})."
    )


def kept_sentence(chances: Iterable[float], problems: int, threshold: float) -> str:
    """Return `kept 412 of 500 at ≥ 99%: expect 2 wrong`, of the chances that oracles are right."""
    kept = [chance for chance in chances if chance >= threshold]
    expected_wrong = sum(1 - chance for chance in kept)
    # `0.0 wrong` would read as none.
    few = f"{expected_wrong:.1g}" if expected_wrong < 0.1 else f"{expected_wrong:.1f}"
    wrong = f"{expected_wrong:,.0f}" if expected_wrong >= 1 else few
    return f"kept {len(kept):,} of {problems:,} at ≥ {100 * threshold:.4g}%: expect {wrong} wrong"


def probability_sentence(consensus: records.ConsensusRecord) -> str:
    """Return `0.963, by what the models agree on`, or why there is no probability."""
    if consensus.p_right is None or consensus.p_right_basis is None:
        return "no probability: there is no oracle" if consensus.oracle is None else NOTHING_COMPUTED
    return f"{consensus.p_right:.3f}, by {BASIS_TITLES[consensus.p_right_basis]}"


def gold_doubt_sentence(doubt: records.GoldDoubt, gold: str | None) -> str:
    """Return the evidence against a gold answer."""
    for_gold = "none gives" if not doubt.gold_models else f"{len(doubt.gold_models):,} give"
    return (
        f"the gold answer is doubtful: of the models that were not shown its solution, {len(doubt.models):,}, as good as {doubt.witnesses:.1f} independent ones, give "
        f"{one_line(doubt.value, limit=60)} (right with probability {doubt.p_right:.3f}), {for_gold} the gold answer {one_line(gold or '?', limit=60)}"
    )


def reason_to_look(consensus: records.ConsensusRecord, gold: str | None = None) -> str | None:
    """Return why a person should look at a problem, `None` where nothing asks for it.

    Reasons are that there is no oracle, a doubt about the gold answer, an answer that may need rounding, and an oracle
    whose probability of being right is below 0.9.
    """
    if consensus.oracle is None:
        return "no two programs agree, or none gives the known answer"
    if consensus.gold_doubt is not None:
        return one_line(gold_doubt_sentence(consensus.gold_doubt, gold))
    if consensus.findings:
        return one_line(rounding_sentence(consensus.findings[0]), limit=400)
    if consensus.p_right is not None and consensus.p_right < SURE_ENOUGH:
        return f"the oracle is right with probability {consensus.p_right:.2f}"
    return None


def provenance_phrase(provenance: SourceProvenance | None, model: str) -> str:
    """Return what a record rests on that was made from a model's formalization: the support of its oracle, and whether it is that."""
    support = support_phrase(provenance)
    if provenance is None or not provenance.formalized or provenance.clique_size is None:
        return support
    if provenance.clique_size == 1:
        return f"{support}: no other formalization passed UT-1"
    return (
        f"{support}: {'the oracle' if provenance.oracle == model else f'a member; the oracle is {provenance.oracle}'}"
    )


def support_phrase(provenance: SourceProvenance | None) -> str:
    """Return in a few words the support of a record's oracle."""
    if provenance is None:
        return "not recorded"
    if not provenance.formalized or provenance.clique_size is None or provenance.confidence is None:
        return "UT-1 alone: the run had no formalization stage"
    clique = f"a clique of {'one' if provenance.clique_size == 1 else provenance.clique_size}"
    # Cut rather than rounded up, so that 1.000 is certain.
    right = "" if provenance.p_right is None else f", p_right {math.floor(provenance.p_right * 1000) / 1000:.3f}"
    return f"{clique}, confidence {provenance.confidence:.2f}{right}"


def selection_phrase(manifest: Mapping[str, Any]) -> str:
    """Return how the sources of a sealed stage were chosen; empty where the manifest does not say."""
    try:
        rule = read_record(SourceRule, manifest.get("sources"))
    except MalformedRecordError:
        return ""
    if not rule.formalized:
        return "The run had no formalization stage: sources are what UT-1 alone confirms, and no record has an oracle."
    asked = []
    if rule.min_clique > 1:
        asked.append(f"at least {rule.min_clique:,} formalizations that agree")
    if rule.min_confidence > 0:
        asked.append(f"a confidence of at least {rule.min_confidence:g}")
    needed = f"; a problem needed {' and '.join(asked)}" if asked else ""
    return f"Sources are members of the clique of each problem, its oracle first{needed}."

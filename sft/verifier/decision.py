"""The judgement on a solution, with line, error type and explanation, from the probabilities of the classes."""

import re
from collections.abc import Callable, Mapping, Sequence

from harness.equations import false_equations
from harness.equations.derivation import false_steps
from harness.solution.labels import FINAL_ANSWER, ErrorClass, ErrorType
from harness.text.markup import without_annotations
from sft.samples.evidence_registry import Signal
from sft.samples.items import Item
from sft.samples.solution_judgement import Hint, Judgement
from sft.verifier.case import Case
from sft.verifier.diagnosis.diagnosis import Diagnosis

SOUND = "correct"
"""The class of solutions without an error."""
CLASSES = (SOUND, str(ErrorClass.CONCEPTUAL))
"""The classes of the combiner: what is proved to be computational is decided before it is asked."""
MOST_EVIDENCE = 12
LONGEST_QUOTE = 160
_NUMERAL = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+", re.ASCII)


def decide(
    case: Case,
    signals: Mapping[str, Signal[Hint]],
    probabilities: Mapping[str, float],
    weights: Mapping[str, float],
    diagnose: Callable[[Case], Diagnosis],
) -> Judgement:
    """Return the judgement on a case: `probabilities` are those of the fitted classes, `weights` the nats of each kind of evidence.

    The verdict is Flawed if the probability of an error is above one half. Line and type are those of `diagnose`; where no type is likely
    enough, it is unknown.
    """
    flawed = min(1.0, max(0.0, 1 - probabilities[SOUND]))
    heaviest = sorted(signals, key=lambda name: -weights.get(name, 0.0))
    hints = [hint for name in heaviest for hint in signals[name].shown]
    if flawed <= 0.5:
        return Judgement(flawed=False, confidence=1 - flawed, evidence=_evidence(hints))
    diagnosis = diagnose(case)
    line, kind = diagnosis.place, diagnosis.error_type
    error_class = ErrorClass.CONCEPTUAL if kind is None else kind.error_class
    of_line = [hint for hint in hints if hint.line == line and hint.kind.placed]
    own = [hint for hint in of_line if hint.kind.error_type is kind is not None]
    reasoning = [hint for hint in hints if hint.kind.sentence]
    seen = [hint for hint in reasoning if hint in of_line] or [hint for hint in reasoning if not hint.kind.placed]
    return Judgement(
        flawed=True,
        confidence=flawed,
        error_class=error_class,
        error_type=kind,
        line=line,
        explanation=_explanation(case, line, kind or error_class, own, seen),
        correction=corrected_line(case.item, own[0]) if own else "",
        evidence=_evidence([*own, *hints]),
    )


def _evidence(hints: Sequence[Hint]) -> tuple[Hint, ...]:
    return tuple(dict.fromkeys(hints))[:MOST_EVIDENCE]


def _explanation(
    case: Case, line: str, error: ErrorClass | ErrorType, own: Sequence[Hint], seen: Sequence[Hint]
) -> str:
    """Return the explanation: the sentence of a hint of the error's type, else the line and what was seen there."""
    where = "The final answer" if line == FINAL_ANSWER else line
    if own:
        return _sentence(where, own[0])
    text = case.item.answer if line == FINAL_ANSWER else case.item.lines[int(line[1:]) - 1]
    description = {
        str(ErrorClass.CONCEPTUAL): "by a step that does not follow from the problem",
        str(ErrorClass.SKIPPED_STEP): "by a step that is missing",
    }.get(str(error), f"most likely of the kind “{str(error).replace('_', ' ')}”")
    told = f"{where} is where the solution most probably goes wrong, {description}: “{_quote(text or '')}”."
    return f"{told} {_sentence(where, seen[0])}" if seen else told


def _sentence(where: str, hint: Hint) -> str:
    found, expected = _quote(hint.found), _quote(hint.expected)
    if hint.kind.sentence:
        return hint.kind.sentence.format(where=where, found=found, expected=expected)
    return f"{where}: {hint.kind.name}: {found}" + (f"; expected is {expected}." if expected else ".")


def _quote(text: str) -> str:
    text = " ".join(without_annotations(text).split())
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def corrected_line(item: Item, hint: Hint) -> str:
    """Return the line of a hint as it should read: a final answer, a false equation, or a false step of a derivation; empty for other hints.

    What is put in is read again: a correction in which an equation or a step is still false is not shown.
    """
    if hint.line == FINAL_ANSWER:
        found, expected = _NUMERAL.findall(hint.found), _NUMERAL.findall(hint.expected)
        return f"#### {expected[-1]}" if found and expected and found[-1] != expected[-1] else ""
    place = int(hint.line[1:]) - 1
    if hint.kind.equation:
        return false_equations.corrected_line(item.lines[place]) if place < len(item.lines) else ""
    step = next((step for step in false_steps(item.lines) if step.second.place == place), None)
    if step is None or step.second.written != hint.found:
        return ""
    corrected = item.lines[place].replace(step.second.written, step.due, 1)
    lines = [*item.lines[:place], corrected, *item.lines[place + 1 :]]
    still = any(place in {each.first.place, each.second.place} for each in false_steps(lines[: place + 1]))
    return "" if still or corrected == item.lines[place] else corrected

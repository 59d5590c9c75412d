"""The judgement on a solution, with line, error type and explanation, from the probabilities of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER, ErrorClass, ErrorType
from harness.text.markup import without_annotations
from sft.models.line_marks import CLASS_OF, MARK_OF
from sft.samples.solution_judgement import Hint, Judgement
from sft.verifier.combiner.combiner import SOUND
from sft.verifier.model_scores import MARKED, TWIN, TYPE_OF_TWIN
from sft.verifier.solution.corrected_line import corrected_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sft.samples.evidence_registry import Signal
    from sft.verifier.case import Case
    from sft.verifier.diagnosis.diagnosis import Diagnosis
    from sft.verifier.model_scores import Scores, Twin

MOST_EVIDENCE = 12
LONGEST_QUOTE = 160
LEAST_GAIN = 0.5
"""In nats: a twin with a smaller gain over its line is not shown."""
LEAST_MARK = 0.1
"""A mark with a lower probability is not shown as a reason."""


@dataclass(frozen=True, slots=True)
class WeighedHint:
    """A hint, and the nats by which its kind of evidence raises the log-odds of an error."""

    hint: Hint
    weight: float


def decide(
    case: Case,
    signals: Mapping[str, Signal[Hint]],
    probabilities: Mapping[str, float],
    weights: Mapping[str, float],
    diagnose: Callable[[Case], Diagnosis] | None = None,
) -> Judgement:
    """Return the judgement on a case: `probabilities` are those of `CLASSES`, `weights` the nats of each kind of evidence.

    The verdict is Flawed if the probability of an error is above one half. `diagnose` says place and kind of an error of reasoning, and
    where no kind is likely enough, it is unknown; without `diagnose` the kind is that of the hints on the line.
    """
    flawed = min(1.0, max(0.0, 1 - probabilities[SOUND]))
    weighed = sorted(
        (WeighedHint(hint, weights.get(name, 0.0)) for name, signal in signals.items() for hint in signal.shown),
        key=lambda weighted: -weighted.weight,
    )
    if flawed <= 0.5:
        return Judgement(flawed=False, confidence=1 - flawed, evidence=_evidence(weighed, ()))
    error_class = max(ErrorClass, key=lambda name: probabilities[name])
    diagnosis = None if diagnose is None or error_class is ErrorClass.COMPUTATIONAL else diagnose(case)
    line = _line(case, error_class, weighed, diagnosis)
    kind = None if diagnosis is None else diagnosis.kind(line)
    if kind is not None:
        error_class = kind.error_class
    twin = _best_twin(case.scores, line, error_class)
    speaking = [
        weighted
        for weighted in weighed
        if weighted.hint.error_class is error_class and weighted.hint.kind.error_type is not None
    ]
    own = [weighted for weighted in speaking if weighted.hint.line == line and weighted.hint.kind.placed]
    if diagnosis is None:
        own = own or [weighted for weighted in speaking if not weighted.hint.kind.placed]
    elif kind is not None:
        own = [weighted for weighted in own if weighted.hint.kind.error_type is kind]
    from_model = [*(_twin_hint(twin) if twin else ()), *(_model_hint(case.scores, line, error_class))]
    return Judgement(
        flawed=True,
        confidence=flawed,
        error_class=error_class,
        error_type=kind or (_type(error_class, line, own, twin) if diagnosis is None else None),
        line=line,
        explanation=_explanation(case, line, kind or error_class, own or _seen(weighed, line), twin, named=bool(own)),
        correction=_correction(case, own, twin),
        evidence=_evidence(
            [*own, *(weighted for weighted in weighed if weighted not in own)], from_model, first=len(own)
        ),
    )


def _evidence(
    weighed: list[WeighedHint], from_model: tuple[Hint, ...] | list[Hint], *, first: int = 0
) -> tuple[Hint, ...]:
    """Return each hint once, those of the model after the first ones."""
    known = {(hint.line, hint.kind) for hint in from_model}
    hints = [weighted.hint for weighted in weighed if (weighted.hint.line, weighted.hint.kind) not in known]
    return tuple(dict.fromkeys((*hints[:first], *from_model, *hints[first:])))[:MOST_EVIDENCE]


def _line(case: Case, error_class: ErrorClass, weighed: list[WeighedHint], diagnosis: Diagnosis | None) -> str:
    """Return the first false line of a computational error, otherwise the most probable place.

    It is that of the diagnosis and the model's marks; without a diagnosis, that of hints and marks.
    """
    places = case.item.places()
    speaking = [
        weighted
        for weighted in weighed
        if weighted.hint.error_class is error_class and weighted.hint.line in places and weighted.hint.kind.placed
    ]
    if error_class is ErrorClass.COMPUTATIONAL:
        false = [weighted.hint.line for weighted in speaking if weighted.hint.kind.proof]
        if false:
            return min(false, key=places.index)
    suspicion = dict.fromkeys(places, 0.0)
    marked = {} if case.scores is None else case.scores.first_error()
    whole = sum(marked.values()) or 1.0
    for (place, mark), share in marked.items():
        suspicion[place] += share / whole if CLASS_OF[mark] is error_class else share / whole / 2
    if diagnosis is not None:
        return max(places, key=lambda place: suspicion[place] + diagnosis.places[place])
    weight = sum(max(0.0, weighted.weight) for weighted in speaking)
    for weighted in speaking:
        share = max(0.0, weighted.weight) / weight if weight else 1 / len(speaking)
        suspicion[weighted.hint.line] += min(1.0, weight) * share if marked else share
    if not any(suspicion.values()):
        # Without a model and without a hint, the line that states the result is chosen.
        return places[max(0, len(case.item.lines) - 1)]
    return max(places, key=lambda place: suspicion[place])


def _best_twin(scores: Scores | None, line: str, error_class: ErrorClass) -> Twin | None:
    if scores is None:
        return None
    fitting = (
        twin
        for twin in scores.twins
        if twin.place == line
        and twin.gain >= LEAST_GAIN
        and (twin.kind == "result") == (error_class is ErrorClass.COMPUTATIONAL)
    )
    return max(fitting, key=lambda twin: twin.gain, default=None)


def _type(error_class: ErrorClass, line: str, own: list[WeighedHint], twin: Twin | None) -> ErrorType | None:
    """Return the type that hints or a twin name on a line, `None` for a conceptual error of unknown kind."""
    if error_class is ErrorClass.COMPUTATIONAL:
        return ErrorType.COMPUTATIONAL
    if error_class is ErrorClass.SKIPPED_STEP:
        return ErrorType.SKIPPED_STEP
    types = [weighted.hint.kind.error_type for weighted in own if weighted.weight > 0]
    types += [TYPE_OF_TWIN[twin.kind]] if twin else []
    for error_type in types:
        if error_type is not None and error_type.error_class is error_class:
            return error_type
    return ErrorType.FINAL_ANSWER_SELECTION if line == FINAL_ANSWER else None


def _seen(weighed: list[WeighedHint], line: str) -> list[WeighedHint]:
    """Return the hints of errors of reasoning on a line, of any type; else those about the whole solution."""
    speaking = [
        weighted
        for weighted in weighed
        if weighted.hint.error_class is not ErrorClass.COMPUTATIONAL and weighted.hint.kind.sentence
    ]
    here = [weighted for weighted in speaking if weighted.hint.line == line and weighted.hint.kind.placed]
    return here or [weighted for weighted in speaking if not weighted.hint.kind.placed]


def _explanation(
    case: Case,
    line: str,
    error: ErrorClass | ErrorType,
    hints: list[WeighedHint],
    twin: Twin | None,
    *,
    named: bool,
) -> str:
    """Return the explanation of the error; `named` tells that the first hint is of the error's type, so that it alone explains it."""
    where = "The final answer" if line == FINAL_ANSWER else line
    sentences = [_sentence(where, hints[0].hint)] if named else []
    if twin and not (named and str(error) == ErrorClass.COMPUTATIONAL):
        sentences.append(f"The likelier line is “{_quote(twin.text)}” ({twin.change}).")
    if not sentences:
        text = case.item.answer if line == FINAL_ANSWER else case.item.lines[int(line[1:]) - 1]
        description = {
            str(ErrorClass.COMPUTATIONAL): "by a calculation whose result is wrong",
            str(ErrorClass.CONCEPTUAL): "by a step that does not follow from the problem",
            str(ErrorClass.SKIPPED_STEP): "by a step that is missing",
        }.get(str(error), f"most likely of the kind “{str(error).replace('_', ' ')}”")
        sentences.append(
            f"{where} is where the solution most probably goes wrong, {description}: “{_quote(text or '')}”."
        )
        sentences += [_sentence(where, hints[0].hint)] if hints else []
    return " ".join(sentences)


def _correction(case: Case, own: list[WeighedHint], twin: Twin | None) -> str:
    """Return the correct line: with the number that the first hint expects, or the likelier twin."""
    corrected = corrected_line(case.item, own[0].hint) if own else ""
    return corrected or (twin.text if twin else "")


def _sentence(where: str, hint: Hint) -> str:
    found, expected = _quote(hint.found), _quote(hint.expected)
    if hint.kind.sentence:
        return hint.kind.sentence.format(where=where, found=found, expected=expected)
    if hint.error_class is ErrorClass.COMPUTATIONAL and expected:
        return f"{where} says {found}, but {expected}."
    return f"{where}: {hint.kind}: {found}" + (f"; expected is {expected}." if expected else ".")


def _quote(text: str) -> str:
    text = " ".join(without_annotations(text).split())
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def _twin_hint(twin: Twin) -> list[Hint]:
    error_class = TYPE_OF_TWIN[twin.kind].error_class
    return [Hint(twin.place, TWIN, error_class, f"{twin.change}, {twin.gain:+.1f} nats", _quote(twin.text))]


def _model_hint(scores: Scores | None, line: str, error_class: ErrorClass) -> list[Hint]:
    """Return the model's mark of the line, if its probability is high enough."""
    mark = MARK_OF[error_class]
    return [
        Hint(line, MARKED, error_class, f"{mark} with probability {place.marks[mark]:.2f}")
        for place in (() if scores is None else scores.places)
        if place.place == line and place.marks[mark] >= LEAST_MARK
    ]

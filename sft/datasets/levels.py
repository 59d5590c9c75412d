"""The levels of detail at which a model is asked: their labels, prompts and expected answers."""

import enum
import json
import re
from dataclasses import dataclass
from typing import Any

from harness.solution.labels import CORRECT, FINAL_ANSWER, FLAWED, ErrorClass, ErrorType, TypeNames, named_error_type
from sft.samples.items import ProblemSample, Truth
from sft.samples.problem_judgement import LONGEST_REASON, PROBLEM_CLASSES
from sft.samples.solution_judgement import LONGEST_EXPLANATION


class Level(enum.StrEnum):
    """The task of a row, from the verdict alone to the whole object; `validator` is a task of its own, on problems."""

    VERDICT = "1"
    PAIR = "2"
    CLASS = "3"
    CLASS_WITH_SKIPPED = "4"
    WHERE = "5"
    MAX = "max"
    VALIDATOR = "validator"


class LabelForm(enum.StrEnum):
    """How the labels of levels 1 to 4 are written: as words, or as numbers."""

    WORDS = "words"
    NUMERIC = "numeric"


@dataclass(frozen=True, slots=True)
class LevelLabel:
    """A label: `flawed` solutions have a class from level 2 on. `meaning` describes it in a prompt."""

    word: str
    flawed: bool
    error_class: ErrorClass | None
    meaning: str


_CORRECT = LevelLabel(word="correct", flawed=False, error_class=None, meaning="nothing is wrong")
_FLAWED = LevelLabel(word="flawed", flawed=True, error_class=None, meaning="a step or the answer is wrong")
_CONCEPTUAL, _COMPUTATIONAL, _SKIPPED = (
    LevelLabel(word=str(error_class), flawed=True, error_class=error_class, meaning=meaning)
    for error_class, meaning in (
        (ErrorClass.CONCEPTUAL, "a step calculates the wrong thing, however well"),
        (ErrorClass.COMPUTATIONAL, "a calculation is set up rightly and its result is wrong"),
        (ErrorClass.SKIPPED_STEP, "a step that the answer needs is missing"),
    )
)
LABELS: dict[Level, tuple[LevelLabel, ...]] = {
    Level.VERDICT: (_CORRECT, _FLAWED),
    Level.PAIR: (_CONCEPTUAL, _COMPUTATIONAL),
    Level.CLASS: (_CORRECT, _CONCEPTUAL, _COMPUTATIONAL),
    Level.CLASS_WITH_SKIPPED: (_CORRECT, _CONCEPTUAL, _COMPUTATIONAL, _SKIPPED),
}
"""The labels of each level that one label answers; the number of a label is its place, from zero."""


def written_labels(level: Level, form: LabelForm) -> tuple[str, ...]:
    """Return the labels of a level as an answer writes them, in the order of `LABELS`."""
    return tuple(label.word if form is LabelForm.WORDS else str(place) for place, label in enumerate(LABELS[level]))


def read_label(level: Level, form: LabelForm, text: str) -> LevelLabel | None:
    """Return the label that an answer names first, `None` if it names none."""
    written = dict(zip(written_labels(level, form), LABELS[level], strict=True))
    named = re.search(rf"(?<![\w.])(?:{'|'.join(map(re.escape, written))})(?![\w.]*\w)", text, re.IGNORECASE)
    return None if named is None else written[named.group().lower()]


COUNTING = (
    f"Lines are counted from the top as L1, L2, …; the line of the final answer is {FINAL_ANSWER}. "
    "Of several wrong lines name the first."
)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _object_forms(names: TypeNames, *, explained: bool) -> str:
    """Return the two forms of the answer, and the values of its fields."""
    fields = {"error_type": "…", "erroneous_line_number": "…", **({"explanation": "…"} if explained else {})}
    flawed = _dump({"verdict": FLAWED, "error_details": fields})
    sentences = [
        f"Answer by one JSON object, {_dump({'verdict': CORRECT, 'error_details': None})} or {flawed}.",
        f'"error_type" is one of {", ".join(dict.fromkeys(map(names.of, ErrorType)))}.',
        f'"erroneous_line_number" is L1, L2, … or {FINAL_ANSWER}.',
    ]
    if explained:
        sentences.append(f'"explanation" says what is wrong there, in at most {LONGEST_EXPLANATION} characters.')
    return "\n".join(sentences)


_QUESTIONS = {
    Level.VERDICT: "Is this solution correct?",
    Level.PAIR: "The second solution is wrong. What is its error?",
    Level.CLASS: "Is this solution correct, and if not, what is its error?",
    Level.CLASS_WITH_SKIPPED: "Is this solution correct, and if not, what is its error?",
    Level.WHERE: f"Is this solution correct? {COUNTING}",
    Level.MAX: f"Is this solution correct? {COUNTING}",
    Level.VALIDATOR: (
        "Is this problem solvable (one answer fits everything it says), contradictory (nothing fits everything it says) "
        "or underspecified (several answers fit)?\n"
        'Answer by one JSON object, {"verdict": "…", "class_label": …, "reason": "…"}.\n'
        + "\n".join(f'"{own.word}" has class_label {int(own)}.' for own in PROBLEM_CLASSES)
        + f'\n"reason" says why, in at most {LONGEST_REASON} characters.'
    ),
}


def instruction_of(level: Level, labels: LabelForm = LabelForm.WORDS, names: TypeNames = TypeNames.OWN) -> str:
    """Return the end of a prompt of a level: what is asked, and how the answer is written."""
    if level in {Level.WHERE, Level.MAX}:
        return f"{_QUESTIONS[level]}\n{_object_forms(names, explained=level is Level.MAX)}"
    if level not in LABELS:
        return _QUESTIONS[level]
    described = [
        f"{mark}: {label.meaning if mark == label.word else f'{label.word}, {label.meaning}'}"
        for mark, label in zip(written_labels(level, labels), LABELS[level], strict=True)
    ]
    one = "Answer by one name." if labels is LabelForm.WORDS else "Answer by one digit."
    return "\n".join([f"{_QUESTIONS[level]} {one}", *described])


def solution_prompt(
    level: Level,
    question: str,
    solution: str,
    reference: str = "",
    *,
    labels: LabelForm = LabelForm.WORDS,
    names: TypeNames = TypeNames.OWN,
) -> str:
    """Return the prompt for a solution; level 2 shows the correct solution, `reference`, before it."""
    solutions = f"Solution:\n{solution}"
    if level is Level.PAIR:
        solutions = f"Correct solution:\n{reference}\n\nWrong solution:\n{solution}"
    return f"Problem:\n{question}\n\n{solutions}\n\n{instruction_of(level, labels, names)}"


def problem_prompt(question: str) -> str:
    """Return the prompt for a problem."""
    return f"Problem:\n{question}\n\n{instruction_of(Level.VALIDATOR)}"


def solution_completion(
    level: Level, truth: Truth, *, labels: LabelForm = LabelForm.WORDS, names: TypeNames = TypeNames.OWN
) -> str | None:
    """Return the expected answer at a level, `None` if the label lacks what the level needs."""
    if level in LABELS:
        for label, written in zip(LABELS[level], written_labels(level, labels), strict=True):
            if label.flawed == truth.flawed and (label.error_class is truth.error_class or level is Level.VERDICT):
                return written
        return None
    if not truth.flawed:
        return _dump(truth.record())
    error_type = named_error_type(truth.error_type or str(truth.error_class or ""))
    if error_type is None or not truth.line or (level is Level.MAX and not truth.explanation.strip()):
        return None
    fields = {"error_type": names.of(error_type), "erroneous_line_number": truth.line}
    if level is Level.MAX:
        fields["explanation"] = truth.explanation[:LONGEST_EXPLANATION]
    return _dump({"verdict": FLAWED, "error_details": fields})


def problem_completion(sample: ProblemSample) -> str:
    """Return the expected answer on a problem."""
    verdict, label = sample.problem_class.word, int(sample.problem_class)
    return _dump({"verdict": verdict, "class_label": label, "reason": sample.reason[:LONGEST_REASON]})

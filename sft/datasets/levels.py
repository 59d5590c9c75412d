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

    error_class: ErrorClass | None
    meaning: str
    flawed: bool = True

    @property
    def word(self) -> str:
        """Return the label as a word, such as `correct` or `skipped_step`."""
        return str(self.error_class or (FLAWED if self.flawed else CORRECT).lower())


_CORRECT = LevelLabel(None, "nothing is wrong", flawed=False)
_FLAWED = LevelLabel(None, "a step or the answer is wrong")
_CONCEPTUAL = LevelLabel(ErrorClass.CONCEPTUAL, "a step calculates the wrong thing, however well")
_COMPUTATIONAL = LevelLabel(ErrorClass.COMPUTATIONAL, "a calculation is set up rightly and its result is wrong")
_SKIPPED = LevelLabel(ErrorClass.SKIPPED_STEP, "a step that the answer needs is missing")
LABELS: dict[Level, tuple[LevelLabel, ...]] = {
    Level.VERDICT: (_CORRECT, _FLAWED),
    Level.PAIR: (_CONCEPTUAL, _COMPUTATIONAL),
    Level.CLASS: (_CORRECT, _CONCEPTUAL, _COMPUTATIONAL),
    Level.CLASS_WITH_SKIPPED: (_CORRECT, _CONCEPTUAL, _COMPUTATIONAL, _SKIPPED),
}
"""The labels of each level that one label answers; the number of a label is its place, from zero."""


COUNTING = (
    f"Lines are counted from the top as L1, L2, …; the line of the final answer is {FINAL_ANSWER}. "
    "Of several wrong lines name the first."
)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


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


@dataclass(frozen=True, slots=True)
class LevelForm:
    """How a model is asked at a level and answers: with the form of the labels, and the names of types of errors."""

    level: Level
    labels: LabelForm = LabelForm.WORDS
    names: TypeNames = TypeNames.OWN

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the labels as an answer writes them, in the order of `LABELS`; none where an object answers."""
        known = LABELS.get(self.level, ())
        return tuple(label.word if self.labels is LabelForm.WORDS else str(place) for place, label in enumerate(known))

    def read_label(self, text: str) -> LevelLabel | None:
        """Return the label that an answer names first, `None` if it names none."""
        written = dict(zip(self.choices, LABELS[self.level], strict=True))
        named = re.search(rf"(?<![\w.])(?:{'|'.join(map(re.escape, written))})(?![\w.]*\w)", text, re.IGNORECASE)
        return None if named is None else written[named.group().lower()]

    @property
    def instruction(self) -> str:
        """Return the end of a prompt: what is asked, and how the answer is written."""
        question = _QUESTIONS[self.level]
        if self.level is Level.VALIDATOR:
            return question
        if self.choices:
            described = [
                f"{mark}: {label.meaning if mark == label.word else f'{label.word}, {label.meaning}'}"
                for mark, label in zip(self.choices, LABELS[self.level], strict=True)
            ]
            one = "Answer by one name." if self.labels is LabelForm.WORDS else "Answer by one digit."
            return "\n".join([f"{question} {one}", *described])
        explained = self.level is Level.MAX
        fields = {"error_type": "…", "erroneous_line_number": "…", **({"explanation": "…"} if explained else {})}
        flawed = _dump({"verdict": FLAWED, "error_details": fields})
        sentences = [
            question,
            f"Answer by one JSON object, {_dump({'verdict': CORRECT, 'error_details': None})} or {flawed}.",
            f'"error_type" is one of {", ".join(dict.fromkeys(map(self.names.of, ErrorType)))}.',
            f'"erroneous_line_number" is L1, L2, … or {FINAL_ANSWER}.',
        ]
        if explained:
            sentences.append(f'"explanation" says what is wrong there, in at most {LONGEST_EXPLANATION} characters.')
        return "\n".join(sentences)

    def prompt(self, question: str, solution: str = "", reference: str = "") -> str:
        """Return the prompt for a solution, which level 2 shows behind the correct one, `reference`; or for a problem."""
        shown = [f"Solution:\n{solution}"]
        if self.level is Level.VALIDATOR:
            shown = []
        elif self.level is Level.PAIR:
            shown = [f"Correct solution:\n{reference}", f"Wrong solution:\n{solution}"]
        return "\n\n".join([f"Problem:\n{question}", *shown, self.instruction])

    def completion(self, truth: Truth) -> str | None:
        """Return the expected answer on a solution, `None` if its label lacks what the level needs."""
        for label, written in zip(LABELS.get(self.level, ()), self.choices, strict=True):
            if label.flawed == truth.flawed and (label.error_class is truth.error_class or self.level is Level.VERDICT):
                return written
        if self.choices:
            return None
        if not truth.flawed:
            return _dump(truth.record())
        explained = self.level is Level.MAX
        error_type = named_error_type(truth.error_type or str(truth.error_class or ""))
        if error_type is None or not truth.line or (explained and not truth.explanation.strip()):
            return None
        fields = {"error_type": self.names.of(error_type), "erroneous_line_number": truth.line}
        fields |= {"explanation": truth.explanation[:LONGEST_EXPLANATION]} if explained else {}
        return _dump({"verdict": FLAWED, "error_details": fields})


VALIDATION = LevelForm(Level.VALIDATOR)
"""How a model is asked about a problem."""


def problem_completion(sample: ProblemSample) -> str:
    """Return the expected answer on a problem."""
    verdict, label = sample.problem_class.word, int(sample.problem_class)
    return _dump({"verdict": verdict, "class_label": label, "reason": sample.reason[:LONGEST_REASON]})

"""The prompts of verifier and validator at each level, and the expected completions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.solution.labels import CORRECT, FINAL_ANSWER, FLAWED, ErrorType, named_error_type
from sft.datasets.level_labels import LABELS, LabelForm, Level, described_labels, label_of
from sft.samples.problem_judgement import LONGEST_REASON, VERDICT_OF
from sft.samples.solution_judgement import LONGEST_EXPLANATION

if TYPE_CHECKING:
    from sft.samples.items import Truth
    from sft.samples.problem_sample import ProblemSample


COUNTING = (
    f"Lines are counted from the top as L1, L2, …; the line of the final answer is {FINAL_ANSWER}. "
    "Of several wrong lines name the first."
)


def _schema(*, explained: bool) -> str:
    """Return the two forms of the answer, and the values of its fields."""
    fields = {"error_type": "…", "erroneous_line_number": "…", **({"explanation": "…"} if explained else {})}
    flawed = _dump({"verdict": FLAWED, "error_details": fields})
    sentences = [
        f"Answer by one JSON object, {_dump({'verdict': CORRECT, 'error_details': None})} or {flawed}.",
        f'"error_type" is one of {", ".join(ErrorType)}.',
        f'"erroneous_line_number" is L1, L2, … or {FINAL_ANSWER}.',
    ]
    if explained:
        sentences.append(f'"explanation" says what is wrong there, in at most {LONGEST_EXPLANATION} characters.')
    return "\n".join(sentences)


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_ASKED = {
    Level.VERDICT: "Is this solution correct?",
    Level.PAIR: "The second solution is wrong. What is its error?",
    Level.CLASS: "Is this solution correct, and if not, what is its error?",
    Level.CLASS_WITH_SKIPPED: "Is this solution correct, and if not, what is its error?",
    Level.WHERE: f"Is this solution correct? {COUNTING}\n{_schema(explained=False)}",
    Level.MAX: f"Is this solution correct? {COUNTING}\n{_schema(explained=True)}",
}
_BY = {LabelForm.WORDS: "Answer by one name.", LabelForm.NUMERIC: "Answer by one digit."}


def instruction_of(level: Level, labels: LabelForm = LabelForm.WORDS) -> str:
    """Return the end of a prompt of a level: what is asked, and how the answer is written."""
    if level not in LABELS:
        return _ASKED[level]
    return f"{_ASKED[level]} {_BY[labels]}\n{described_labels(level, labels)}"


_ASKED[Level.VALIDATOR] = (
    "Is this problem solvable (one answer fits everything it says), contradictory (nothing fits everything it says) or "
    "underspecified (several answers fit)?\n"
    'Answer by one JSON object, {"verdict": "…", "class_label": …, "reason": "…"}.\n'
    + "\n".join(f'"{verdict}" has class_label {int(problem_class)}.' for problem_class, verdict in VERDICT_OF.items())
    + f'\n"reason" says why, in at most {LONGEST_REASON} characters.'
)


def solution_prompt(
    level: Level, question: str, solution: str, reference: str = "", *, labels: LabelForm = LabelForm.WORDS
) -> str:
    """Return the prompt for a solution; level 2 shows the correct solution, `reference`, before it."""
    solutions = (
        f"Correct solution:\n{reference}\n\nWrong solution:\n{solution}"
        if level is Level.PAIR
        else f"Solution:\n{solution}"
    )
    return f"Problem:\n{question}\n\n{solutions}\n\n{instruction_of(level, labels)}"


def problem_prompt(question: str) -> str:
    """Return the prompt for a problem."""
    return f"Problem:\n{question}\n\n{instruction_of(Level.VALIDATOR)}"


def solution_completion(level: Level, truth: Truth, *, labels: LabelForm = LabelForm.WORDS) -> str | None:
    """Return the expected answer at a level, `None` if the label lacks what the level needs."""
    if level in LABELS:
        return label_of(level, labels, flawed=truth.flawed, error_class=truth.error_class)
    if level in {Level.WHERE, Level.MAX}:
        return _object(truth, explained=level is Level.MAX)
    raise ValueError(f"level {level} is no question on a solution")


def _object(truth: Truth, *, explained: bool) -> str | None:
    if not truth.flawed:
        return _dump(truth.record())
    error_type = named_error_type(truth.error_type or str(truth.error_class or ""))
    if error_type is None or not truth.line or (explained and not truth.explanation.strip()):
        return None
    fields = {"error_type": str(error_type), "erroneous_line_number": truth.line}
    if explained:
        fields["explanation"] = truth.explanation[:LONGEST_EXPLANATION]
    return _dump({"verdict": FLAWED, "error_details": fields})


def problem_completion(sample: ProblemSample) -> str:
    """Return the expected answer on a problem."""
    verdict, label = str(VERDICT_OF[sample.problem_class]), int(sample.problem_class)
    return _dump({"verdict": verdict, "class_label": label, "reason": sample.reason[:LONGEST_REASON]})

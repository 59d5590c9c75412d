"""The question of the level `validator`, whether a problem can be solved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sft.datasets.levels import problem_prompt
from sft.judges.question import LONGEST_WRITTEN, QuestionForm, closed_schema
from sft.samples.problem_judgement import PROBLEM_CLASSES, ProblemJudgement
from sft.samples.solution_text import clean

UNSAID = "The model gave no reason."
_CLASSES = {problem_class.word: problem_class for problem_class in PROBLEM_CLASSES}


@dataclass(frozen=True, slots=True)
class ProblemForm(QuestionForm[str, ProblemJudgement]):
    """The question about the text of a problem."""

    def prompt(self, item: str) -> str:
        """Return the prompt of a problem."""
        return problem_prompt(clean(item))

    def schema(self, item: str = "") -> dict[str, Any]:  # noqa: ARG002  # the same for every problem
        """Return the schema of an answer, whose label belongs to its verdict."""
        reason = {"type": "string", "minLength": 1, "maxLength": LONGEST_WRITTEN}
        return {
            "anyOf": [
                closed_schema(
                    {"verdict": {"const": verdict}, "class_label": {"const": int(problem_class)}, "reason": reason}
                )
                for verdict, problem_class in _CLASSES.items()
            ]
        }

    def judgement(self, record: Mapping[str, Any], item: str, chance: float) -> ProblemJudgement:  # noqa: ARG002  # as above
        """Return the judgement of an object; a label beside the verdict must belong to it."""
        verdict = record.get("verdict")
        if not isinstance(verdict, str) or verdict not in _CLASSES:
            raise ValueError(f"verdict must be one of {', '.join(_CLASSES)}")
        problem_class, reason = _CLASSES[verdict], record.get("reason")
        if record.get("class_label", int(problem_class)) != int(problem_class):
            raise ValueError(f"class_label must be {int(problem_class)} where the verdict is {verdict}")
        words = " ".join(clean(reason).split()) if isinstance(reason, str) else ""
        return ProblemJudgement(problem_class, chance, words or UNSAID)

    def unjudged(self, reason: str) -> ProblemJudgement:
        """Return the judgement without a class."""
        return ProblemJudgement.unjudged(reason)

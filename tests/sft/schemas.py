"""The JSON schemas of answers: of a model on a solution, and of each output line of a verifier and a validator."""

from typing import Any

from harness.constraint_system import ProblemClass
from harness.solution.labels import ALIASES, CORRECT, FLAWED, ErrorClass, ErrorType
from sft.judges.forms import closed_schema
from sft.samples.problem_judgement import LONGEST_REASON, LONGEST_WORDS, PROBLEM_CLASSES
from sft.samples.solution_judgement import LONGEST_ERROR, LONGEST_EXPLANATION, LONGEST_FOUND

NULL = {"type": "null"}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def text(most: int, least: int = 0) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "minLength": least, "maxLength": most}


DETAILS: dict[str, Any] = {
    "error_type": {"enum": [*map(str, ErrorType)]},
    "erroneous_line_number": {"type": "string", "pattern": "^(L[1-9][0-9]{0,2}|FA)$"},
    "explanation": text(LONGEST_EXPLANATION, 1),
}
SCHEMA = closed_schema(
    {"verdict": {"enum": [CORRECT, FLAWED]}, "error_details": {"anyOf": [NULL, closed_schema(DETAILS)]}}
)
"""The answer of a model."""
_FURTHER: dict[str, Any] = {
    "error_type": {"enum": [*map(str, ErrorType), str(ErrorClass.CONCEPTUAL)]},
    "alias": {"enum": sorted(map(str, ALIASES))},
    "correction": text(LONGEST_EXPLANATION, 1),
}
_EVIDENCE = closed_schema(dict.fromkeys(("line", "kind", "found", "expected"), text(LONGEST_FOUND)))
_REQUIRED: dict[str, Any] = {
    "verdict": {"enum": [CORRECT, FLAWED, None]},
    "error_details": {"anyOf": [NULL, {**closed_schema({**DETAILS, **_FURTHER}), "required": [*DETAILS]}]},
    "error_class": {"enum": [None, *map(str, ErrorClass)]},
    "confidence": SHARE,
    "evidence": {"type": "array", "items": _EVIDENCE},
}
_OPTIONAL: dict[str, Any] = {
    "prior": SHARE,
    "unread": {
        "type": "array",
        "items": closed_schema({"line": text(LONGEST_FOUND), "reason": text(LONGEST_ERROR, 1)}),
    },
    "error": text(LONGEST_ERROR, 1),
    "not_covered": text(LONGEST_ERROR, 1),
}
RECORD_SCHEMA = {**closed_schema({**_REQUIRED, **_OPTIONAL}), "required": [*_REQUIRED]}
"""An output line of a verifier."""
_FINDING: dict[str, Any] = {
    "kind": text(LONGEST_WORDS, 1),
    "speaks_for": {"enum": [*(own.word for own in PROBLEM_CLASSES)]},
    "found": text(LONGEST_WORDS),
    "says": text(2 * LONGEST_WORDS, 1),
}
PROBLEM_SCHEMA = closed_schema(
    {
        "verdict": {"enum": [*(own.word for own in PROBLEM_CLASSES), None]},
        "class_label": {"enum": [*map(int, ProblemClass), None]},
        "reason": text(LONGEST_REASON, 1),
        "confidence": SHARE,
        "evidence": {"type": "array", "items": closed_schema(_FINDING)},
    }
)
"""An output line of a validator."""

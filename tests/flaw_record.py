"""The one builder of records of flawed solutions that tests write themselves."""

from typing import Any

from harness.json_form import json_form
from harness.solution.labels import ErrorType, Label


def flaw_label(kind: ErrorType, line: str, explanation: str, correction: str = "") -> Any:
    """Return the label of a flawed solution as a record holds it."""
    return json_form(Label.of_error(kind, line, explanation, correction))


def flaw_record(problem_id: str, operator: str, texts: tuple[str, str, str], label: Any, **more: Any) -> dict[str, Any]:
    """Return a record of a flawed solution, whose `texts` are question, solution and flawed solution; `more` are its other fields."""
    question, solution, flawed = texts
    record: dict[str, Any] = {
        "flaw_id": f"{problem_id}:{operator}:0123456789ab",
        "problem_id": problem_id,
        "tier": 1,
        "position": "late",
    }
    record |= {
        "operator": operator,
        "question": question,
        "solution": solution,
        "flawed_solution": flawed,
        "label": label,
    }
    record |= {
        "model": "m",
        "mutation": {"mutation_type": operator, "line": "L1", "variable": "x", "from": "1", "to": "2"},
        "values": [],
        "plausibility": {"score": 0.5, "reasons": []},
        "needs_edit": False,
        "edits": [],
        "question_inputs": [],
        "certificate": {
            "claim": "one-false-equation",
            "oracle": {"inputs": [], "steps": [], "answer": "x"},
            "mutant": None,
            "stated": {},
            "change": {"line": "L1", "variable": "x", "from": "1", "to": "2"},
        },
    }
    return record | more

"""Records of audited labels that are in doubt."""

from typing import Any


def flagged(number: int, text: str = "") -> dict[str, Any]:
    """Return a record in doubt: every third cannot be read, every other third has no finding."""
    kinds = number % 3
    finding = {"line": "L2", "cause": f"stale-number{text}", "found": f"5{text}", "expected": f"7{text}"}
    record = {
        "problem_id": f"p-{number}{text}",
        "left": f"six#{number}{text}",
        "status": ("REFUTED", "UNKNOWN", "CONFIRMED")[kinds],
        "reason": f"unread: no such form{text}",
        "file": f"six{text}",
        "findings": [] if kinds == 1 else [finding],
    }
    if kinds == 1:
        return record
    label = {"said": "flawed", "error_type": f"slip{text}", "line": "L2", "explanation": f"Because.{text}"}
    lines = [f"2 + 3 = 5{text}", f"5 + 1 = 7{text}"]
    return {**record, "label": label, "lines": lines, "answer": f"7{text}", "before": 2}

"""Records of audited labels that are in doubt."""

from typing import Any


def flagged(number: int, text: str = "") -> dict[str, Any]:
    """Return a record in doubt: every third cannot be read, every other third has no finding."""
    kinds = number % 3
    finding = {"line": "L2", "cause": f"stale-number{text}", "found": f"5{text}", "expected": f"7{text}"}
    record: dict[str, Any] = {"problem_id": f"p-{number}{text}", "left": f"six#{number}{text}", "file": f"six{text}"}
    record |= {"status": ("REFUTED", "UNKNOWN", "CONFIRMED")[kinds], "reason": f"unread: no such form{text}"}
    record |= {"findings": [] if kinds == 1 else [finding]}
    if kinds == 1:
        return record
    label = {"said": "flawed", "error_type": f"slip{text}", "line": "L2", "explanation": f"Because.{text}"}
    lines = [f"2 + 3 = 5{text}", f"5 + 1 = 7{text}"]
    return {**record, "label": label, "lines": lines, "answer": f"7{text}", "before": 2}


def diagnosed(text: str = "") -> dict[str, Any]:
    """Return a solution without a label that is wrong; `text` follows each of its texts."""
    record = {
        name: value for name, value in flagged(0, text).items() if name not in {"label", "lines", "answer", "before"}
    }
    rows = [
        {"place": "L1", "line": f"2 + 3 = 5{text}", "steps": [f"sum: 2 + 3 = 5{text}"], "mark": "same"},
        {"place": "L2", "line": f"5 + 2 = 7{text}", "steps": [f"rest: 5 - 2 = 3{text}"], "mark": "differs"},
        {"place": "FA", "line": f"7{text}", "steps": [f"3{text}"], "mark": ""},
    ]
    proof = {"certificate": f"a + b - c{text}", "written": f"a + b + c{text}", "correction": f"5 - 2 = 3{text}"}
    witness = {"inputs": {f"a{text}": "2"}, "left": f"3{text}", "right": f"7{text}"}
    return {**record, **proof, "question": f"How many?{text}", "witness": witness, "rows": rows}

"""The Python and JSON of a compiled template: inputs with comments, steps, and the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from harness.domain import Exact
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import LONGEST_CODE, LONGEST_RESPONSE
from harness.text.number_forms import PLAIN

_JSON = json.JSONEncoder(ensure_ascii=False)
# Characters that would end a line of code or cannot be encoded.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff]+")


def literal_code(value: Exact) -> str:
    """Return a value as a Python literal, or as a quotient of two."""
    if isinstance(value, int):
        return str(value)
    return PLAIN.write(value) or f"{value.numerator}/{value.denominator}"


def input_code(name: str, value: Exact, comment: str | None) -> str:
    """Return the line of code that gives an input; without a comment it is world knowledge."""
    words = "WK" if comment is None else comment
    if not (words.isascii() and words.isprintable()):
        words = _UNPRINTABLE.sub(" ", words)
    return f"    {name} = {literal_code(value)} # {words}"


def template_json(code: Sequence[str], steps: Sequence[Mapping[str, object]], answer: str) -> str:
    """Return the JSON of a template whose answer is an expression over its variables.

    Raises:
        Refusal: the template is larger than a response may be.
    """
    lines = ["def solve():", *code, "    # FA", f"    answer = {answer}", "    return answer"]
    template = {"function_code": "\n".join(lines), "logical_steps": steps}
    text = _JSON.encode(template)
    if len("\n".join(lines)) > LONGEST_CODE or len(text) > LONGEST_RESPONSE:
        raise Refusal(RefusalReason.TOO_LARGE, f"a template of {len(text):,} characters")
    return text

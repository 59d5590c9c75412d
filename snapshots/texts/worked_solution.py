"""The evaluation trace as a worked solution: each line with its inputs, its computation and its readers."""

from __future__ import annotations

import hashlib
import re
import textwrap
import unicodedata
from collections import Counter
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.corpora.gold_answer import match_gold, read_gold
from harness.program.evaluation.evaluator import format_exact
from harness.program.refusal import Refusal
from harness.solution.solution_text import PlacedVariable, render_line
from harness.solution.trace import VariableRole
from harness.text.number_forms import NumberForm, NumberKind, format_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact, Problem
    from harness.program.refusal import ProgramError
    from harness.solution.solution_text import LineLiteral, LineText, SolutionText
    from harness.solution.trace import Trace, TraceEntry

FINAL = "FA"
WIDTH = 100
DIGEST = 12
_INDENT = "    "
_LABEL = 11
_SHOWN = {VariableRole.QUESTION_INPUT: "question", VariableRole.WORLD_KNOWLEDGE_INPUT: "knowledge"}
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_NAME = re.compile(r"[^\W\d]\w*")
_WORDS = re.compile(r"[^\W\d_](?:.*[^\W\d_])?[.,;:!?'’]*", re.DOTALL)
_NUMERAL = re.compile(r"[-$\d.,/% ]+")
_APPROXIMATELY = Context(prec=6)


def worked_solution(problem: Problem, model: str, trace: Trace, text: SolutionText, *, prose: bool) -> str:
    """Return a model's solution of a problem, line by line, ending in a newline.

    Each line of the solution is shown as it is rendered from the trace, then with its variables; then come its inputs
    with their provenance, and its outputs with expression, numbers and exact value, `→` pointing to the variables that
    read them. Without `prose`, digests replace all words of the problem and of the model.
    """
    laid = {line.label: line for line in text.lines}
    labels = dict.fromkeys([*laid, *(mismatch.label for mismatch in text.mismatches), *trace.lines()])
    rows = [_title(model)]
    if any(entry.line is None for entry in trace.entries):
        rows += ["", "outside the lines", *_indented(_entry_rows(trace, None, prose=prose))]
    for label in labels:
        if label != FINAL:
            rows += ["", *_line_rows(label, laid.get(label), text, prose=prose)]
            rows += _indented(_misfit_rows(label, text, prose=prose))
            rows += _indented(_entry_rows(trace, label, prose=prose))
    rows += ["", FINAL, *_indented(_entry_rows(trace, FINAL, prose=prose))]
    rows += _indented(_closing_rows(problem, trace, prose=prose))
    return "".join(f"{row}\n" for row in rows)


def unsolved(model: str, reason: Refusal | ProgramError, *, prose: bool) -> str:
    """Return the section of a model without a trace: why it was refused, or the error that it raises."""
    if not isinstance(reason, Refusal):
        return f"{_title(model)}\n\nno trace: raises {visible_text(reason.name)}\n"
    place = f" (line {reason.line})" if reason.line else ""
    detail = visible_text(reason.detail) if prose else f"detail {text_digest(reason.detail)}"
    return f"{_title(model)}\n\nno template: {reason.reason}{place}: {detail}\n"


def heading(problem: Problem, *, prose: bool) -> str:
    """Return the heading of a problem: its id and its question."""
    tier = "" if problem.tier is None else f", tier {problem.tier}"
    rows = [f"{visible_text(problem.problem_id)}{tier}", ""]
    if prose:
        question = visible_text(" ".join(problem.question.split()))
        rows += _indented(textwrap.wrap(question, WIDTH, break_long_words=False, break_on_hyphens=False))
    else:
        rows += _indented([f"question {text_digest(problem.question)}"])
    return "".join(f"{row}\n" for row in rows)


def visible_text(text: str) -> str:
    r"""Return text on one line with invisible and control characters escaped; different texts give different results.

    >>> visible_text("a\u202eb \\ c ")
    'a\\u202eb \\\\ c\\x20'
    """
    shown = "".join(map(_visible, text))
    ends = len(shown) - len(shown.rstrip(" "))
    return shown[: len(shown) - ends] + "\\x20" * ends


def text_digest(text: str) -> str:
    """Return a short digest of a text that may not be shown."""
    return f"sha256 {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGEST]}"


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if character == "\\":
        return "\\\\"
    if category not in _UNSEEN and (category != "Zs" or character == " "):
        return character
    point = ord(character)
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def _title(model: str) -> str:
    return f"════ {visible_text(model)} ════"


def _indented(rows: Iterator[str] | list[str]) -> list[str]:
    return [f"{_INDENT}{row}" for row in rows]


def _row(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}{text}"


def _line_rows(label: str, line: LineText | None, text: SolutionText, *, prose: bool) -> list[str]:
    """Return the rows of a solution line: its text, its text with variables, and the numbers without a variable."""
    if line is None:
        return [visible_text(label)]
    rendered = render_line(line, text.values)
    rows = [f"{label:<4}{visible_text(rendered) if prose else text_digest(rendered)}".rstrip()]
    if line.variables:
        rows.append(f"{_INDENT}{_pattern(line, prose=prose)}")
    unplaced = Counter(_literal(literal, prose=prose) for literal in line.literals)
    for said, times in unplaced.items():
        rows.append(_INDENT + _row("unplaced", said if times == 1 else f"{said} ({times} times)"))
    return rows


def _literal(literal: LineLiteral, *, prose: bool) -> str:
    """Return a number of a line that has no certain variable, and why."""
    shown = f"“{visible_text(literal.text)}”" if prose or _NUMERAL.fullmatch(literal.text) else "a number in words"
    owners = " or ".join(literal.candidates)
    return f"{shown}: {f'may be {owners}' if owners else 'no variable has its value'}"


def _pattern(line: LineText, *, prose: bool) -> str:
    """Return a line with variables in the places of their values; without `prose`, `…` replaces words."""
    parts = (
        f"{{{part.variable}{_form(part.form)}}}"
        if isinstance(part, PlacedVariable)
        else part
        if prose
        else _WORDS.sub("…", part)
        for part in line.parts
    )
    return visible_text("".join(parts))


def _form(form: NumberForm) -> str:
    """Return how a value is written at a place, empty for plain digits with as many decimals as needed."""
    said = []
    if form.kind is not NumberKind.NUMERAL:
        said.append(f"over {form.denominator}" if form.kind is NumberKind.FRACTION else "in words")
    if form.scale != 1:
        said.append("in hundredths")
    if form.rounded:
        said.append(f"rounded to {form.places}")
    elif form.padded:
        said.append(f"with {form.places} decimals")
    return f": {', '.join(said)}" if said else ""


def _misfit_rows(label: str, text: SolutionText, *, prose: bool) -> Iterator[str]:
    for mismatch in text.mismatches:
        if mismatch.label != label:
            continue
        given = (
            f"the step gives “{visible_text(mismatch.given)}”"
            if prose
            else f"the step gives {text_digest(mismatch.given)}"
        )
        yield _row("misfit", f"{mismatch.cause}; {given}")


def _entry_rows(trace: Trace, label: str | None, *, prose: bool) -> Iterator[str]:
    """Yield the rows of the variables of a line, inputs and outputs in the order of the code."""
    for entry in trace.entries:
        if entry.line != label:
            continue
        role = _row(_SHOWN.get(entry.role, str(entry.role)), "")
        *first, last = _equations(entry, trace)
        steps = [*first, f"{last}{_edges(entry, trace)}"]
        comment = f"   {_comment(entry.comment, prose=prose)}" if entry.comment else ""
        yield f"{role}{entry.variable} = {steps[0]}{comment}"
        for step in steps[1:]:
            yield _row("", f"  = {step}")


def _comment(comment: str, *, prose: bool) -> str:
    return f"“{visible_text(comment)}”" if prose else f"comment {text_digest(comment)}"


def _equations(entry: TraceEntry, trace: Trace) -> Iterator[str]:
    """Yield the expression of a variable, the expression in numbers, and the exact value."""
    if entry.code:
        yield entry.code
        if entry.reads and not _NAME.fullmatch(entry.code):
            read = {name: _operand(trace.values[name]) for name in entry.reads}
            yield _NAME.sub(lambda name: read.get(name.group(), name.group()), entry.code)
    yield exact(entry.value)


def exact(value: Exact) -> str:
    """Return a value exactly, a fraction also in decimals: `7/2 = 3.5`, `7/3 ≈ 2.33333`."""
    if value.denominator == 1:
        return format_exact(value)
    decimals = format_value(value)
    if "/" not in decimals:
        return f"{format_exact(value)} = {decimals}"
    nearly = _APPROXIMATELY.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{format_exact(value)} ≈ {nearly}"


def _operand(value: Exact) -> str:
    text = format_value(value)
    return f"({text})" if "/" in text or value < 0 else text


def _edges(entry: TraceEntry, trace: Trace) -> str:
    """Return the variables that read a variable, with their line if it is another."""
    readers = [
        reader.variable if reader.line == entry.line else f"{reader.variable} ({reader.line or 'no line'})"
        for reader in trace.entries
        if entry.variable in reader.reads
    ]
    if readers:
        return f" → {', '.join(readers)}"
    return "" if entry.variable == trace.result else " → nothing"


def _closing_rows(problem: Problem, trace: Trace, *, prose: bool) -> Iterator[str]:
    yield _row("gold", _gold(problem, trace.answer.value, prose=prose))
    if dead := trace.dead():
        them = "it" if len(dead) == 1 else "them"
        yield _row("dead", f"{', '.join(dead)}: the answer does not depend on {them}")


def _gold(problem: Problem, answer: Exact, *, prose: bool) -> str:
    if problem.gold is None:
        return "none is given"
    gold = read_gold(problem.gold, problem.solution)
    written = visible_text(problem.gold) if prose or _NUMERAL.fullmatch(problem.gold) else text_digest(problem.gold)
    if gold is None:
        return f"{written}, which is no number"
    match = match_gold(Fraction(answer), gold)
    how = "" if match.reason is None else f": {match.reason}"
    return f"{written}, {'reached' if match.reached else 'not reached'}{how}"

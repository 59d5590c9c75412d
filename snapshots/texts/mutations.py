"""The snapshot text of a mutation operator: a sample of its flawed solutions, each as a change to review."""

from __future__ import annotations

import difflib
import functools
import re
from typing import TYPE_CHECKING, Any

from harness.solution.labels import FINAL_ANSWER
from harness.solution.template import may_be_template
from oracles.certificates.flaw_certificate import FlawClaim
from properties.stages.certified_flaws import make
from snapshots.texts import bundled_corpus as bundled
from snapshots.texts.operator_sample import sample
from snapshots.texts.worked_solution import heading, visible_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.domain import Problem, Response
    from snapshots.texts.subjects import OperatorSubject

SEED = 0
_INDENT = "    "
_LABEL = 14
_NOTHING = "—"
_NUMBER = re.compile(r"\d[\d.,/]*")
Record = dict[str, Any]


def mutations_text(subject: OperatorSubject) -> str:
    """Return what the snapshot of an operator should say."""
    chosen = sample(bundled_flaws().get(subject.operator, ()))
    return operator_text(subject.operator, chosen, bundled.problems())


def operator_text(operator: str, flaws: Sequence[Record], problems: Mapping[str, Problem]) -> str:
    """Write some of an operator's flawed solutions, problem by problem, ending in a newline."""
    sections = [f"{visible_text(operator)}\n"]
    if not flaws:
        sections.append(f"{_INDENT}makes no flawed solution of the bundled problems\n")
    last = ""
    for flaw in flaws:
        if flaw["problem_id"] != last:
            last = flaw["problem_id"]
            sections.append(f"════ {heading(problems[last], prose=True)}")
        sections.append(flaw_text(flaw))
    return "\n".join(sections)


def flaw_text(flaw: Record) -> str:
    """Write one flawed solution: what was changed, how it reads, what it computes, and what is claimed and proved of it."""
    change, details = flaw["mutation"], flaw["label"]["error_details"]
    said = {name: visible_text(change[name]) for name in ("line", "variable", "from", "to")}
    rows = [f"──── {said['line']} {said['variable']}: {said['from'] or _NOTHING} → {said['to'] or _NOTHING}", ""]
    rows += [f"{_INDENT}{row}" for row in _difference(flaw["solution"], flaw["flawed_solution"])]
    rows += ["", *_values(flaw["values"])]
    rows.append(_row("label", f"{details['error_type']} on {details['erroneous_line_number']}, {flaw['position']}"))
    rows.append(_row("explanation", details["explanation"]))
    rows.append(_row("correction", details["correction"]))
    rows += _listed(f"plausible {flaw['plausibility']['score']:.2f}", flaw["plausibility"]["reasons"])
    rows += _listed("needs edit", flaw["edits"])
    rows.append(_row("certificate", _claim(flaw["certificate"])))
    return "".join(f"{row}\n" for row in rows)


def _row(label: str, text: str) -> str:
    return f"{_INDENT}{label:<{_LABEL}}  {visible_text(text)}".rstrip()


def _listed(label: str, reasons: Sequence[str]) -> Iterator[str]:
    """Yield a row a reason, the first beside the label."""
    for number, reason in enumerate(reasons or [_NOTHING]):
        yield _row("" if number else label, reason)


def _difference(before: str, after: str) -> Iterator[str]:
    """Yield the lines of a solution that differ, each with its number on its side; the last is the answer.

    Lines that differ in their numbers only are the same line.
    """
    old, new = _numbered(before), _numbered(after)
    said, says = ([_NUMBER.sub("0", text) for _, text in side] for side in (old, new))
    for kind, start, stop, first, last in difflib.SequenceMatcher(None, said, says, autojunk=False).get_opcodes():
        gone, come = old[start:stop], new[first:last]
        both = min(len(gone), len(come))
        for left, right in zip(gone[:both], come[:both], strict=True):
            if kind != "equal" or left[1] != right[1]:
                yield _side("-", *left)
                yield _side("+", *right)
        yield from (_side("-", *left) for left in gone[both:])
        yield from (_side("+", *right) for right in come[both:])


def _numbered(solution: str) -> list[tuple[str, str]]:
    *lines, answer = solution.split("\n")
    return [*((f"L{number}", line) for number, line in enumerate(lines, start=1)), (FINAL_ANSWER, answer)]


def _side(mark: str, label: str, line: str) -> str:
    return f"{mark} {label:<4}{visible_text(line)}".rstrip()


def _values(table: Sequence[Mapping[str, str | None]]) -> Iterator[str]:
    """Yield a row a variable whose value is another one, or gone."""
    for number, row in enumerate(table):
        after = "gone" if row["after"] is None else row["after"]
        place = f" ({row['line']})" if row["line"] else ""
        yield _row("" if number else "values", f"{row['variable']}{place}: {row['before']} → {after}")


def _claim(certificate: Record) -> str:
    """Say in one line what was proved."""
    change = certificate["change"]
    place = f"{change['variable']} ({change['line']})"
    if certificate["claim"] == FlawClaim.ONE_FALSE_EQUATION:
        code = {variable: expression for _, variable, expression in certificate["oracle"]["steps"]}
        equation = f"{code[change['variable']]} = {change['to']} is false, it is {change['from']}"
        return f"{certificate['claim']}: {place}: {equation}; all others hold, the answer is wrong"
    parted = f"{change['from'] or _NOTHING} → {change['to'] or _NOTHING}"
    return f"{certificate['claim']}: {place}: {parted}; all equations hold, the answer is wrong"


@functools.cache
def bundled_flaws() -> Mapping[str, Sequence[Record]]:
    """Return what every operator makes of the bundled problems, with certificates."""
    found: dict[str, list[Record]] = {}
    for problem_id, problem in bundled.problems().items():
        for operator, flaws in make(problem, _templates(problem_id), seed=SEED).flaws.items():
            found.setdefault(operator, []).extend(flaws)
    return found


def _templates(problem_id: str) -> list[Response]:
    """Return the bundled templates of a problem in the order in which the mutation stage tries them."""
    answered = bundled.responses().get(problem_id, {})
    return [answered[model] for model in sorted(answered) if may_be_template(answered[model])]

"""The snapshot text of a mutation operator: a sample of its flawed solutions, each as a change to review."""

from __future__ import annotations

import difflib
import functools
import re
from functools import partial
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER
from oracles.certificates.flaw_certificate import FlawClaim
from properties.stages.certified_flaws import make
from snapshots.texts import bundled_corpus as bundled
from snapshots.texts.operator_sample import sample
from snapshots.texts.operator_text import INDENT, NOTHING, Record, labelled_row, labelled_rows, operator_text
from snapshots.texts.worked_solution import visible_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from snapshots.texts.subjects import OperatorSubject

SEED = 0
_row = partial(labelled_row, width=14)
_rows = partial(labelled_rows, width=14)
_NUMBER = re.compile(r"\d[\d.,/]*")


def mutations_text(subject: OperatorSubject) -> str:
    """Return the text of the snapshot of an operator."""
    chosen = sample(bundled_flaws().get(subject.operator, ()))
    return operator_text(subject.operator, chosen, bundled.problems(), text_of=flaw_text, noun="flawed solution")


def flaw_text(flaw: Record) -> str:
    """Return the text of a flawed solution: the change, the lines that differ, the values, the label and the certificate."""
    change, details = flaw["mutation"], flaw["label"]["error_details"]
    said = {name: visible_text(change[name]) for name in ("line", "variable", "from", "to")}
    rows = [f"──── {said['line']} {said['variable']}: {said['from'] or NOTHING} → {said['to'] or NOTHING}", ""]
    rows += [f"{INDENT}{row}" for row in _difference(flaw["solution"], flaw["flawed_solution"])]
    rows += ["", *_values(flaw["values"])]
    rows.append(_row("label", f"{details['error_type']} on {details['erroneous_line_number']}, {flaw['position']}"))
    rows.append(_row("explanation", details["explanation"]))
    rows.append(_row("correction", details["correction"]))
    rows += _rows(f"plausible {flaw['plausibility']['score']:.2f}", flaw["plausibility"]["reasons"] or [NOTHING])
    rows += _rows("needs edit", flaw["edits"] or [NOTHING])
    rows.append(_row("certificate", _claim(flaw["certificate"])))
    return "".join(f"{row}\n" for row in rows)


def _difference(before: str, after: str) -> Iterator[str]:
    """Yield the lines that differ, each with its label; the last line is the answer.

    Lines that differ only in numbers are paired.
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
    """Yield a row for each variable whose value changed or is gone."""
    changes = []
    for row in table:
        after = "gone" if row["after"] is None else row["after"]
        place = f" ({row['line']})" if row["line"] else ""
        changes.append(f"{row['variable']}{place}: {row['before']} → {after}")
    return _rows("values", changes)


def _claim(certificate: Record) -> str:
    """Return the claim of a certificate in one line."""
    change = certificate["change"]
    place = f"{change['variable']} ({change['line']})"
    if certificate["claim"] == FlawClaim.ONE_FALSE_EQUATION:
        code = {variable: expression for _, variable, expression in certificate["oracle"]["steps"]}
        equation = f"{code[change['variable']]} = {change['to']} is false, it is {change['from']}"
        return f"{certificate['claim']}: {place}: {equation}; all others hold, the answer is wrong"
    parted = f"{change['from'] or NOTHING} → {change['to'] or NOTHING}"
    return f"{certificate['claim']}: {place}: {parted}; all equations hold, the answer is wrong"


@functools.cache
def bundled_flaws() -> Mapping[str, Sequence[Record]]:
    """Return the certified flawed solutions of the bundled problems, by operator."""
    flaws_of: dict[str, list[Record]] = {}
    for problem_id, problem in bundled.problems().items():
        for flaw in make(problem, bundled.templates(problem_id), seed=SEED).records:
            flaws_of.setdefault(flaw["operator"], []).append(flaw)
    return flaws_of

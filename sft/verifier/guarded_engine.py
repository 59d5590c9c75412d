"""The engine around every engine: a proved error decides, and a solution with unread lines is never called Correct without doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER
from sft.samples.solution_judgement import Judgement
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.solution.corrected_line import corrected_line
from sft.verifier.solution.reading_limits import beyond_limits, unread_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item, UnreadLine
    from sft.samples.solution_judgement import Engine, Hint


UNREAD_CONFIDENCE = 0.5
"""The highest confidence of the verdict `Correct` on a solution with a line that may state something false and was not read."""


@dataclass(frozen=True, slots=True)
class GuardedEngine:
    """Judges by the first proved error: a false equation that the label audit certifies, or a false step of a derivation such as `2x = 10`, `x = 6`.

    `engine` is asked about the other solutions. One with a line beyond the limits and without such an error is not judged. The lines that were not read are
    listed in each judgement, and lower the confidence of `Correct` to one half. `any_script`: the engine reads texts in every script.
    """

    engine: Engine
    any_script: bool = False

    @property
    def name(self) -> str:
        """Return the name of the engine that is asked."""
        return self.engine.name

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        unread = [unread_lines(Case(item), any_script=self.any_script) for item in items]
        known = [_known(Case(item), lines) for item, lines in zip(items, unread, strict=True)]
        asked = iter(self.engine.judge([item for item, judged in zip(items, known, strict=True) if judged is None]))
        for lines, judged in zip(unread, known, strict=True):
            yield _with_unread(lines, next(asked) if judged is None else judged, reads_all=self.any_script)


def _known(case: Case, unread: tuple[UnreadLine, ...]) -> Judgement | None:
    """Return the judgement that needs no engine; `None` where nothing is proved and everything was within the limits."""
    if any(statement.false for statement in case.solution.statements) or any(
        map(_decides, EVIDENCE.require("algebra").read(case).shown)
    ):
        return proved(case)
    reason = beyond_limits(unread)
    return Judgement.unjudged(reason) if reason else None


def _with_unread(lines: tuple[UnreadLine, ...], judged: Judgement, *, reads_all: bool) -> Judgement:
    """Return a judgement with the lines that were not read.

    It is no verdict `Correct` if one of them exceeds a limit; if one may state something false in a form that is not read, `Correct` is as likely as
    not, unless the engine reads whole texts by itself (`reads_all`).
    """
    unread = (*lines, *judged.unread)
    reason = beyond_limits(unread)
    if reason and not judged.flawed and not judged.error:
        judged = replace(Judgement.unjudged(reason), evidence=judged.evidence)
    elif lines and not judged.flawed and not reads_all:
        judged = replace(judged, confidence=min(judged.confidence, UNREAD_CONFIDENCE))
    return replace(judged, unread=unread) if unread else judged


def proved(case: Case) -> Judgement | None:
    """Return the judgement by the first false equation that the label audit certifies, or false step of a derivation; `None` without one."""
    hints = [hint for kind in EVIDENCE if not kind.needs_scores for hint in kind.read(case).shown]
    certified = {case.solution.label(place) for place in case.solution.false_lines}
    deciding = [hint for hint in hints if _decides(hint) or (hint.kind.equation and hint.line in certified)]
    places = case.item.places()

    def place(hint: Hint) -> tuple[int, bool]:
        return places.index(hint.line), not hint.kind.equation

    first = min(deciding, key=place, default=None)
    if first is None:
        return None
    if _decides(first):
        # The derivation may have gone wrong before: `x + 5 = 3x - 5`, `x + 5 = 8`, `x = 7`.
        first = min((hint for hint in hints if hint.kind.proof and not hint.kind.equation), key=place)
    return judgement_of_hint(case, first, hints)


def _decides(hint: Hint) -> bool:
    return hint.kind.decides


def judgement_of_hint(case: Case, first: Hint, hints: Sequence[Hint]) -> Judgement:
    """Return the judgement that one hint decides; the other hints stand after it in the evidence.

    Raises:
        ValueError: the hint is of no type of error.
    """
    error_type = first.kind.error_type
    if error_type is None:
        raise ValueError(f"the kind {first.kind.name!r} has no type of error")
    where = "The final answer" if first.line == FINAL_ANSWER else first.line
    expected = f" It should be {first.expected}." if first.expected else ""
    return Judgement(
        flawed=True,
        confidence=first.kind.certainty,
        error_class=error_type.error_class,
        error_type=error_type,
        line=first.line,
        explanation=f"{where} states {first.found}, a {first.kind}.{expected}",
        correction=corrected_line(case.item, first),
        evidence=tuple(dict.fromkeys((first, *hints))),
    )

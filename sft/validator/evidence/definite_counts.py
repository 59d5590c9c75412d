"""Evidence from things that are counted a second time, listed or split, with another number."""

from __future__ import annotations

import re
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemNumber, ProblemText

_DETERMINED = re.compile(r"\b(?P<word>the|these|those|all|both|all of the|all the|each of the)\s$", re.IGNORECASE)
_PART_BEFORE = re.compile(
    r"\b(?:first|last|next|other|remaining|another|additional|extra|final|past|after|of)\s$", re.IGNORECASE
)
_ELSE = re.compile(r"^.{0,24}?\b(?:now|instead|else|another|more|new|other|left|remaining|extra|additional)\b")
_OTHERS = re.compile(r"\b(?P<word>the other|the remaining|the rest,|the last|the next|the first)\s$", re.IGNORECASE)
_ITEM = r"[A-Z][a-z]{1,20}"
_NAMED = re.compile(
    rf"^ ?(?:[a-z]+ ){{0,2}}[a-z]+(?:,| ?--?| ?–| ?—|:| named| called) (?P<names>(?:{_ITEM}, ){{0,5}}{_ITEM},? and {_ITEM})(?=[.;!?]|, (?!and))"
)
# The number of what is left over; in `the rest bought two each`, the number is of something else.
_OTHER = re.compile(
    r"\b(?:the other|the remaining|the rest,|the remainder,|the rest (?:of (?:them|the [a-z]+) )?(?:is|are|was|were)|the other part (?:is|was))(?: [a-z]+ly)? $",
    re.IGNORECASE,
)
_PARTITION = re.compile(
    r"^ (?:[\w'’-]+ ){0,2}?(?:from|who|that|in [A-Z]|he|she|they|(?:in|at|on|of|for) the|of (?:his|her|their))\b"
)

_finding = partial(ProblemFinding, "definite", ProblemClass.CONTRADICTORY)


def _again(problem: ProblemText) -> Iterator[tuple[ProblemNumber, ProblemNumber]]:
    """Yield two different numbers of the same things, the second after a definite word and no sum of the others."""
    counted = [number for number in problem.numbers if number.counts and number.value > 1]
    for place, again in enumerate(counted):
        before = problem.text[: again.mention.start]
        if _DETERMINED.search(before) is None or again.rate or _ELSE.match(problem.text[again.mention.end :]):
            continue
        if _OTHERS.search(before) is not None or _PARTITION.match(problem.text[again.mention.end :]):
            continue
        same = [
            number
            for number in (*counted[:place], *counted[place + 1 :])
            if number.noun == again.noun and _kind(again, number)
        ]
        values = [number.value for number in same]
        sums = {sum(some) for size in (1, 2, 3) for some in combinations(values[:6], size)}
        first = [
            number
            for number in same
            if number.mention.start < again.mention.start
            and _PART_BEFORE.search(problem.text[: number.mention.start]) is None
        ]
        if first and again.value not in sums and len({number.value for number in first}) == 1:
            yield first[0], again


def _kind(again: ProblemNumber, number: ProblemNumber) -> bool:
    return set(again.kind) <= set(number.kind) and not number.rate


def _listed(problem: ProblemText) -> Iterator[tuple[ProblemNumber, str]]:
    for number in problem.numbers:
        match = _NAMED.match(problem.text[number.mention.end : number.mention.end + 160]) if number.counts else None
        if match is not None and len(re.findall(_ITEM, match["names"])) != number.value:
            yield number, match["names"]


def _rest(problem: ProblemText) -> Iterator[tuple[ProblemNumber, str]]:
    """Yield shares that do not add up to a whole, and remainders that do not match the whole."""
    for again in problem.numbers:
        start = problem.sentences[again.sentence].start
        if _OTHER.search(problem.text[start : again.mention.start]) is None or again.mention.text == "one":
            continue
        here = [
            number
            for number in problem.numbers
            if number.sentence == again.sentence and number.mention.start < again.mention.start
        ]
        if _share(again) and here and all(_share(number) for number in here):
            total = sum((number.value for number in here), again.value)
            if total != 1:
                yield again, "the shares do not make a whole"
        elif again.value.denominator == 1 and not again.money and not _share(again) and here:
            parts = [
                number
                for number in here
                if not _share(number) and number.value.denominator == 1 and not number.money and not number.rate
            ]
            wholes = [
                number.value
                for number in problem.numbers
                if number.mention.start < again.mention.start
                and number not in parts[-2:]
                and (not again.noun or number.noun == again.noun)
            ]
            values = [part.value for part in parts[-5:]]
            sums = {sum(some) + again.value for size in (1, 2, 3) for some in combinations(values, size)}
            if (
                parts
                and wholes
                and not again.rate
                and not sums & {*wholes, *(part.value for part in parts)}
                and max(wholes) > again.value
            ):
                yield again, "the parts do not make the whole"


def _share(number: ProblemNumber) -> bool:
    return number.percent or (0 < number.value < 1 and not number.money)


@problem_evidence("definite")
def definite(case: ProblemCase) -> Signal[ProblemFinding]:
    """Things whose number differs where the problem mentions, lists or splits them again."""
    problem = case.problem
    again, listed, rest = list(_again(problem)), list(_listed(problem)), list(_rest(problem))
    findings = [
        _finding(
            problem.around(later), f'First it says "{problem.around(earlier, 0)}", then "{problem.around(later, 4)}".'
        )
        for earlier, later in again[:1]
    ]
    findings += [
        _finding(problem.around(number, 0), f"{number.mention.text} are counted, {names} are listed.")
        for number, names in listed[:1]
    ]
    findings += [_finding(problem.around(number), f"With {number.mention.text} {why}.") for number, why in rest[:1]]
    features = {
        "definite_clash": bool(again),
        "listed_clash": bool(listed),
        "rest_clash": bool(rest),
    }
    return Signal(features, tuple(findings))

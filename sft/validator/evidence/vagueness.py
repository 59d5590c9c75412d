"""Evidence from quantities in vague words, such as `several`, with no value given beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.numbers.number_mentions import mentions
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemText

_LISTS = word_lists(__file__)

_CERTAIN = re.compile(
    rf"\b(?:an? (?:certain|unknown|unspecified|given|set|fixed|particular|small|large|undisclosed)(?: [a-z]+){{0,2}}? (?:{_LISTS.either('certain')})|certain (?:number|amount)s?|an? (?:number|portion|percentage|fraction|amount) of|some (?:amount|number|money|percentage|fraction|time)|unknown|unspecified|somewhat|a bit (?:more|less)|a handful|an hourly rate|at a (?:discount|loss|profit))\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:(?<!the )several|a few|quite a few|(?<!the )(?<!the next )(?<!the last )(?<!the first )few|many times|numerous)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"(?<!how )(?<!as )(?<!so )(?<!too )(?<!that )\bmany (?!as\b|more\b|people like\b)[a-z]+", re.IGNORECASE
)
_SOME = re.compile(r"\bsome(?: (?:of|more|other|extra|additional))?(?= [a-z])", re.IGNORECASE)
_ARTICLE = re.compile(
    rf"\ban? (?:{_LISTS.either('article')})\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?P<before>\S+ )(?P<word>more|less|fewer|older|younger|taller|shorter|longer|heavier|faster|slower|cheaper)(?P<noun>(?: [a-z]+){0,2}?) than (?P<after>\S+)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b(?:between \$?\d[\d.,]* and \$?\d|\$?\d[\d.,]* (?:to|or) \$?\d|(?:more|less|fewer|greater|higher|lower) than \$?\d[\d.,]*|at (?:least|most) \$?\d|"
    r"(?:about|around|approximately|roughly|nearly|almost|over|under|up to) \$?\d)"
)
_GIVEN = re.compile(
    r"^[^.;?!]{0,60}?(?:\((?:exactly |namely |to be exact,? )?[$€£]?[\w.]+|\b(?:exactly|namely|to be (?:exact|precise)|that is|which is|i\.e\.))",
    re.IGNORECASE,
)
SURE = frozenset(["certain", "several", "some", "compared"])

_finding = partial(ProblemFinding, "vagueness", ProblemClass.UNDERSPECIFIED)


@dataclass(frozen=True, slots=True)
class _Vague:
    sort: str
    start: int
    end: int
    given: bool


def _vague_quantities(problem: ProblemText) -> Iterator[_Vague]:
    text, seen = problem.text, -1
    matches = [
        (match.start(), sort, match)
        for sort, pattern in (
            ("certain", _CERTAIN),
            ("several", _SEVERAL),
            ("article", _ARTICLE),
            ("many", _MANY),
            ("some", _SOME),
        )
        for match in pattern.finditer(text)
    ]
    for start, sort, match in sorted(matches, key=lambda match: match[0]):
        if start >= seen:
            seen = match.end()
            yield _Vague(sort, start, match.end(), _given(problem, match.end()))
    for match in _COMPARED.finditer(text):
        bare = match["before"].strip().lower()
        has_value = mentions(f"{bare} ") or re.search(
            r"\d|times|percent|%|many|much|hours?|years?|inch|dollars?|some|cents", bare
        )
        if not has_value and match["after"][:1] not in "0123456789$" and not mentions(match["after"]):
            yield _Vague("compared", match.start("word"), match.end(), _given(problem, match.end()))


def _given(problem: ProblemText, end: int) -> bool:
    match = _GIVEN.match(problem.text[end : end + 120])
    return match is not None and bool(mentions(problem.text[end + match.start() : end + match.end() + 30]))


@problem_evidence("vagueness")
def vagueness(case: ProblemCase) -> Signal[ProblemFinding]:
    """Quantities in vague words, with no value beside them."""
    problem = case.problem
    quantities = list(_vague_quantities(problem))
    before_question = [quantity for quantity in quantities if quantity.start < problem.inquiry]
    features: dict[str, float] = {}
    for sort in ("certain", "several", "article", "many", "some", "compared"):
        features[f"vague_{sort}"] = min(
            2, sum(quantity.sort == sort and not quantity.given for quantity in before_question)
        )
    features["vague_given"] = min(2, sum(quantity.given for quantity in quantities))
    ranges = list(_RANGE.finditer(problem.told))
    features["ranges"] = min(3, len(ranges))
    findings = [
        _finding(
            problem.text[max(0, quantity.start - 20) : quantity.end + 30].strip(),
            f'"{problem.text[quantity.start : quantity.end]}" has no value.',
        )
        for quantity in before_question
        if not quantity.given and quantity.sort in SURE
    ]
    if len(ranges) > 1:
        findings.append(_finding(", ".join(match.group() for match in ranges[:3]), "These are ranges, not values."))
    return Signal(features, tuple(findings))

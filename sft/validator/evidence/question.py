"""Evidence from the question: whether anything is asked, and whether the text gives what it needs."""

from __future__ import annotations

import re
from functools import partial

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, singular_noun
from harness.text.units import TIMES
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

_LISTS = word_lists(__file__)

_MONEY = re.compile(rf"\b(?:{_LISTS.either('money')})\b", re.IGNORECASE)
_MONEY_TOLD = re.compile(r"[$€£]|\b(?:dollars?|cents?|euros?|bucks|free|pence|pesos?|rupees?|pounds?)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\bhow (?:long|old|many (?:hours|minutes|days|weeks|months|years|seconds)|much time)\b", re.IGNORECASE
)
_TIME_TOLD = re.compile(rf"\b(?:{'|'.join(sorted(TIMES))})s?\b|\b\d{{1,2}}:\d\d\b|\b[ap]\.?m\b|\bold\b", re.IGNORECASE)

_CUT = re.compile(
    r"^(?:how(?: (?:many|much|long|old|far))?|what (?:is|was|are|were)(?: the [a-z]+)?|which|who)[\s.,;:]*$|^how (?:many|much)\W*$",
    re.IGNORECASE,
)
_INNER_QUANTITY = re.compile(rf"\b(?:{_LISTS.either('implied')})\b", re.IGNORECASE)

_finding = partial(ProblemFinding, "question", ProblemClass.UNDERSPECIFIED)


@problem_evidence("question")
def question(case: ProblemCase) -> Signal[ProblemFinding]:
    """Whether there is a question, and whether the text before it mentions what it asks for."""
    problem = case.problem
    asked, told = problem.asked, problem.told
    content = [singular_noun(word) for word in words_of(asked) if word not in FUNCTION_WORDS and len(word) > 2]
    known = {singular_noun(word) for word in words_of(told)}
    unknown = [word for word in content if word not in known]
    no_money = bool(asked) and _MONEY.search(asked) is not None and _MONEY_TOLD.search(problem.text) is None
    time = _TIME.search(asked)
    no_time = time is not None and _TIME_TOLD.search(f"{told} {asked[time.end() :]}") is None
    cut = _CUT.match(asked.strip()) is not None
    lone = len(problem.numbers) == 1 and _INNER_QUANTITY.search(problem.text) is None
    findings = []
    if not asked.strip():
        findings.append(_finding(problem.text[-80:], "Nothing is asked."))
    elif cut:
        findings.append(_finding(asked, "The question is cut off."))
    elif not problem.numbers:
        findings.append(_finding(asked, "The problem gives no number."))
    if no_money:
        findings.append(_finding(asked, "It asks for an amount of money and gives none."))
    if no_time:
        findings.append(_finding(asked, "It asks for a time and gives none."))
    features = {
        "asks": bool(asked.strip()),
        "asked_unknown_share": len(unknown) / len(content) if content else 0.0,
        "asks_money_none_given": no_money,
        "asks_time_none_given": no_time,
        "no_number": not problem.numbers,
        "cut_off": cut,
        "lone_number": lone,
    }
    return Signal(features, tuple(findings))

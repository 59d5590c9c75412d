"""Evidence from the question: whether anything is asked, and whether there are numbers to answer it from."""

from functools import partial

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import ProblemText, problem_evidence

_WORDS = english("problems")
_CUT_OFF, _IMPLIED = _WORDS.pattern("cut_off"), _WORDS.pattern("implied", r"\b", r"\b")
_finding = partial(ProblemFinding, "question", ProblemClass.UNDERSPECIFIED)


@problem_evidence("question")
def question(problem: ProblemText) -> Signal[ProblemFinding]:
    """Whether there is a whole question, and numbers to answer it from."""
    asked = problem.asked
    cut_off = _CUT_OFF.match(asked.strip()) is not None
    findings = []
    if not asked.strip():
        findings.append(_finding(problem.text[-80:], "Nothing is asked."))
    elif cut_off:
        findings.append(_finding(asked, "The question is cut off."))
    elif not problem.numbers:
        findings.append(_finding(asked, "The problem gives no number."))
    features = {
        "asks": bool(asked.strip()),
        "no_number": not problem.numbers,
        "cut_off": cut_off,
        "lone_number": len(problem.numbers) == 1 and _IMPLIED.search(problem.text) is None,
    }
    return Signal(features, tuple(findings))

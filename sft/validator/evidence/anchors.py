"""Evidence from quantities that are only compared with each other, where the answer needs an amount."""

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import ProblemNumber, ProblemText, problem_evidence

_WORDS = english("problems")
_BETWEEN = rf"(?: (?!(?:{_WORDS.either('no_comparison')})\b)[\w'’-]+)"
_DIFFERENCE = _WORDS.pattern("comparative", rf"^ ?%?{_BETWEEN}{{0,3}}? ", r"\b")
_FACTOR, _ASKED_RELATION, _KNOWN_WHOLE = (_WORDS.pattern(name) for name in ("factor", "asked_relation", "known_whole"))
_MULTIPLES = _WORDS.words("multiple")


def _is_factor(problem: ProblemText, number: ProblemNumber) -> bool:
    """Tell whether a number is a ratio of two quantities: `twice`, `40% of`, `half`, `3 times`."""
    part = 0 < number.value < 1 and not number.money
    behind = problem.text[number.mention.end : number.mention.end + 20]
    return number.percent or part or number.mention.text.lower() in _MULTIPLES or _FACTOR.match(behind) is not None


def _is_difference(problem: ProblemText, number: ProblemNumber) -> bool:
    """Tell whether a number is a difference of two quantities: `3 more than`."""
    return _DIFFERENCE.match(problem.text[number.mention.end : number.mention.end + 60]) is not None


@problem_evidence("anchored")
def anchored(problem: ProblemText) -> Signal[ProblemFinding]:
    """Whether the numbers give an amount to start from."""
    factors = [number for number in problem.numbers if _is_factor(problem, number)]
    differences = [number for number in problem.numbers if number not in factors and _is_difference(problem, number)]
    relative = len(factors) + len(differences)
    # A difference and a ratio of one pair give both quantities; a day or a week is an amount without a number.
    afloat = (
        0 < relative == len(problem.numbers)
        and not (len(factors) == len(differences) == 1)
        and bool(problem.asked)
        and _ASKED_RELATION.search(problem.asked) is None
        and _KNOWN_WHOLE.search(problem.text) is None
    )
    says = "Quantities are only compared; none is given."
    findings = (ProblemFinding("anchored", ProblemClass.UNDERSPECIFIED, problem.asked, says),) if afloat else ()
    return Signal({"afloat": afloat}, findings)

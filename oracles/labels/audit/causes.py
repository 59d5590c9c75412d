"""The causes for which the audit refutes a label or remarks on it, each with a sentence that explains it."""

import enum


class AuditCause(enum.StrEnum):
    """The kinds of finding; all but the pieces of advice refute the label."""

    NO_SUCH_LINE = "no-such-line"
    ANOTHER_LINE = "label-on-another-line"
    FALSE_ELSEWHERE = "false-equation-elsewhere"
    NO_FALSE_EQUATION = "no-false-equation-on-the-labelled-line"
    FALSE_IN_CONCEPTUAL = "false-equation-in-conceptual"
    NOTHING_CHANGED = "same-as-the-correct-solution"
    STALE_NUMBER = "stale-number"
    ANSWER_DOES_NOT_FOLLOW = "answer-does-not-follow"
    MISPLACED_ANSWER = "misplaced-answer-line"
    EXPLANATION_DISAGREES = "explanation-disagrees"
    FALSE_CORRECTION = "false-correction"
    CORRECT_BUT_FALSE = "correct-but-false"
    CORRECT_BUT_ANOTHER_ANSWER = "correct-but-another-answer"
    RIGHT_ANSWER_CALLED_WRONG = "right-answer-called-wrong"
    FLAWED_BUT_RIGHT_ANSWER = "flawed-but-right-answer"

    @property
    def refutes(self) -> bool:
        """Tell whether the label is wrong, not only remarkable."""
        return self is not AuditCause.FLAWED_BUT_RIGHT_ANSWER

    @property
    def sentence(self) -> str:
        """Return the meaning of the cause."""
        return _SENTENCES[self]


_SENTENCES = {
    AuditCause.NO_SUCH_LINE: "The label names a line that the solution does not have.",
    AuditCause.ANOTHER_LINE: "The first wrong line is another than the labelled one.",
    AuditCause.FALSE_ELSEWHERE: "Beside the labelled line, another line states a false equation.",
    AuditCause.NO_FALSE_EQUATION: "The error is said to be computational, but every equation of the labelled line holds.",
    AuditCause.FALSE_IN_CONCEPTUAL: "The error is said to be conceptual, but an equation is false.",
    AuditCause.NOTHING_CHANGED: "The solution is said to be flawed, but it is the correct one, line by line.",
    AuditCause.STALE_NUMBER: "A later line uses the correct result although the flawed line states another.",
    AuditCause.ANSWER_DOES_NOT_FOLLOW: "The final answer is not what the solution arrives at.",
    AuditCause.MISPLACED_ANSWER: "The line of the final answer is not the last one.",
    AuditCause.EXPLANATION_DISAGREES: "The explanation names a line, a number, an operation or an error that the label does not have.",
    AuditCause.FALSE_CORRECTION: "The correction states a false equation.",
    AuditCause.CORRECT_BUT_FALSE: "The solution is said to be correct, but an equation is false.",
    AuditCause.CORRECT_BUT_ANOTHER_ANSWER: "The solution is said to be correct, but its answer is not the gold answer.",
    AuditCause.RIGHT_ANSWER_CALLED_WRONG: "The final answer is said to be wrong, but it is the gold answer.",
    AuditCause.FLAWED_BUT_RIGHT_ANSWER: "The solution is flawed, and its answer is still the gold answer, or is it when rounded as that is.",
}

"""The causes for which the audit refutes a label or remarks on it."""

import enum


class AuditCause(enum.StrEnum):
    """The kinds of finding; all but the remarks refute the label."""

    NO_SUCH_LINE = "no-such-line"
    """The label names a line that the solution does not have."""
    ANOTHER_LINE = "label-on-another-line"
    """The first wrong line is another than the labelled one."""
    FALSE_ELSEWHERE = "false-equation-elsewhere"
    """Beside the labelled line, another line states a false equation."""
    NO_FALSE_EQUATION = "no-false-equation-on-the-labelled-line"
    """The error is said to be computational, but every equation of the labelled line holds."""
    FALSE_IN_CONCEPTUAL = "false-equation-in-conceptual"
    """The error is said to be conceptual, but an equation is false."""
    NOTHING_CHANGED = "same-as-the-correct-solution"
    """The solution is said to be flawed, but it is the correct one, line by line."""
    STALE_NUMBER = "stale-number"
    """A later line uses the correct result although the flawed line states another."""
    ANSWER_DOES_NOT_FOLLOW = "answer-does-not-follow"
    """The final answer is not what the solution arrives at."""
    MISPLACED_ANSWER = "misplaced-answer-line"
    """The line of the final answer is not the last one: a remark, since the label may be right."""
    EXPLANATION_DISAGREES = "explanation-disagrees"
    """The explanation names a line, a number, an operation or an error that the label does not have."""
    FALSE_CORRECTION = "false-correction"
    """The correction states a false equation."""
    CORRECT_BUT_FALSE = "correct-but-false"
    """The solution is said to be correct, but an equation is false."""
    CORRECT_BUT_ANOTHER_ANSWER = "correct-but-another-answer"
    """The solution is said to be correct, but its answer is not the gold answer."""
    RIGHT_ANSWER_CALLED_WRONG = "right-answer-called-wrong"
    """The final answer is said to be wrong, but it is the gold answer."""
    FLAWED_BUT_RIGHT_ANSWER = "flawed-but-right-answer"
    """A remark: the solution is flawed, and its answer is still the gold answer, or is it when rounded as that is."""

    @property
    def refutes(self) -> bool:
        """Tell whether the label is wrong, not only remarkable."""
        return self not in {AuditCause.FLAWED_BUT_RIGHT_ANSWER, AuditCause.MISPLACED_ANSWER}

"""The questions that `oracle-factory next` chooses and `oracle-factory formalize` asks."""

from dataclasses import dataclass

from harness.json_form import Integer, Number


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRecord:
    """A problem that a model is to be asked to formalize."""

    problem_id: str
    ask: str
    """The model as the command line names it, `openai:gpt-4.1-mini`."""
    dialect: str
    """The form that is asked for."""
    sample: Integer
    """Which answer of the model to the same question, from 0."""
    p_right: Number
    """The probability that the problem's oracle is right, before; 0 if no model was asked."""
    cost: Number
    """The expected cost of the answer, in dollars."""

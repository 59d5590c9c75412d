"""The questions that `oracle-factory next` chooses and `oracle-factory formalize` asks, and how they are read."""

from dataclasses import dataclass
from pathlib import Path

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import Integer, MalformedRecordError, Number, read_record


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRecord:
    """A problem that a model is to be asked to formalize."""

    problem_id: str
    """The problem."""
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


def read_questions(path: Path, *, option: str) -> list[QuestionRecord]:
    """Return the questions of a file in order.

    Raises:
        HarnessError: the file cannot be read, has no question, or a line is none.
    """
    make, questions = f"make them: {runnable('oracle-factory next RUN')}", []
    try:
        records = list(read_records(path))
    except HarnessError as error:
        raise HarnessError(f"{option} {error}; {make}") from None
    for number, record in records:
        try:
            questions.append(read_record(QuestionRecord, record))
        except MalformedRecordError as error:
            raise HarnessError(f"{option} {path}:{number}: expected a question, found {error}; {make}") from None
    if not questions:
        raise HarnessError(f"{option} {path}: expected questions, found none; {make}")
    return questions

"""The examples of prompts: the bundled ones, of `corpora/mini`, and those of a user's file, in one form and checked alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from generators.formalizations.llm_formalizers.answer_check import screen_response
from harness.corpora.problems import read_records
from harness.domain import Problem, Response, Status
from harness.errors import HarnessError
from harness.json_form import Integer, MalformedRecordError, read_record
from harness.program.lifter import read_candidate
from harness.text.tiers import TIERS, tier_of

PROMPTS = Path(__file__).parent / "prompts"
SHOTS = {"parametric": 5, "template": 4}
"""The dialects that prompts ask for, and how many examples each shows if no option says otherwise."""
DIALECTS = tuple(SHOTS)
TEMPLATE = "template"
MOST_EXAMPLES = 1_000
"""Records of a user's file of examples."""
LONGEST_TEXT = 20_000
"""Characters of a question or a solution that a model may be asked about."""
MOST_LINES = 200
_EXPECTED = f'a line like {{"dialect": "{" or ".join(DIALECTS)}", "question": …, "answer": solution and #### 72, "response": …}}'
_Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


@dataclass(frozen=True, slots=True)
class PromptExample:
    """A problem with its tier, and a right answer to it in one dialect."""

    problem: Problem
    answer: str
    tier: int


@dataclass(frozen=True, slots=True)
class ExampleRecord:
    """A line of a file of examples; `answer` is the worked solution, as in a corpus, and `response` the formalization."""

    dialect: str
    question: _Text
    answer: _Text
    response: _Text
    tier: Annotated[Integer, Field(ge=TIERS[0], le=TIERS[-1])] | None = None


def problem_tier(problem: Problem) -> int:
    """Return the tier of a problem: its own, or that of its solution."""
    return tier_of(problem.solution) if problem.tier is None else problem.tier


def unaskable_reason(problem: Problem, *, with_solution: bool) -> str | None:
    """Return why no model is asked about a problem, `None` where it may be."""
    if not problem.question.strip():
        return "no-question: the question of the problem is empty"
    if with_solution and not problem.solution.strip():
        return "no-solution: the model is shown the worked solution, and the corpus has none of this problem"
    for name, text in (("question", problem.question), ("solution", problem.solution if with_solution else "")):
        if len(text) > LONGEST_TEXT or text.count("\n") >= MOST_LINES:
            size = f"{len(text):,} characters in {text.count(chr(10)) + 1:,} lines"
            return f"too-large: a {name} of {size}; at most {LONGEST_TEXT:,} in {MOST_LINES} are sent"
    return None


def read_examples(path: Path = PROMPTS / "examples.jsonl") -> Mapping[str, tuple[PromptExample, ...]]:
    """Read the bundled examples, or a user's, by dialect; an empty file, or a record that a check of models' answers refuses, is a `HarnessError`."""
    examples: dict[str, tuple[PromptExample, ...]] = {}
    for line, record in read_records(path):
        place = f"--examples {path}:{line}"
        if line > MOST_EXAMPLES:
            raise HarnessError(f"{place}: expected at most {MOST_EXAMPLES:,} examples")
        try:
            read = read_record(ExampleRecord, record)
        except MalformedRecordError as error:
            raise HarnessError(f"{place}: {error}; expected {_EXPECTED}") from None
        examples[read.dialect] = (*examples.get(read.dialect, ()), _checked_example(place, read))
    if not examples:
        raise HarnessError(f"--examples {path}: holds no example; expected {_EXPECTED}")
    return examples


def _checked_example(place: str, read: ExampleRecord) -> PromptExample:
    if read.dialect not in DIALECTS:
        raise HarnessError(f"{place}: dialect: expected {' or '.join(DIALECTS)}, found {read.dialect[:80]!r}")
    body, marked, gold = read.answer.rpartition("####")
    solution = (body if marked else read.answer).rstrip("\n")
    problem = Problem(place, read.question, solution, gold.strip() or None if marked else None, read.tier)
    reason = unaskable_reason(problem, with_solution=read.dialect == TEMPLATE)
    if reason is not None:
        raise HarnessError(f"{place}: {reason}")
    response = Response(place, "example", read.response, read.dialect)
    screening = screen_response(problem, response)
    if screening.status is Status.REFUTED:
        raise HarnessError(f"{place}: response: {screening.reason}")
    program = read_candidate(response).program
    if program is None or program.dialect != read.dialect:
        found = "no program" if program is None else f"the dialect {program.dialect}"
        raise HarnessError(f"{place}: response: expected the dialect {read.dialect}, found {found}")
    return PromptExample(problem, read.response.strip(), problem_tier(problem))

"""The examples of prompts: those of `corpora/mini`, the published lines of GSM8K, and those of a user's file."""

from __future__ import annotations

import functools
import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generators.formalizations.annotation_compiler import compile_template
from generators.formalizations.llm_formalizers.answer_check import screen_response
from generators.formalizations.llm_formalizers.prompts.prompt_texts import PROMPTS, unaskable_reason
from harness.corpora.problems import CORPORA, load_corpus, read_records
from harness.corpora.responses import load_responses
from harness.domain import Problem, Response, Status
from harness.errors import HarnessError
from harness.program.candidate import read_candidate
from harness.program.lifter import lift_source
from harness.program.refusal import Refusal
from harness.program.syntax.code_extraction import read_source
from harness.solution.tiers import TIERS, tier_of
from harness.text.numbers import mentions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

TEMPLATE = "template"
MOST_EXAMPLES = 1_000
"""Records of a user's file of examples."""
_PUBLISHED_ID = "gsm8k-train-{}"
_NUMBERED = re.compile(r"_\d+$")
_DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
_INDEX = re.compile(r"Index: \d+\.\s*")
_Text = Annotated[str, Field(min_length=1, max_length=20_000)]


@dataclass(frozen=True, slots=True)
class PromptExample:
    """A problem with its tier, and a right answer to it in one dialect."""

    problem: Problem
    answer: str

    @property
    def tier(self) -> int:
        """Return the tier of the problem."""
        return problem_tier(self.problem)


class ExampleRecord(BaseModel):
    """A line of a user's file of examples; `answer` is the worked solution, as in a corpus, and `response` the formalization."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    dialect: str
    question: _Text
    answer: _Text
    response: _Text
    tier: Annotated[int, Field(ge=TIERS[0], le=TIERS[-1])] | None = None


def problem_tier(problem: Problem) -> int:
    """Return the tier of a problem: its own, or that of its solution."""
    return tier_of(problem.solution) if problem.tier is None else problem.tier


@functools.cache
def example_table() -> Mapping[str, Any]:
    """Return `prompts/examples.toml`."""
    return tomllib.loads((PROMPTS / "examples.toml").read_text(encoding="utf-8"))


@functools.cache
def bundled_examples(dialect: str) -> tuple[PromptExample, ...]:
    """Return the examples of `corpora/mini`, tier by tier."""
    problems = {problem.problem_id: problem for problem in load_corpus("mini")}
    answers = load_responses([CORPORA / "mini" / "formalizations.jsonl"], frozenset(problems)).accepted
    author = example_table()["author"][dialect]
    ids = [problem_id for tier in TIERS for problem_id in example_table()["mini"][str(tier)]]
    return tuple(PromptExample(problems[problem_id], _tidied(answers[problem_id][author].text)) for problem_id in ids)


def published_examples(corpus: Sequence[Problem], excluded: Collection[str] = ()) -> tuple[PromptExample, ...]:
    """Return the published examples of templates, tier by tier, as far as the corpus holds their lines of GSM8K train.

    The template is compiled from the annotations. A tier with a line that is missing, excluded or cannot be compiled is
    completed by bundled examples; a corpus without any of the lines gives none.
    """
    wanted = {_PUBLISHED_ID.format(line) for lines in example_table()["published"].values() for line in lines}
    known = {problem.problem_id: problem for problem in corpus if problem.problem_id in wanted - set(excluded)}
    if not known:
        return ()
    examples: list[PromptExample] = []
    for tier in TIERS:
        lines = example_table()["published"][str(tier)]
        compiled = [_compiled(known.get(_PUBLISHED_ID.format(line)), tier) for line in lines]
        own = [example for example in compiled if example is not None]
        bundled = [example for example in bundled_examples(TEMPLATE) if example.tier == tier]
        examples += [*own, *bundled[: len(lines) - len(own)]]
    return tuple(examples)


def read_examples(path: Path, dialects: Collection[str]) -> dict[str, tuple[PromptExample, ...]]:
    """Read a user's examples, by dialect.

    Raises:
        HarnessError: the file cannot be read or is empty, a line is no such record, or its answer is refused by the checks
            that a model's answer has to pass.
    """
    examples: dict[str, list[PromptExample]] = {}
    for line, record in read_records(path):
        place = f"--examples {path}:{line}"
        if line > MOST_EXAMPLES:
            raise HarnessError(f"{place}: expected at most {MOST_EXAMPLES:,} examples")
        example, dialect = _read_example(place, record, dialects)
        examples.setdefault(dialect, []).append(example)
    if not examples:
        raise HarnessError(f"--examples {path}: holds no example; expected lines like {_expected(dialects)}")
    return {dialect: tuple(own) for dialect, own in examples.items()}


def _read_example(place: str, record: object, dialects: Collection[str]) -> tuple[PromptExample, str]:
    if isinstance(record, Exception):
        raise HarnessError(f"{place}: is no JSON ({str(record)[:100]}); expected a line like {_expected(dialects)}")
    try:
        read = ExampleRecord.model_validate(record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "the line"
        raise HarnessError(f"{place}: {field}: {first['msg']}; expected a line like {_expected(dialects)}") from None
    if read.dialect not in dialects:
        raise HarnessError(f"{place}: dialect: expected {' or '.join(dialects)}, found {read.dialect[:80]!r}")
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
        written = "no program" if program is None else f"the dialect {program.dialect}"
        raise HarnessError(f"{place}: response: expected the dialect {read.dialect}, found {written}")
    return PromptExample(replace(problem, tier=problem_tier(problem)), read.response.strip()), read.dialect


def _expected(dialects: Collection[str]) -> str:
    return f'{{"dialect": "{" or ".join(dialects)}", "question": …, "answer": solution and #### 72, "response": …}}'


def _compiled(problem: Problem | None, tier: int) -> PromptExample | None:
    """Return an annotated problem with the template of its solution, `None` where it has none that is right."""
    if problem is None:
        return None
    try:
        text = compile_template(problem)
    except Refusal:
        return None
    record = json.loads(text)
    if _merges_quantities(problem.question, record["function_code"]):
        return None
    outcome = re.search(r"\n    answer = (\w+)", record["function_code"])
    words = "the answer" if outcome is None else _NUMBERED.sub("", outcome[1]).replace("_", " ")
    record["function_code"] = record["function_code"].replace(
        "def solve():\n", f'def solve():\n    """Returns: {words}."""\n', 1
    )
    text = json.dumps(record, ensure_ascii=False)
    response = Response(problem.problem_id, "example", text, TEMPLATE)
    if screen_response(problem, response).status is not Status.CONFIRMED:
        return None
    return PromptExample(replace(problem, tier=tier), text)


def _merges_quantities(question: str, code: str) -> bool:
    """Tell whether one input may stand for two quantities: it is used twice, and the question has its number twice."""
    stated = Counter(value for mention in mentions(question) for value in set(mention.readings))
    parameters = lift_source(read_source(json.dumps({"function_code": code, "logical_steps": []})), TEMPLATE).parameters
    used = Counter(re.findall(r"\w+", "\n".join(line.partition("#")[0] for line in code.split("\n"))))
    # Once where it is defined, then where it is used.
    return any(stated[parameter.value] > 1 and used[parameter.name] > 2 for parameter in parameters)


def _tidied(text: str) -> str:
    """Return an answer in the one form that is asked for: an author's numbering, and what a JSON object stands in, are left out."""
    source = read_source(text)
    if not source.template:
        return _INDEX.sub("", text).replace('"""\n    Returns', '"""Returns').strip()
    code = _DOCSTRING.sub(lambda match: f'"""{match[1].strip()}"""', _INDEX.sub("", source.code), count=1)
    return json.dumps({"function_code": code, "logical_steps": list(source.steps)}, ensure_ascii=False)

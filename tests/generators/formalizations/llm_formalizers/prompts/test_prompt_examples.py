"""The examples of prompts: the published lines of a GSM8K corpus, and the files of users."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from generators.formalizations.llm_formalizers.answer_check import screen_response
from generators.formalizations.llm_formalizers.prompts.dialect_prompts import corpus_prompts, dialects, load_prompt
from generators.formalizations.llm_formalizers.prompts.prompt_examples import (
    example_table,
    published_examples,
    read_examples,
)
from harness.corpora.problems import load_corpus
from harness.domain import Problem, Response, Status
from harness.errors import HarnessError
from oracles.templates.claims import judge_template, read_solution
from tests.cases import cases
from tests.generators.formalizations.llm_formalizers.formalizing_server import PROBLEMS, RECORDED

if TYPE_CHECKING:
    from pathlib import Path

PUBLISHED = {int(tier): lines for tier, lines in example_table()["published"].items()}
TEMPLATES = load_prompt("template").examples
MINI_AS_GSM8K = [
    replace(problem, problem_id=f"gsm8k-train-{line}", tier=None)
    for line, problem in zip(
        sorted({line for lines in PUBLISHED.values() for line in lines}), PROBLEMS.values(), strict=False
    )
]
"""Problems of `mini` under the ids of the published lines."""


def file_of(folder: Path, *records: Any) -> Path:
    """Write records as lines of JSON."""
    path = folder / "examples.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def record_of(problem: Problem, dialect: str = "template", **other: Any) -> dict[str, Any]:
    """Return the record of a problem of `mini` as a user's example."""
    author = {"parametric": "alder", "template": "birch"}[dialect]
    answer = f"{problem.solution}\n#### {problem.gold}"
    text = RECORDED[problem.problem_id][author].text
    return {"dialect": dialect, "question": problem.question, "answer": answer, "response": text, **other}


def test_published_lines_are_read_from_the_corpus() -> None:
    """Where the corpus has the published lines, they are the examples of their tiers, with a right template of their solution."""
    examples = published_examples(MINI_AS_GSM8K)
    for tier, lines in PUBLISHED.items():
        own = [example for example in examples if example.tier == tier]
        assert len(own) == len(lines)
        looked_up = [example for example in own if example.problem.problem_id.startswith("gsm8k-")]
        assert {example.problem.problem_id for example in looked_up} <= {f"gsm8k-train-{line}" for line in lines}
    for example in examples:
        response = Response("p", "m", example.answer, "template")
        assert screen_response(example.problem, response).status is Status.CONFIRMED


def test_no_published_line_no_published_example() -> None:
    """Another corpus has the bundled examples."""
    assert published_examples(list(PROBLEMS.values())) == ()
    prompts = corpus_prompts(list(PROBLEMS.values()))
    assert {dialect: prompt.version for dialect, prompt in prompts.items()} == {
        dialect: load_prompt(dialect).version for dialect in dialects()
    }


def test_excluded_lines_are_no_examples() -> None:
    """A problem that no stage may use is shown to no model either; a bundled example of its tier stands in."""
    drawing = random.Random("excluded lines")
    ids = [problem.problem_id for problem in MINI_AS_GSM8K]
    for count in range(len(ids) + 1):
        excluded = drawing.sample(ids, count)
        examples = published_examples(MINI_AS_GSM8K, excluded)
        assert not {example.problem.problem_id for example in examples} & set(excluded)
        if count < len(ids):
            assert [example.tier for example in examples] == [tier for tier, lines in PUBLISHED.items() for _ in lines]


def test_published_examples_of_gsm8k(shared_data: Path) -> None:
    """At least twelve of the sixteen published examples compile from GSM8K, and all five claims about each template hold."""
    corpus = load_corpus(str(shared_data / "gsm8k" / "train.jsonl"))
    examples = published_examples(corpus)
    looked_up = [example for example in examples if example.problem.problem_id.startswith("gsm8k-")]
    assert len(examples) == 16
    assert len(looked_up) >= 12
    for example in looked_up:
        reading = read_solution(example.problem, Response("p", "m", example.answer, "template"))
        verdicts = judge_template(example.problem, reading)
        assert {claim: verdict.status for claim, verdict in verdicts.items()} == dict.fromkeys(
            verdicts, Status.CONFIRMED
        )
    shown = corpus_prompts(corpus)["template"].system(
        next(problem for problem in corpus if problem.problem_id.endswith("-0"))
    )
    assert looked_up[0].problem.question not in shown


def test_examples_of_a_file(tmp_path: Path) -> None:
    """Examples of a user replace those of their dialect, and only those; --shots says how many are shown."""
    chosen = [PROBLEMS["mini-004"], PROBLEMS["mini-005"], PROBLEMS["mini-023"]]
    path = file_of(tmp_path, *map(record_of, chosen))
    prompts = corpus_prompts(list(PROBLEMS.values()), examples=path, shots=1)
    assert [example.problem.question for example in prompts["template"].examples] == [
        problem.question for problem in chosen
    ]
    assert prompts["parametric"].examples == load_prompt("parametric").examples
    shown = prompts["template"].shown(PROBLEMS["mini-001"])
    assert [example.problem.question for example in shown] == [chosen[0].question]
    # No example has the tier of this problem.
    assert len(prompts["template"].shown(PROBLEMS["mini-041"])) == 1


def test_versions_tell_examples_and_shots(tmp_path: Path) -> None:
    """Other examples, another number of them or another corpus give another version, and another key in the store."""
    path = file_of(tmp_path, record_of(PROBLEMS["mini-004"]))
    corpus = list(PROBLEMS.values())
    prompts = [
        corpus_prompts(corpus)["template"],
        corpus_prompts(corpus, shots=2)["template"],
        corpus_prompts(corpus, examples=path)["template"],
        corpus_prompts(MINI_AS_GSM8K)["template"],
    ]
    assert len({prompt.version for prompt in prompts}) == 4
    assert len({prompt.system(PROBLEMS["mini-007"]) for prompt in prompts}) == 4


def test_unusable_files(tmp_path: Path) -> None:
    """A file that is missing, without any example or no JSON is refused."""
    path = tmp_path / "examples.jsonl"
    for text, message in ((None, "cannot be read"), ("\n\n", "holds no example; expected"), ("{\n", ":1: is no JSON")):
        if text is not None:
            path.write_text(text)
        with pytest.raises(HarnessError, match=message):
            read_examples(path, dialects())


GOOD = record_of(PROBLEMS["mini-004"])
BAD = [
    ({**GOOD, "dialect": "pal"}, "dialect: expected parametric or template, found 'pal'"),
    ({**GOOD, "question": 7}, "question: Input should be a valid string"),
    ({**GOOD, "question": ""}, "question: String should have at least 1 character"),
    ({**GOOD, "tier": 6}, "tier: Input should be less than or equal to 5"),
    ({**GOOD, "response": "x" * 20_001}, "response: String should have at most 20000 characters"),
    ({key: value for key, value in GOOD.items() if key != "response"}, "response: Field required"),
    ({**GOOD, "response": "def solve():\n    return 3"}, "response: no-steps"),
    ({**GOOD, "response": "{"}, "response: broken-json"),
    ({**GOOD, "answer": "Nothing.\n#### 1234567"}, "response: evaluated at its own values, it gives"),
    ({**GOOD, "answer": f"#### {PROBLEMS['mini-004'].gold}"}, "no-solution"),
    ({**GOOD, "answer": f"{PROBLEMS['mini-005'].solution}\n#### {PROBLEMS['mini-004'].gold}"}, "response: other-line"),
    ({**GOOD, "dialect": "parametric"}, "response: expected the dialect parametric, found the dialect template"),
    ([GOOD], "the line: Input should be a valid dictionary"),
]


@cases(("record", "message"), [pytest.param(*case, id=str(place)) for place, case in enumerate(BAD)])
def test_bad_examples(record: Any, message: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A file with an example that the checks refuse is refused, with file, line, what is wrong and, of the form, what was expected."""
    path = file_of(tmp_path_factory.mktemp("bad"), GOOD, record)
    with pytest.raises(HarnessError) as error:
        read_examples(path, dialects())
    assert str(error.value).startswith(f"--examples {path}:2: {message}")

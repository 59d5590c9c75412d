"""The prompts: stable to the byte, with examples that are right, and nothing in them of the answer."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from generators.formalizations.models.conversation import Conversation, ConversationPolicy
from generators.formalizations.models.dialect_prompts import Prompt, PromptExample, dialects, load_prompt
from generators.formalizations.models.model_specs import ModelSpec
from harness.corpora.problems import CORPORA, read_records
from harness.domain import Response, Status
from harness.errors import HarnessError
from harness.program.candidate import read_candidate
from harness.solution.template import read_template
from oracles.screening import screen
from tests.cases import cases
from tests.generators.formalizations.models.formalizing_server import PROBLEMS, RECORDED

VERSIONS = {"parametric": "b4aa6c5281a9b310", "template": "9efe7c6ec1ebb878"}
MEMBERS = {dialect: ModelSpec("openai", "gpt-4.1-mini", dialect) for dialect in dialects()}
EXAMPLES = [
    pytest.param(dialect, example, id=f"{dialect}-{example.problem.problem_id}")
    for dialect in dialects()
    for example in (*load_prompt(dialect).shown, *load_prompt(dialect).spare)
]
RIGHT = {
    record["problem_id"]: record["right"]
    for _, record in read_records(CORPORA.parent / "tests" / "expected" / "mini.jsonl")
}
PROMPTS = [pytest.param(load_prompt(dialect), id=dialect) for dialect in dialects()]


def numerals(text: str) -> set[str]:
    """Return the numbers that stand in a text, without separators."""
    return {found.replace(",", "").rstrip(".") for found in re.findall(r"\d[\d,]*\.?\d*(?:/\d+)?", text)}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_version(prompt: Prompt) -> None:
    """A prompt changes by intention only: its version is a hash of all it says, and stands here."""
    assert prompt.version == VERSIONS[prompt.dialect]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_one_example_of_each_tier(prompt: Prompt) -> None:
    """Each tier has one example, and one that stands in for it."""
    assert (
        [example.problem.tier for example in prompt.shown]
        == [example.problem.tier for example in prompt.spare]
        == [1, 2, 3, 4, 5]
    )


@cases(("dialect", "example"), EXAMPLES)
def test_examples_are_right(dialect: str, example: PromptExample) -> None:
    """The answer of each example is read in its dialect, gives the gold answer, and is no right answer by wrong logic."""
    response = Response(example.problem.problem_id, "example", example.answer)
    candidate = read_candidate(response)
    assert candidate.program is not None
    assert candidate.program.dialect == dialect
    assert screen(example.problem, candidate).status is Status.CONFIRMED
    author = {"parametric": "alder", "template": "birch"}[dialect]
    assert author in RIGHT[example.problem.problem_id]
    assert "Index" not in example.answer


@pytest.mark.parametrize("prompt", PROMPTS)
def test_shared_part(prompt: Prompt) -> None:
    """The shared part is the same for all problems, but for the examples, in whose place another one of their tier stands."""
    shown = {example.problem.problem_id: place for place, example in enumerate(prompt.shown)}
    usual = prompt.system(PROBLEMS["mini-002"])
    for name, problem in PROBLEMS.items():
        system = prompt.system(problem)
        if name not in shown:
            assert system == usual
            continue
        assert problem.question not in system
        assert prompt.spare[shown[name]].problem.question in system
        assert sum(example.text in system for example in prompt.shown) == len(shown) - 1


@pytest.mark.parametrize("prompt", PROMPTS)
def test_an_example_in_another_corpus(prompt: Prompt) -> None:
    """A problem is known for an example by its words, not by its id."""
    example = prompt.shown[2]
    same = replace(example.problem, problem_id="other-7", question=f"  {example.problem.question.upper()}\n")
    assert example.text not in prompt.system(same)


@pytest.mark.parametrize("dialect", dialects())
def test_gold_is_not_asked_with(dialect: str) -> None:
    """Whatever gold answer and solution are, the question is the same, and so is what is asked after a wrong answer."""
    wrong = "def solve(a: int = 3):\n    return a + 1234567"
    for problem in PROBLEMS.values():
        others = replace(problem, gold="987654321", solution="It is 987,654,321.")
        asked = []
        for variant in (problem, others):
            talk = Conversation(variant, MEMBERS[dialect])
            talk.heard("", wrong)
            asked.append(ConversationPolicy(repairs=1).following(talk))
        assert asked[0] == asked[1]
        assert asked[0] is not None
        assert asked[0].system == load_prompt(dialect).system(problem)
        said = "".join(message.text for message in asked[0].messages)
        assert problem.gold is not None
        assert not (numerals(problem.gold) & numerals(said)) - numerals(problem.question + wrong)


def test_unknown_dialect() -> None:
    """A dialect without a prompt is named with those that have one."""
    with pytest.raises(HarnessError, match="no prompt asks for 'pal'; there are parametric, template"):
        load_prompt("pal")


def objects(schema: Any) -> list[dict[str, Any]]:
    """Return the object schemas within a schema."""
    if isinstance(schema, list):
        return [nested for item in schema for nested in objects(item)]
    if not isinstance(schema, dict):
        return []
    inner = [nested for item in schema.values() for nested in objects(item)]
    return [schema, *inner] if schema.get("type") == "object" else inner


def accepts(schema: dict[str, Any], value: Any) -> bool:
    """Tell whether a value has the form of a schema, of the few words that ours are written in."""
    if "anyOf" in schema:
        return any(accepts(option, value) for option in schema["anyOf"])
    match schema["type"]:
        case "object":
            whole = isinstance(value, dict) and set(value) == set(schema["required"])
            return whole and all(accepts(schema["properties"][name], part) for name, part in value.items())
        case "array":
            return isinstance(value, list) and all(accepts(schema["items"], part) for part in value)
        case "string":
            return isinstance(value, str)
        case kind:
            assert kind == "null"
            return value is None


def test_schema_is_strict() -> None:
    """Every object of the schema requires all it names and allows nothing else, as strict structured output wants it."""
    schema = load_prompt("template").schema
    found = objects(schema)
    assert len(found) == 2
    for form in found:
        assert form["additionalProperties"] is False
        assert list(form["properties"]) == form["required"]


def test_schema_accepts_templates() -> None:
    """The schema accepts every template of the author birch that is whole, and no object without code."""
    schema = load_prompt("template").schema
    assert schema is not None
    texts = [said["birch"].text for said in RECORDED.values() if "birch" in said]
    whole = [text.removeprefix("```json\n").removesuffix("\n```") for text in texts]
    records = []
    for text in whole:
        try:
            records.append(json.loads(text))
        except ValueError:
            continue
    assert len(records) >= 45
    assert [record for record in records if not accepts(schema, record)] == []
    assert not accepts(schema, {"logical_steps": []})


@cases(("dialect", "example"), EXAMPLES)
def test_template_examples(dialect: str, example: PromptExample) -> None:
    """An example of a template is one JSON object of the schema's form, whose steps can be read."""
    if dialect != "template":
        return
    schema = load_prompt("template").schema
    assert schema is not None
    assert accepts(schema, json.loads(example.answer))
    assert read_template(Response("p", "m", example.answer)).repairs == ()


def held(text: str) -> bool:
    """Tell whether the grammar of parametric answers accepts a whole text."""
    llguidance = pytest.importorskip("llguidance", reason="llguidance is optional")
    from llguidance.gbnf_to_lark import gbnf_to_lark

    grammar = load_prompt("parametric").grammar
    assert grammar is not None
    tokens = llguidance.LLTokenizer("byte")
    matcher = llguidance.LLMatcher(tokens, llguidance.grammar_from("lark", gbnf_to_lark(grammar)))
    assert not matcher.get_error()
    return all(matcher.consume_token(byte) for byte in text.encode()) and matcher.is_accepting()


@cases(("dialect", "example"), EXAMPLES)
def test_grammar_accepts_the_examples(dialect: str, example: PromptExample) -> None:
    """A model that is held to the grammar can write what it is shown."""
    if dialect == "parametric":
        assert held(example.answer)


@cases(
    ("old", "new"),
    [
        ("import math", "import os"),
        ("answer = total_cost", "answer = 680"),
        (": int = 5", ": int = five"),
        (" * ", " @ "),
        ("return answer\n", ""),
    ],
)
def test_grammar_refuses(old: str, new: str) -> None:
    """The grammar allows no other library, answer, default or operator, and no end without an answer."""
    answer = load_prompt("parametric").shown[2].answer
    assert old in answer
    assert not held(answer.replace(old, new))


def test_only_a_small_model_is_held_to_the_grammar() -> None:
    """Abler models may use what the grammar leaves out; recorded answers of the small one are found by the question it was asked."""
    problem = PROBLEMS["mini-002"]
    asked = {
        spec: ConversationPolicy().first(problem, ModelSpec(*spec))
        for spec in [("openai", "m"), ("local", ""), ("replay", "local")]
    }
    assert [question.grammar is None for question in asked.values()] == [True, False, False]

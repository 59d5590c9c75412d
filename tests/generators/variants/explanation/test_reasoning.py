"""Tests of variant explanations: they state the numbers of their problem in words, and their wording varies."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

from hypothesis import given, settings, strategies as st

from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.flaws.solution.source_solution import FlawSource
from generators.variants.explanation.phrases import claim_of, fragment, is_quantity_name, noun_phrase_of, quoted
from generators.variants.explanation.reasoning_trace import reasoning_trace
from generators.variants.question.question_edit import QuestionEdit
from generators.variants.variant_operator import VARIANT_OPERATORS, VariantExample
from generators.variants.variant_proposal import VariantProposal
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import BoundKind, ConstraintSystem, Fact, FactSource, ProblemClass
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from tests.cases import cases
from tests.generators.flaws.solution_strategies import solutions
from tests.generators.real_problems import real_sources

CODE = """
# L1
num_boxes = 4 # 4 boxes
num_pens = 6 # 6 pens
ann_pens = num_boxes * num_pens
# L2
pens_given = 10 # 10 pens
pens_left = ann_pens - pens_given
"""
QUESTION = "Ann has 4 boxes of pens. There are 6 pens in each box. She gives 10 pens away. How many pens are left?"
Model = Mapping[str, Exact]


def subject() -> VariantSubject:
    """Return a problem of boxes and pens."""
    return VariantSubject(example_source(CODE, QUESTION))


def edited(
    located: VariantSubject, problem_class: ProblemClass, edit: QuestionEdit, system: ConstraintSystem, **more: object
) -> VariantProposal:
    """Return a proposal whose facts stand where the edit moved them."""
    proposal = VariantProposal(located, "test", problem_class, (edit,), system, **more)  # type: ignore[arg-type]  # as named
    facts = tuple(
        fact if fact.span is None or "new" in fact.name else replace(fact, span=proposal.edited.moved(*fact.span))
        for fact in system.facts
    )
    return replace(proposal, system=replace(system, facts=facts))


def stated() -> VariantProposal:
    """Return the problem with a sentence that says 26 pens where there are 24."""
    located = subject()
    at = QUESTION.index(" She gives")
    added = " Ann has 26 pens in all."
    fact = Fact("new:ann_pens", "ann_pens", 26, FactSource.TEXT, added.strip(), (at + 9, at + 11))
    system = replace(located.system, facts=(*located.system.facts, fact))
    return edited(located, ProblemClass.CONTRADICTORY, QuestionEdit(at, at, "", added), system, clash=(fact.name,))


def broken() -> VariantProposal:
    """Return the problem in which 30 of 24 pens are given away."""
    located = subject()
    at = QUESTION.index("10 pens")
    facts = tuple(replace(fact, value=30) if fact.variable == "pens_given" else fact for fact in located.system.facts)
    system = replace(located.system, facts=facts)
    assert any(bound.kind is BoundKind.AT_MOST and bound.limit == "ann_pens" for bound in system.bounds)
    clash = tuple(bound.name for bound in system.bounds if bound.kind is BoundKind.AT_MOST)
    return edited(located, ProblemClass.CONTRADICTORY, QuestionEdit(at, at + 2, "10", "30"), system, clash=clash)


def vague() -> VariantProposal:
    """Return the problem without the number of boxes."""
    located = subject()
    at = QUESTION.index("4 boxes")
    facts = tuple(fact for fact in located.system.facts if fact.variable != "num_boxes")
    system = replace(located.system, facts=facts)
    proposal = VariantProposal(
        located, "test", ProblemClass.UNDERSPECIFIED, (QuestionEdit(at, at + 1, "4", "some"),), system
    )
    spans = (replace(fact, span=proposal.edited.moved(*(fact.span or (0, 0)))) for fact in facts)
    return replace(proposal, system=replace(system, facts=tuple(spans)))


def models(proposal: VariantProposal) -> tuple[Model, ...]:
    """Return two models that differ in every free variable."""
    own = {name: proposal.subject.values[name] for name in proposal.system.free}
    return tuple(proposal.system.complete({name: value + step for name, value in own.items()}) for step in (0, 1))


CORE = ("fact:num_boxes", "fact:num_pens", "step:ann_pens")


def told(proposal: VariantProposal, seed: int, core: Sequence[str] = CORE, found: Sequence[Model] = ()) -> str:
    """Return the explanation that a seed gives."""
    return reasoning_trace(proposal, [*core, *proposal.clash], found, Random(seed))


def faults(text: str, proposal: VariantProposal, found: Sequence[Model] = ()) -> Iterator[str]:
    """Yield what no explanation may hold."""
    if (name := re.search(r"\w_\w|[{}<>]", text)) is not None:
        yield f"not words: {name[0]}"
    if (twice := re.search(r"\b(the|a|an|of|is|that) \1\b", text, re.IGNORECASE)) is not None:
        yield f"doubled: {twice[0]}"
    if not text[0].isupper() and not text[0].isdigit() and text[0] not in '"-':
        yield "does not begin as a sentence"
    if not text.endswith("."):
        yield "does not end as a sentence"
    allowed = set(numbers_of(proposal, found))
    for mention in mentions(text):
        if mention.text.lower() != "one" and allowed.isdisjoint(mention.readings):
            yield f"{mention.text} is no number of the problem"


def numbers_of(proposal: VariantProposal, found: Sequence[Model]) -> Iterator[Exact]:
    """Yield the values of a system and its models, the constants of its steps, and what its bounds allow."""
    system = proposal.system
    values: list[Exact] = [fact.value for fact in system.facts]
    with contextlib.suppress(Refusal, ProgramError):
        values += system.complete({name: proposal.subject.values.get(name, 0) for name in system.free}).values()
    for model in found:
        values += model.values()
    values += [bound.limit for bound in system.bounds if isinstance(bound.limit, int | Fraction)]
    for step in system.steps:
        constants = (node.value for _, node in nodes(step.expression) if isinstance(node, ir.Const))
        values += [value for value in constants if isinstance(value, int | Fraction)]
    for value in values:
        yield value
        yield -value


@cases("seed", range(12))
def test_a_clash_is_worked_out(seed: int) -> None:
    """Both values, the numbers that give the one, and the words that say the other are told."""
    proposal = stated()
    text = told(proposal, seed)
    assert '"Ann has 26 pens in all"' in text
    assert "4 * 6 = 24" in text or "4*6=24" in text
    assert '"4 boxes of pens"' in text
    assert '"6 pens"' in text
    assert not list(faults(text, proposal))


@cases("seed", range(12))
def test_a_broken_bound_names_part_and_whole(seed: int) -> None:
    """More than there is cannot be taken."""
    proposal = broken()
    text = told(proposal, seed)
    assert '"30 pens"' in text or "30" in text
    assert "24" in text
    assert not list(faults(text, proposal))


@cases("seed", range(12))
def test_a_gap_is_named_and_tried(seed: int) -> None:
    """What is not said is named, and two values of it lead to two answers."""
    proposal = vague()
    found = models(proposal)
    text = told(proposal, seed, (), found)
    assert "boxes" in text.split(".")[0]
    assert "14" in text
    assert "20" in text
    assert not list(faults(text, proposal, found))


def test_a_restated_input_is_quoted_in_order() -> None:
    """Two values of one quantity are told as the text says them."""
    located = subject()
    at = QUESTION.index(" There are")
    added = " That is, Ann has five boxes of pens."
    fact = Fact("new:num_boxes", "num_boxes", 5, FactSource.TEXT, added.strip(), (at + 18, at + 22))
    system = replace(located.system, facts=(*located.system.facts, fact))
    proposal = edited(located, ProblemClass.CONTRADICTORY, QuestionEdit(at, at, "", added), system, clash=(fact.name,))
    texts = {told(proposal, seed, ("fact:num_boxes",)) for seed in range(20)}
    assert all(text.index('"4 boxes of pens"') < text.index('"five boxes of pens"') for text in texts)
    assert not [fault for text in texts for fault in faults(text, proposal)]


def test_explanations_vary_by_seed_alone() -> None:
    """Twenty seeds give several phrasings, the same seed the same one."""
    for proposal, found in ((stated(), ()), (broken(), ()), (vague(), models(vague()))):
        texts = [told(proposal, seed, found=found) for seed in range(20)]
        assert len(set(texts)) >= 8
        assert texts == [told(proposal, seed, found=found) for seed in range(20)]


@settings(max_examples=40)
@given(solutions(), st.integers(0, 2**32))
def test_whatever_the_solution_only_its_numbers_are_told(source: FlawSource, seed: int) -> None:
    """Explanations of all classes of arbitrary solutions hold nothing but words and values."""
    located = VariantSubject(source)
    for proposal, core, found in proposals(located):
        text = reasoning_trace(proposal, core, found, Random(seed))
        assert not list(faults(text, proposal, found)), text


def proposals(located: VariantSubject) -> Iterator[tuple[VariantProposal, tuple[str, ...], tuple[Model, ...]]]:
    """Yield a proposal of each class for a problem, without any edit."""
    yield VariantProposal(located, "test", ProblemClass.SOLVABLE, (), located.system), (), ()
    step = located.system.steps[0]
    fact = Fact("stated", step.variable, located.values[step.variable] + 1, FactSource.TEXT, "")
    system = replace(located.system, facts=(*located.system.facts, fact))
    yield (
        VariantProposal(located, "test", ProblemClass.CONTRADICTORY, (), system, clash=("stated",)),
        ("stated", step.name),
        (),
    )
    if located.system.facts:
        _, *rest = located.system.facts
        open_system = replace(located.system, facts=tuple(rest))
        proposal = VariantProposal(located, "test", ProblemClass.UNDERSPECIFIED, (), open_system)
        try:
            found = models(proposal)
        except (Refusal, ProgramError):
            return
        # Quotients of quotients are written as such: `1/3 / 2`.
        if all("/" not in format_value(value) for model in found for value in model.values()):
            yield proposal, (), found


@cases("example", [shown for operator in VARIANT_OPERATORS for shown in operator.examples])
def test_examples_of_operators_are_explained(example: VariantExample) -> None:
    """What an operator makes of its own examples can be explained."""
    located = VariantSubject(example_source(example.code, example.question))
    for operator in VARIANT_OPERATORS:
        for proposal in operator.variants(located, Random(0)):
            if isinstance(proposal, VariantProposal):
                found = proposal.witnesses[:2]
                filled = tuple(proposal.system.complete(free) for free in found)
                text = reasoning_trace(proposal, proposal.clash, filled, Random(1))
                assert not list(faults(text, proposal, filled)), text


@cases(
    ("variable", "phrase"),
    [
        ("num_red_pens", "the number of red pens"),
        ("total_pens", "the number of total pens"),
        ("pens_per_box", "the number of pens per box"),
        ("ann_pens", "the number of Ann's pens"),
        ("cost_of_pens", "the cost of pens"),
        ("avg_weight", "the average weight"),
        ("pens_ann", "the number of pens for Ann"),
        ("trip2", None),
        ("half_price", None),
        ("x", None),
        ("ann", None),
        ("tmp", None),
    ],
)
def test_names_are_told_as_words(variable: str, phrase: str | None) -> None:
    """A name is a noun phrase without abbreviations and numbers, or it is not told."""
    unit = Unit(Quantity.COUNT, "pen") if "pens" in variable and "cost" not in variable else Unit(Quantity.NUMBER)
    assert noun_phrase_of(variable, unit, frozenset(["ann"])) == phrase


@cases(
    ("text", "number", "words"),
    [
        ("He plants 6 rows of tomato seedlings and waters them.", "6", "6 rows of tomato seedlings"),
        ("It costs $20 each.", "20", "$20"),
        ("She buys 3 pens for 2 dollars.", "3", "3 pens"),
        ("Ben is 40 years old ten years from now.", "40", "40 years old"),
        ("He eats 5 more.", "5", "5"),
    ],
)
def test_a_fragment_ends_where_its_clause_turns(text: str, number: str, words: str) -> None:
    """The words after a number belong to it up to a verb, a preposition or another number."""
    start = text.index(number)
    assert fragment(text, start, start + len(number)) == words


def test_a_bare_number_is_quoted_with_its_clause() -> None:
    """Where no noun follows a number, the clause around it is quoted, without the word that opens it."""
    text = "If Ann's age is 20, how old is Ben?"
    assert quoted(text, (16, 18), {20}) == "Ann's age is 20"


@cases(
    ("text", "number", "words"),
    [
        ("If she uses less than 4 yards of fabric, how much is left?", "4", "less than 4 yards of fabric"),
        ("If she pays at least $40 for it, how much is left?", "40", "at least $40"),
        ("She uses less than 4 yards of fabric.", "4", "She uses less than 4 yards of fabric"),
    ],
)
def test_a_limit_is_quoted_with_its_words(text: str, number: str, words: str) -> None:
    """`4 yards` alone would say that it is 4."""
    place = text.index(number)
    assert claim_of(text, (place, place + len(number)), {int(number)}) == words


def test_other_numbers_are_not_quoted() -> None:
    """A sentence with a number that is none of the problem's quantities is not quoted as a whole."""
    text = "In 1990 there were 30 pens. How many are left?"
    assert claim_of(text, (19, 21), {30}) == "30 pens"
    assert claim_of(text, (19, 21), {30, 1990}) == "In 1990 there were 30 pens"


def test_real_problems_are_explained_in_their_own_numbers(shared_data: Path) -> None:
    """Explanations of real problems hold words, and no number that is not the problem's."""
    sources = list(real_sources(shared_data, 60, step=140))
    assert len(sources) > 30
    for source in sources:
        for proposal, core, found in proposals(VariantSubject(source)):
            text = reasoning_trace(proposal, core, found, Random(source.problem.problem_id))
            assert not list(faults(text, proposal, found)), (source.problem.problem_id, text)


@cases(
    ("name", "reads"),
    [
        ("the number of hunting wolves", True),
        ("the polo shirt price", True),
        ("the minutes per room", True),
        ("the speed mph", False),
        ("the cm tall", False),
        ("the years ago", False),
        ("the total sand all cities", False),
    ],
)
def test_only_names_of_quantities_name_what_is_missing(name: str, reads: bool) -> None:
    """A name from a variable that does not end in what is measured or counted is no English."""
    assert is_quantity_name(name) is reads

"""The diagnosis by an oracle: its laws over right, wrong and hostile solutions."""

import time

import pytest
from hypothesis import assume, given, settings, strategies as st

from harness.domain import Response
from harness.program.lifter import lift
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.solution.trace import trace_program
from sft.diagnosis.decision import Diagnosis, diagnose
from sft.diagnosis.oracle import Oracle, oracle_of_programs, oracle_of_solution
from sft.samples.solution_text import read_item
from sft.verifier.command import verify
from tests.cases import cases, lines_beside
from tests.certified_records import certified_flaw_records
from tests.sft.hostile import ODD, TEXTS


def _code(inputs: str, steps: str) -> str:
    """Return a program of inputs with their values, and steps that are separated by semicolons; the last step is the result."""
    *assigned, result = steps.split("; ")
    return "\n    ".join([f"def solve({inputs}):", *assigned, f"return {result}"])


def _oracle(question: str, *programs: str, p_right: float = 0.9) -> Oracle:
    responses = [Response("p", str(way), code) for way, code in enumerate(programs)]
    return oracle_of_programs(question, responses, trace_program(lift(responses[0])).answer.value, p_right)


def _found(oracle: Oracle | None, lines: str, question: str = "") -> Diagnosis:
    """Diagnose lines that are separated by semicolons; where none states an answer, it is the last result."""
    answer = "" if "####" in lines or lines == PROGRAM else f"\n#### {lines.rpartition('= ')[2].split()[0].rstrip('.')}"
    return diagnose(read_item(question or getattr(oracle, "question", ""), lines.replace("; ", "\n") + answer), oracle)


QUESTION = "A hall has 12 rows of 15 chairs. For a concert 4 rows are taken away, and 26 chairs stay empty. How many people sit?"
WAY = _code("rows=12, chairs=15, taken=4, empty=26", "left = rows - taken; seats = left * chairs; seats - empty")
OTHER_WAY = "def solution():\n    rows = 12\n    chairs = 15\n    taken = 4\n    empty = 26\n    total = rows * chairs\n    gone = taken * chairs\n    seats = total - gone\n    return seats - empty"
HALL = _oracle(QUESTION, WAY, OTHER_WAY)
RIGHT = "There are 12 - 4 = 8 rows.; They have 8 * 15 = 120 chairs.; So 120 - 26 = 94 people sit."
SWAPPED = "The hall has 12 * 15 = 180 chairs.; 4 rows have 4 * 15 = 60 chairs.; 180 - 60 = 120 stay.; 120 - 26 = 94."
ADDED = "12 + 4 = 16 rows.; 16 * 15 = 240 chairs.; 240 - 26 = 214."
SEATS = "12 - 4 = 8 rows.; 8 * 15 = 120 chairs."
PROGRAM = "rows = 12; chairs = 15; taken = 4; left = rows + taken; empty = 26; sit = left * chairs - empty; print(sit)"


@cases(
    ("lines", "expected"),
    [
        (RIGHT, "RIGHT_PROVED"),
        (SWAPPED, "RIGHT_PROVED"),
        ("94 people sit.; #### 94", "RIGHT_BY_VALUE"),
        (f"12 + 4 = 16; {RIGHT}", "RIGHT_BY_VALUE"),
        (f"{RIGHT}; 94 + 12 = 106; #### 94", "RIGHT_BY_VALUE"),
        (ADDED, "WRONG_PROVED L1 operator_swap"),
        ("12 - 4 = 8 rows.; 8 * 15 = 130 chairs.; 130 - 26 = 104.", "WRONG_PROVED L2 computational_error"),
        ("12 - 4 = 8 rows.; 8 * 12 = 96 chairs.; 96 - 26 = 70.", "WRONG_PROVED L2 wrong_reference_group"),
        (f"{SEATS}; 120 + 0 = 120.", "WRONG_PROVED L2 skipped_step"),
        ("12 - 3 = 9 rows.; 9 * 15 = 135 chairs.; 135 - 26 = 109.", "WRONG_PROVED L1 input_misrepresentation"),
        (f"{SEATS}; So 120 people sit.; #### 120", "WRONG_PROVED L3 skipped_step"),
        (f"{SEATS}; 120 - 26 = 120.", "WRONG_PROVED L3 computational_error"),
        (PROGRAM, "WRONG_PROVED L4 operator_swap"),
    ],
)
def test_kinds_of_error(lines: str, expected: str) -> None:
    """The line and the kind of one wrong step are found; other right ways, right results and lines that name a given number are not accused."""
    found = _found(HALL, lines)
    assert " ".join(filter(None, (found.status.name, found.line, found.error_type))) == expected


def test_certificate_and_witness() -> None:
    """A proved diagnosis has the repaired program and inputs at which the solution as written differs."""
    found = _found(HALL, ADDED)
    assert found.certificate is not None
    assert found.certificate.program == "(rows - taken) * chairs - empty"
    assert found.certificate.written == "(rows + taken) * chairs - empty"
    assert found.witness is not None
    assert found.expected == "8"


@given(st.permutations(range(4)), st.sampled_from(["seats", "places", "of them"]))
def test_order_and_words_do_not_matter(order: list[int], noun: str) -> None:
    """A right solution stays right with other words, and in each order in which no line stands before what it rests on."""
    lines = SWAPPED.replace("chairs", noun).split("; ")
    if order.index(2) > max(order.index(0), order.index(1)) and order.index(3) > order.index(2):
        assert _found(HALL, "; ".join([*(lines[place] for place in order), "#### 94"])).status.name == "RIGHT_PROVED"


@given(TEXTS, st.floats(0, 1))
def test_confidence_is_bounded(text: str, p_right: float) -> None:
    """No verdict is surer than its oracle, whatever the text."""
    assert diagnose(read_item(QUESTION, text), _oracle(QUESTION, WAY, p_right=p_right)).confidence <= p_right


LONG = ("12 - 4 = 8 rows. " * 6_000, "8 * 15 = 120 - 26 = 94\n" * 4_500, "1+" * 50_000)


@cases("text", [*ODD, *LONG])
def test_hostile_solutions_are_bounded(text: str) -> None:
    """A text of 10**5 characters takes a few seconds at most."""
    started = time.monotonic()
    diagnose(read_item(QUESTION, text), HALL)
    assert time.monotonic() - started < 10


def test_hostile_programs_are_bounded() -> None:
    """A program whose expressions double in each line is read in linear time."""
    code = _code("x0=12", "; ".join([*(f"x{place} = x{place - 1} + x{place - 1}" for place in range(1, 150)), "x149"]))
    started = time.monotonic()
    _found(oracle_of_programs(QUESTION, [Response("p", "m", code)], 12 * 2**149, 0.9), RIGHT)
    assert time.monotonic() - started < 10


def test_own_flaws_are_located() -> None:
    """Every other one of the product's own flaws is diagnosed on their line, most with their type, with their worked solution as the reference."""
    records = certified_flaw_records()[::2]
    wrong, named = [], 0
    for record in records:
        oracle = oracle_of_solution(record["question"], record["solution"])
        found = diagnose(read_item(record["question"], record["flawed_solution"]), oracle)
        if found.line != record["label"]["error_details"]["erroneous_line_number"]:
            wrong.append((record["problem_id"], record["operator"], found))
        named += found.error_type == record["label"]["error_details"]["error_type"]
    assert named >= 0.8 * len(records)
    assert len(wrong) <= 0.02 * len(records), wrong


def test_engine_by_reference() -> None:
    """The engine `oracle` judges by a right solution, and says that it knows nothing without one."""
    reference, added = (f"{lines}; #### {end}".replace("; ", "\n") for lines, end in ((RIGHT, 94), (ADDED, 214)))
    wrong = verify(QUESTION, added, engine="oracle", reference=reference)
    assert (wrong.flawed, wrong.line, wrong.error_type) == (True, "L1", ErrorType.OPERATOR_SWAP)
    assert wrong.diagnosis is not None
    assert verify(QUESTION, reference, engine="oracle", reference=reference).flawed is False
    assert verify(QUESTION, reference, engine="oracle").error.startswith("the record has no worked solution")


@pytest.mark.parametrize(
    "written", ["{part}/{whole} * 40 = {came}", "40 * {part}/{whole} = {came}", "40 * {part} / {whole} = {came}"]
)
@pytest.mark.parametrize(
    ("inputs", "came"), [("share={share}", "people * share"), ("part={part}, whole={whole}", "people * part / whole")]
)
@given(part=st.integers(2, 4), result=st.integers(41, 60))
@settings(max_examples=10)
def test_a_share_is_one_quantity_however_oracle_and_solution_write_it(
    inputs: str, came: str, written: str, part: int, result: int
) -> None:
    """A right line with a share of the question is not accused; the wrong line after it is."""
    parts = {"part": part, "whole": 5, "share": part / 5, "came": 40 * part // 5}
    program = _code(f"people=40, {inputs.format(**parts)}", f"came = {came}; people - came")
    oracle = _oracle("Of 40 people {part}/{whole} came. How many did not come?".format(**parts), program)
    assert _found(oracle, f"{written.format(**parts)}; 40 - {parts['came']} = {result}").line == "L2"


@given(part=st.integers(3, 19), factor=st.sampled_from(["0.{part:02}", "{part}%"]))
def test_a_percentage_is_the_input_that_the_program_divides_by_a_hundred(part: int, factor: str) -> None:
    """A solution that takes the percentage as a decimal or a percentage is right for all inputs."""
    question = f"A house costs 2000 dollars, and {part}% of that is paid to the agent. What does the agent get?"
    oracle = _oracle(question, _code(f"price=2000, percent={part}", "price * percent / 100"))
    assert _found(oracle, f"{factor.format(part=part)} * 2000 = {20 * part}").status.name == "RIGHT_PROVED"


@given(count=st.integers(2, 9), more=st.integers(2, 9), wrong=st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_an_equation_in_an_unknown_is_a_step_with_its_root_as_the_result(count: int, more: int, wrong: int) -> None:
    """The first line whose equation has a root that no right way has is named; the right ones before it are not."""
    total, rest = 7 * count + more, (7 + wrong) * count
    question = f"Nora buys {count} pens and a ruler of {more} dollars for {total} dollars. What does a pen cost?"
    oracle = _oracle(question, _code(f"total={total}, ruler={more}, pens={count}", "rest = total - ruler; rest / pens"))
    assert _found(oracle, f"{count}x + {more} = {total}; {count}x = {rest}; x = {7 + wrong}").line == "L2"


REFERENCE = "The left rows are 12 - 4 = 8.\nThe seats in the left rows are 8 * 15 = 120.\nThe people who sit are 120 - 26 = 94.\n#### 94"
WORKED = oracle_of_solution(QUESTION, REFERENCE)
LEFT = "The left rows are 12 - 4 = 8."


@cases(
    ("lines", "line", "expected"),
    [
        ("The left rows are 8.; The seats in the left rows are 16.; The people who sit are 16 + 8 = 24.", "L2", "120"),
        (f"{LEFT}; The seats in the left rows are 12 - 4 = 8.; The people who sit are 26 - 8 = 18.", "L2", "120"),
        (f"{LEFT}; 120 seats in the left rows.; The people who sit are 120 + 26 = 146.", "L3", "94"),
    ],
)
def test_a_line_that_says_what_a_step_says_has_its_result(lines: str, line: str, expected: str) -> None:
    """The first line with the words of a step of the worked solution and without its result is named, with what is expected there."""
    found = _found(WORKED, lines)
    assert (found.line, found.expected) == (line, expected)


@cases("kept", [1, 2])
def test_no_line_of_a_right_solution_that_ends_early_is_accused(kept: int) -> None:
    """The final answer is: each line says what it works out; of one missing step the kind is known."""
    found = _found(WORKED, "; ".join(REFERENCE.splitlines()[:kept]))
    assert (found.line, found.error_type) == (FINAL_ANSWER, ErrorType.SKIPPED_STEP if kept == 2 else None)


@cases(
    ("last", "line"),
    [
        ("The seats in the left rows are 8 * 15 = 120.; There are 120 chairs, of which 26 stay empty.", FINAL_ANSWER),
        ("The seats in the left rows are 8 * 15 = 120.; So 120 people sit.", "L3"),
        ("The seats in the left rows are 94 + 26 = 120.", "L2"),
    ],
)
def test_the_place_that_takes_a_right_result_for_the_answer(last: str, line: str) -> None:
    """A line that only mentions the result is right, and one that has it from numbers out of nowhere is wrong."""
    assert _found(WORKED, f"{LEFT}; {last}; #### 120").line == line


@given(part=st.sampled_from([10, 20, 50]))
def test_a_percentage_written_as_a_fraction_works_out_nothing(part: int) -> None:
    """The line is not accused, the wrong one after it is."""
    parts, off = 100 // part, 4 * part
    oracle = _oracle(
        f"A coat of 400 dollars is {part}% off. What does it cost?",
        _code(f"price=400, parts={parts}", "off = price / parts; price - off"),
    )
    assert _found(oracle, f"{part}% = {part}/100; 400 / {parts} = {off}; 400 + {off} = {400 + off}").line == "L3"


@given(st.integers(4, 9), st.integers(10, 40))
def test_a_number_of_the_question_is_no_constant_of_a_proof(parts: int, share: int) -> None:
    """What is equal only while a number keeps its value is not proved, also where the program of the oracle has that number as a literal."""
    tulips, times = parts * share, parts - 1
    question = f"Sam has {tulips} tulips, {parts} times as many as lilies, and {times} times as many roses as lilies. How many roses?"
    oracle = _oracle(question, _code(f"tulips={tulips}", f"lilies = tulips / {parts}; lilies * {times}"))
    first = f"{tulips} / {parts} = {share} lilies."
    assert _found(oracle, f"{first}; {tulips} - {share} = {times * share} roses.").status.name == "RIGHT_BY_VALUE"
    assert _found(oracle, f"{first}; {share} * {times} = {times * share} roses.").status.name == "RIGHT_PROVED"


@given(st.integers(2, 9), st.integers(2, 9), st.integers(2, 9))
def test_a_change_puts_in_one_step_not_several(cups: int, plates: int, price: int) -> None:
    """A last line whose right operands the solution never works out is located; one change that is proved has its operands at hand."""
    assume(len({cups, plates, price, price + 1}) == 4)
    question = f"Ana buys {cups} cups for {price} dollars each and {plates} plates for {price + 1} dollars each. How much does she pay?"
    inputs = f"cups={cups}, plates={plates}, cup={price}, plate={price + 1}"
    oracle = _oracle(
        question, _code(inputs, "for_cups = cups * cup; for_plates = plates * plate; for_cups + for_plates")
    )
    guess, first, wrong = cups * price + plates * (price + 1) + 1000, cups * price, plates * price
    both_missing = _found(oracle, f"She pays {guess - 7} + 7 = {guess} dollars.")
    assert not both_missing.certificate, both_missing
    lines = f"The cups cost {cups} * {price} = {first} dollars.; The plates cost {plates} * {price} = {wrong} dollars."
    repaired = _found(oracle, f"{lines}; {first} + {wrong} = {first + wrong}.")
    assert (repaired.status.name, repaired.line) == ("WRONG_PROVED", "L2")


COINS = "Gretchen has 110 coins. She has 30 more gold coins than silver coins. How many gold coins does she have?"
COIN_WAY = _code(
    "coins=110, more=30", "silver_coins = (coins - more) / 2; gold_coins = silver_coins + more; gold_coins"
)


@cases(
    ("lines", "p_right", "status"),
    [
        ("That leaves 110 - 30 = 80.; 80 + 30 = 110 gold coins.", 0.9, "WRONG_PROVED"),
        ("That leaves 110 - 30 = 80.; 80 + 30 = 110 gold coins.", 0.7, "WRONG_LOCATED"),
        ("Without this difference Gretchen owns 110 - 30 = 80 silver coins.; 80 + 30 = 110.", 0.9, "WRONG_LOCATED"),
        ("To find her silver coins, take away the difference: 110 - 30 = 80.; 80 + 30 = 110.", 0.9, "WRONG_LOCATED"),
        ("She has 30 more gold coins: 110 + 30 = 140.; 140 - 30 = 110 gold coins.", 0.9, "WRONG_LOCATED"),
    ],
)
def test_a_proof_needs_right_lines_before_it_and_a_sure_oracle(lines: str, p_right: float, status: str) -> None:
    """A line is not proved to be the first wrong one where one before it names another quantity or is of no right way."""
    found = _found(_oracle(COINS, COIN_WAY, p_right=p_right), lines)
    assert (found.status.name, found.certificate is None) == (status, status != "WRONG_PROVED")


@given(st.integers(2, 9), st.integers(11, 19), st.integers(21, 29))
@settings(max_examples=10, deadline=None)
def test_a_term_that_is_left_out_before_the_last_step_is_not_proved(had: int, bought: int, got: int) -> None:
    """The sum of some terms may be right as it stands, and the step after it leave out the rest; a line that names the whole is wrong."""
    question = f"Ann had {had} cards, bought {bought} and got {got}. She gave 5 away. How many are left?"
    inputs = f"had={had}, bought={bought}, got={got}, gave=5"
    oracle = _oracle(question, _code(inputs, "all_cards = had + bought + got; all_cards - gave"))
    some = bought + got
    for words, status in (("New ones", "WRONG_LOCATED"), ("All cards", "WRONG_PROVED")):
        found = _found(oracle, f"{words}: {bought} + {got} = {some}.; {some} - 5 = {some - 5}.")
        assert (found.status.name, found.line) == (status, "L1")


@cases("number", [2, 4, 5])
def test_no_line_of_a_cut_solution_is_accused_where_the_steps_of_the_right_one_are_not_read(number: int) -> None:
    """Its result is one that the worked solution states, so the last step is missing."""
    first, question = f"First there are {number} + 3 = {number + 3}.", "How many come home?"
    worked = f"{first}\nTripled, x = {3 * number + 9} of them come home\n#### {3 * number + 9}"
    assert _found(oracle_of_solution(question, worked), first, question).line == FINAL_ANSWER


@given(st.sampled_from([5, 20, 25, 50]), st.sampled_from(["off", "dearer", "a part"]))
@settings(max_examples=12, deadline=None)
def test_a_factor_made_of_one_input_is_right(share: int, kind: str) -> None:
    """One less or one more than a share, and a divisor in place of a share: the line is not accused, the wrong one after it is."""
    question = f"A coat of 600 dollars is {share}% {kind}, and there is a fee of 7 dollars. What is to be paid?"
    given_share, steps, factor, coat = {
        "off": (share, "part = price * share / 100; coat = price - part", f"* {1 - share / 100}", 600 - 6 * share),
        "dearer": (share, "part = price * share / 100; coat = price + part", f"* {1 + share / 100}", 600 + 6 * share),
        "a part": (share / 100, "coat = price * share", f"/ {100 // share}", 6 * share),
    }[kind]
    oracle = _oracle(question, _code(f"price=600, share={given_share}, fee=7", f"{steps}; coat + fee"))
    assert _found(oracle, f"600 {factor} = {coat}; {coat} - 7 = {coat - 7}").line == "L2"


@cases("row", lines_beside(__file__, "decisions.jsonl"))
def test_a_right_line_is_never_taken_for_the_first_wrong_one(row: dict[str, str]) -> None:
    """A wrong result that equals a given or a share, cents, rounding, a step worked out again and one that a later line forgets hide nothing and prove nothing.

    `expected` is the status or the line, or both.
    """
    found = _found(_oracle(row["question"], _code(row["inputs"], row["steps"])), row["lines"])
    assert set(row["expected"].split()) <= {found.status.name, found.line}, (row["lines"], found)


@given(st.sampled_from(["Seats", "The rows", "Left"]), st.integers(13, 40), st.sampled_from(["", "So we subtract. "]))
def test_a_name_with_a_value_that_it_had_before_is_one_chain(name: str, rows: int, before: str) -> None:
    """`Seats = 28 - 5. Seats = 23.` works out 23 from both numbers, as `28 - 5 = 23` does; a second name does not."""
    oracle = _oracle("How many are left?", _code(f"rows={rows}, taken=4", "rows - taken"))
    chain = f"{before}{name} = {rows} - 4. {{}} = {rows - 4}."
    assert _found(oracle, chain.format(name)).status.name == "RIGHT_PROVED"
    assert _found(oracle, chain.format("Others")).status.name == "RIGHT_BY_VALUE"


NAMES = ("boxes", "pens", "cups", "bags")


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_no_step_of_the_worked_solution_is_accused(data: st.DataObject) -> None:
    """A line that states one is right, with or without its words, also where its result is that of another step or an input: a later line is wrong, or it ends early."""
    values = data.draw(st.lists(st.integers(2, 12), min_size=3, max_size=4))
    question = f"A shop has {', '.join(f'{value} {name}' for value, name in zip(values, NAMES, strict=False))}. How many are there?"
    pool, lines, results = list(values), [], []
    for name in NAMES[: data.draw(st.integers(2, 4))]:
        left, right = data.draw(st.sampled_from(pool)), data.draw(st.sampled_from(pool))
        sign = data.draw(st.sampled_from("+*-"))
        result = {"+": left + right, "*": left * right, "-": left - right}[sign]
        assume(0 < result < 500 and left != right and result not in results)
        lines.append(f"There are {left} {sign} {right} = {result} {name} in all.")
        results.append(result)
        pool.append(result)
    oracle = oracle_of_solution(question, "\n".join([*lines, f"#### {results[-1]}"]))
    kept = data.draw(st.integers(1, len(lines) - 1))
    told = data.draw(st.booleans())
    stated = [
        line if told else line.removeprefix("There are ").partition(f" {NAMES[place]}")[0]
        for place, line in enumerate(lines[:kept])
    ]
    early = "\n".join([*stated, f"#### {results[kept - 1]}"])
    assert diagnose(read_item(question, early), oracle).line == FINAL_ANSWER
    first, second = results[kept - 1], data.draw(st.sampled_from(pool[: len(values) + kept]))
    wrong = "\n".join([*stated, f"{first} + {second} = {first + second}", f"#### {first + second}"])
    found = diagnose(read_item(question, wrong), oracle)
    assert first + second == results[-1] or found.line in {f"L{kept + 1}", FINAL_ANSWER}, (lines, wrong)


def test_a_line_on_which_a_right_result_rests_is_not_accused_for_its_words() -> None:
    """Its words are those of another step; the wrong line comes after a right result that needs it."""
    lines = "The seats in the rows are 12 * 15 = 180.; 4 * 15 = 60; 180 - 60 = 120; 120 + 26 = 146"
    assert _found(oracle_of_solution(QUESTION, REFERENCE), lines, QUESTION).line == "L4"

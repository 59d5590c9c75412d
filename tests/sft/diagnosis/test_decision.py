"""The diagnosis by an oracle: its laws over right, wrong and hostile solutions."""

import time

import pytest
from hypothesis import assume, given, settings, strategies as st

from harness.domain import Response
from harness.program.lifter import lift
from harness.solution.labels import FINAL_ANSWER, ErrorType
from harness.solution.trace import trace_program
from sft.diagnosis.decision import diagnose
from sft.diagnosis.oracle import Oracle, oracle_of_programs
from sft.diagnosis.oracle_sources import oracle_of_solution
from sft.samples.solution_text import read_item
from sft.verifier.command import verify
from tests.cases import cases
from tests.certified_records import certified_flaw_records
from tests.sft.hostile import ODD, TEXTS

QUESTION = "A hall has 12 rows of 15 chairs. For a concert 4 rows are taken away, and 26 chairs stay empty. How many people sit?"
WAYS = (
    "def solve(rows: int = 12, chairs: int = 15, taken: int = 4, empty: int = 26):\n    left = rows - taken\n    seats = left * chairs\n    return seats - empty",
    "def solution():\n    rows = 12\n    chairs = 15\n    taken = 4\n    empty = 26\n    total = rows * chairs\n    gone = taken * chairs\n    seats = total - gone\n    return seats - empty",
)
RIGHT = ("There are 12 - 4 = 8 rows.", "They have 8 * 15 = 120 chairs.", "So 120 - 26 = 94 people sit.")
SWAPPED = (
    "The hall has 12 * 15 = 180 chairs.",
    "4 rows have 4 * 15 = 60 chairs.",
    "180 - 60 = 120 stay.",
    "120 - 26 = 94.",
)


def _oracle(p_right: float = 0.9) -> Oracle:
    return oracle_of_programs(QUESTION, [Response("p", str(way), code) for way, code in enumerate(WAYS)], 94, p_right)


def _diagnosed(lines: tuple[str, ...], answer: object) -> tuple[str, str, str]:
    found = diagnose(read_item(QUESTION, "\n".join([*lines, f"#### {answer}"])), _oracle())
    return found.status.name, found.line, "" if found.error_type is None else str(found.error_type)


@cases(
    ("lines", "answer", "expected"),
    [
        pytest.param(RIGHT, 94, ("RIGHT_PROVED", "", ""), id="right"),
        pytest.param(SWAPPED, 94, ("RIGHT_PROVED", "", ""), id="right by the way of another program"),
        pytest.param(("94 people sit.",), 94, ("RIGHT_BY_VALUE", "", ""), id="nothing is worked out"),
        pytest.param(
            ("12 + 4 = 16 rows.", "16 * 15 = 240 chairs.", "240 - 26 = 214."),
            214,
            ("WRONG_PROVED", "L1", "operator_swap"),
            id="operator",
        ),
        pytest.param(
            ("12 - 4 = 8 rows.", "8 * 15 = 130 chairs.", "130 - 26 = 104."),
            104,
            ("WRONG_PROVED", "L2", "computational_error"),
            id="arithmetic",
        ),
        pytest.param(
            ("12 - 4 = 8 rows.", "8 * 12 = 96 chairs.", "96 - 26 = 70."),
            70,
            ("WRONG_PROVED", "L2", "wrong_reference_group"),
            id="operand",
        ),
        pytest.param(
            ("12 - 4 = 8 rows.", "8 * 15 = 120 chairs.", "120 + 0 = 120."),
            120,
            ("WRONG_PROVED", "L2", "skipped_step"),
            id="a step is left out",
        ),
        pytest.param(
            ("12 - 3 = 9 rows.", "9 * 15 = 135 chairs.", "135 - 26 = 109."),
            109,
            ("WRONG_PROVED", "L1", "input_misrepresentation"),
            id="a number that no text gives",
        ),
    ],
)
def test_kinds_of_error(lines: tuple[str, ...], answer: int, expected: tuple[str, str, str]) -> None:
    """The line and the kind of one wrong step are found, and other right ways are not accused."""
    assert _diagnosed(lines, answer) == expected


def test_certificate_and_witness() -> None:
    """A proved diagnosis has the repaired program and inputs at which the solution as written differs."""
    lines = ("12 + 4 = 16 rows.", "16 * 15 = 240 chairs.", "240 - 26 = 214.")
    found = diagnose(read_item(QUESTION, "\n".join([*lines, "#### 214"])), _oracle())
    assert found.certificate is not None
    assert found.certificate.program == "(rows - taken) * chairs - empty"
    assert found.certificate.written == "(rows + taken) * chairs - empty"
    assert found.witness is not None
    assert found.expected == "8"


@settings(deadline=None)
@given(st.permutations(range(4)), st.sampled_from(["seats", "places", "of them"]))
def test_order_and_words_do_not_matter(order: list[int], noun: str) -> None:
    """A right solution stays right with other words, and in each order in which no line stands before what it rests on."""
    lines = [line.replace("chairs", noun) for line in SWAPPED]
    if order.index(2) > max(order.index(0), order.index(1)) and order.index(3) > order.index(2):
        assert _diagnosed(tuple(lines[place] for place in order), 94)[0] == "RIGHT_PROVED"


@settings(deadline=None)
@given(TEXTS, st.floats(0, 1))
def test_confidence_is_bounded(text: str, p_right: float) -> None:
    """No verdict is surer than its oracle, whatever the text."""
    assert diagnose(read_item(QUESTION, text), _oracle(p_right)).confidence <= p_right


LONG = ("12 - 4 = 8 rows. " * 6_000, "8 * 15 = 120 - 26 = 94\n" * 4_500, "1+" * 50_000)


@cases("text", [*ODD, *LONG])
def test_hostile_solutions_are_bounded(text: str) -> None:
    """A text of 10**5 characters takes a few seconds at most."""
    started = time.monotonic()
    diagnose(read_item(QUESTION, text), _oracle())
    assert time.monotonic() - started < 10


def test_hostile_programs_are_bounded() -> None:
    """A program whose expressions double in each line is read in linear time."""
    lines = ["    x0 = 12", *(f"    x{place} = x{place - 1} + x{place - 1}" for place in range(1, 150))]
    code = "\n".join(["def solution():", *lines, "    return x149"])
    started = time.monotonic()
    oracle = oracle_of_programs(QUESTION, [Response("p", "m", code)], 12 * 2**149, 0.9)
    diagnose(read_item(QUESTION, "\n".join(RIGHT)), oracle)
    assert time.monotonic() - started < 10


def test_own_flaws_are_located() -> None:
    """The product's own flaws are diagnosed on their line, most with their type, with their worked solution as the reference."""
    records = certified_flaw_records()
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
    reference = "\n".join([*RIGHT, "#### 94"])
    wrong = verify(
        QUESTION, "12 + 4 = 16\n16 * 15 = 240\n240 - 26 = 214\n#### 214", engine="oracle", reference=reference
    )
    assert (wrong.flawed, wrong.line, wrong.error_type) == (True, "L1", ErrorType.OPERATOR_SWAP)
    assert wrong.diagnosis is not None
    assert verify(QUESTION, reference, engine="oracle", reference=reference).flawed is False
    assert verify(QUESTION, reference, engine="oracle").error.startswith("the record has no worked solution")


SHARE_WAYS = {
    "one input": "def solve(people: int = 40, share: float = {share}):\n    came = people * share\n    return people - came",
    "quotient of inputs": "def solve(people: int = 40, part: int = {part}, whole: int = {whole}):\n    came = people * part / whole\n    return people - came",
}


@pytest.mark.parametrize(
    "written", ["{part}/{whole} * 40 = {came}", "40 * {part}/{whole} = {came}", "40 * {part} / {whole} = {came}"]
)
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in SHARE_WAYS.items()])
@given(part=st.integers(2, 4), result=st.integers(41, 60))
@settings(max_examples=10)
def test_a_share_is_one_quantity_however_oracle_and_solution_write_it(
    code: str, written: str, part: int, result: int
) -> None:
    """A right line with a share of the question is not accused; the wrong line after it is."""
    parts = {"part": part, "whole": 5, "share": part / 5, "came": 40 * part // 5}
    question = "Of 40 people {part}/{whole} came. How many did not come?".format(**parts)
    program = code.format(**parts)
    oracle = oracle_of_programs(question, [Response("p", "w", program)], 40 - 40 * part // 5, 0.9)
    lines = (written.format(**parts), f"40 - {parts['came']} = {result}")
    assert diagnose(read_item(question, "\n".join([*lines, f"#### {result}"])), oracle).line == "L2"


@given(part=st.integers(3, 19), factor=st.sampled_from(["0.{part:02}", "{part}%"]))
def test_a_percentage_is_the_input_that_the_program_divides_by_a_hundred(part: int, factor: str) -> None:
    """A solution that takes the percentage as a decimal or a percentage is right for all inputs."""
    question = f"A house costs 2000 dollars, and {part}% of that is paid to the agent. What does the agent get?"
    code = f"def solve(price: int = 2000, percent: int = {part}):\n    return price * percent / 100"
    line = f"{factor.format(part=part)} * 2000 = {20 * part}"
    oracle = oracle_of_programs(question, [Response("p", "w", code)], 20 * part, 0.9)
    assert diagnose(read_item(question, f"{line}\n#### {20 * part}"), oracle).status.name == "RIGHT_PROVED"


@given(count=st.integers(2, 9), more=st.integers(2, 9), wrong=st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_an_equation_in_an_unknown_is_a_step_with_its_root_as_the_result(count: int, more: int, wrong: int) -> None:
    """The first line whose equation has a root that no right way has is named; the right ones before it are not."""
    total = 7 * count + more
    question = f"Nora buys {count} pens and a ruler of {more} dollars for {total} dollars. What does a pen cost?"
    code = f"def solve(total: int = {total}, ruler: int = {more}, pens: int = {count}):\n    rest = total - ruler\n    return rest / pens"
    oracle = oracle_of_programs(question, [Response("p", "w", code)], 7, 0.9)
    rest = 7 * count + wrong * count
    lines = (f"{count}x + {more} = {total}", f"{count}x = {rest}", f"x = {7 + wrong}", f"#### {7 + wrong}")
    assert diagnose(read_item(question, "\n".join(lines)), oracle).line == "L2"


REFERENCE = "The left rows are 12 - 4 = 8.\nThe seats in the left rows are 8 * 15 = 120.\nThe people who sit are 120 - 26 = 94.\n#### 94"


@cases(
    ("lines", "expected"),
    [
        pytest.param(
            ("The left rows are 8.", "The seats in the left rows are 16.", "The people who sit are 16 + 8 = 24."),
            ("L2", "120"),
            id="told",
        ),
        pytest.param(
            (
                "The left rows are 12 - 4 = 8.",
                "The seats in the left rows are 12 - 4 = 8.",
                "The people who sit are 26 - 8 = 18.",
            ),
            ("L2", "120"),
            id="a quantity of another step",
        ),
        pytest.param(
            ("The left rows are 12 - 4 = 8.", "120 seats in the left rows.", "The people who sit are 120 + 26 = 146."),
            ("L3", "94"),
            id="the lines before it have the results of their steps",
        ),
    ],
)
def test_a_line_that_says_what_a_step_says_has_its_result(lines: tuple[str, ...], expected: tuple[str, str]) -> None:
    """The first line with the words of a step of the worked solution and without its result is named, with what is expected there."""
    answer = lines[-1].rstrip(".").rpartition(" ")[2]
    oracle = oracle_of_solution(QUESTION, REFERENCE)
    found = diagnose(read_item(QUESTION, "\n".join([*lines, f"#### {answer}"])), oracle)
    assert (found.line, found.expected) == expected


@cases("kept", [1, 2])
def test_no_line_of_a_right_solution_that_ends_early_is_accused(kept: int) -> None:
    """The final answer is: each line says what it works out; of one missing step the kind is known."""
    lines = REFERENCE.splitlines()[:kept]
    answer = lines[-1].rstrip(".").rpartition(" ")[2]
    oracle = oracle_of_solution(QUESTION, REFERENCE)
    found = diagnose(read_item(QUESTION, "\n".join([*lines, f"#### {answer}"])), oracle)
    assert (found.line, found.error_type) == (FINAL_ANSWER, ErrorType.SKIPPED_STEP if kept == 2 else None)


@cases(
    ("last", "line"),
    [
        ("The seats in the left rows are 8 * 15 = 120.\nThere are 120 chairs, of which 26 stay empty.", FINAL_ANSWER),
        ("The seats in the left rows are 8 * 15 = 120.\nSo 120 people sit.", "L3"),
        ("The seats in the left rows are 94 + 26 = 120.", "L2"),
    ],
)
def test_the_place_that_takes_a_right_result_for_the_answer(last: str, line: str) -> None:
    """A line that only mentions the result is right, and one that has it from numbers out of nowhere is wrong."""
    solution = f"The left rows are 12 - 4 = 8.\n{last}\n#### 120"
    assert diagnose(read_item(QUESTION, solution), oracle_of_solution(QUESTION, REFERENCE)).line == line


@given(part=st.sampled_from([10, 20, 50]))
def test_a_percentage_written_as_a_fraction_works_out_nothing(part: int) -> None:
    """The line is not accused, the wrong one after it is."""
    question = f"A coat of 400 dollars is {part}% off. What does it cost?"
    off = 400 * part // 100
    code = f"def solve(price: int = 400, parts: int = {100 // part}):\n    off = price / parts\n    return price - off"
    oracle = oracle_of_programs(question, [Response("p", "w", code)], 400 - off, 0.9)
    lines = (f"{part}% = {part}/100", f"400 / {100 // part} = {off}", f"400 + {off} = {400 + off}")
    assert diagnose(read_item(question, "\n".join([*lines, f"#### {400 + off}"])), oracle).line == "L3"


def test_a_line_that_works_out_again_what_an_earlier_line_does() -> None:
    """It can stand for another quantity where a change of it alone makes the solution right; its result is right, so this is no proof."""
    question = "Of 18 plants a third is eaten. A third of the others is cut. How many are left?"
    code = "def solve(plants: int = 18, third: int = 3):\n    eaten = plants / third\n    others = plants - eaten\n    cut = others / third\n    return others - cut"
    oracle = oracle_of_programs(question, [Response("p", "w", code)], 8, 0.9)
    lines = ("18 / 3 = 6", "18 - 6 = 12", "So many: 18 / 3 = 6", "12 - 6 = 6", "#### 6")
    found = diagnose(read_item(question, "\n".join(lines)), oracle)
    assert (found.status.name, found.line) == ("WRONG_LOCATED", "L3")


def test_a_line_that_works_out_the_answer_from_an_equal_result_concludes() -> None:
    """A right result that equals the wrong answer by chance is not accused."""
    assert _diagnosed(("12 - 4 = 8 rows.", "8 * 15 = 120 chairs.", "120 - 26 = 120."), 120)[1] == "L3"


def test_the_line_that_takes_a_right_result_for_the_answer_is_wrong() -> None:
    """The result before it is right, so it is not accused."""
    assert _diagnosed(("12 - 4 = 8 rows.", "8 * 15 = 120 chairs.", "So 120 people sit."), 120)[:2] == (
        "WRONG_PROVED",
        "L3",
    )


def test_a_line_of_a_program_that_names_a_number_of_the_question_is_not_accused() -> None:
    """The wrong equation that uses the number is."""
    lines = (
        "rows = 12",
        "chairs = 15",
        "taken = 4",
        "left = rows + taken",
        "empty = 26",
        "sit = left * chairs - empty",
        "print(sit)",
    )
    assert diagnose(read_item(QUESTION, "\n".join(lines)), _oracle()).line == "L4"


@given(st.integers(4, 9), st.integers(10, 40))
def test_a_number_of_the_question_is_no_constant_of_a_proof(parts: int, share: int) -> None:
    """What is equal only while a number keeps its value is not proved, also where the program of the oracle has that number as a literal."""
    tulips, times = parts * share, parts - 1
    question = f"Sam has {tulips} tulips, {parts} times as many as lilies, and {times} times as many roses as lilies. How many roses?"
    way = f"def solve(tulips: int = {tulips}):\n    lilies = tulips / {parts}\n    roses = lilies * {times}\n    return roses"
    oracle = oracle_of_programs(question, [Response("p", "way", way)], times * share, 0.9)
    by_chance = (
        f"{tulips} / {parts} = {share} lilies.\n{tulips} - {share} = {times * share} roses.\n#### {times * share}"
    )
    assert diagnose(read_item(question, by_chance), oracle).status.name == "RIGHT_BY_VALUE"
    right = f"{tulips} / {parts} = {share} lilies.\n{share} * {times} = {times * share} roses.\n#### {times * share}"
    assert diagnose(read_item(question, right), oracle).status.name == "RIGHT_PROVED"


@given(st.integers(2, 9), st.integers(2, 9), st.integers(2, 9))
def test_a_change_puts_in_one_step_not_several(cups: int, plates: int, price: int) -> None:
    """A last line whose right operands the solution never works out is located; one change that is proved has its operands at hand."""
    assume(len({cups, plates, price, price + 1}) == 4)
    question = f"Ana buys {cups} cups for {price} dollars each and {plates} plates for {price + 1} dollars each. How much does she pay?"
    way = (
        f"def solve(cups: int = {cups}, plates: int = {plates}, cup: int = {price}, plate: int = {price + 1}):\n"
        "    for_cups = cups * cup\n    for_plates = plates * plate\n    total = for_cups + for_plates\n    return total"
    )
    total = cups * price + plates * (price + 1)
    oracle = oracle_of_programs(question, [Response("p", "way", way)], total, 0.9)
    guess = total + 1000
    both_missing = diagnose(read_item(question, f"She pays {guess - 7} + 7 = {guess} dollars.\n#### {guess}"), oracle)
    assert not both_missing.certificate, both_missing
    first = f"The cups cost {cups} * {price} = {cups * price} dollars."
    wrong = plates * price
    one_wrong = f"{first}\nThe plates cost {plates} * {price} = {wrong} dollars.\n{cups * price} + {wrong} = {cups * price + wrong}."
    repaired = diagnose(read_item(question, f"{one_wrong}\n#### {cups * price + wrong}"), oracle)
    assert (repaired.status.name, repaired.line) == ("WRONG_PROVED", "L2")


COINS = "Gretchen has 110 coins. She has 30 more gold coins than silver coins. How many gold coins does she have?"
COIN_WAY = "def solve(coins: int = 110, more: int = 30):\n    silver_coins = (coins - more) / 2\n    gold_coins = silver_coins + more\n    return gold_coins"


@cases(
    ("first", "last", "p_right", "status"),
    [
        ("That leaves 110 - 30 = 80.", "80 + 30 = 110 gold coins.", 0.9, "WRONG_PROVED"),
        ("That leaves 110 - 30 = 80.", "80 + 30 = 110 gold coins.", 0.7, "WRONG_LOCATED"),
        ("Without this difference Gretchen owns 110 - 30 = 80 silver coins.", "80 + 30 = 110.", 0.9, "WRONG_LOCATED"),
        ("To find her silver coins, take away the difference: 110 - 30 = 80.", "80 + 30 = 110.", 0.9, "WRONG_LOCATED"),
        ("She has 30 more gold coins: 110 + 30 = 140.", "140 - 30 = 110 gold coins.", 0.9, "WRONG_LOCATED"),
    ],
)
def test_a_proof_needs_right_lines_before_it_and_a_sure_oracle(
    first: str, last: str, p_right: float, status: str
) -> None:
    """A line is not proved to be the first wrong one where one before it names another quantity or is of no right way."""
    oracle = oracle_of_programs(COINS, [Response("p", "way", COIN_WAY)], 70, p_right)
    found = diagnose(read_item(COINS, f"{first}\n{last}\n#### 110"), oracle)
    assert (found.status.name, found.certificate is None) == (status, status != "WRONG_PROVED")


@given(st.integers(2, 9), st.integers(11, 19), st.integers(21, 29))
@settings(max_examples=10, deadline=None)
def test_a_term_that_is_left_out_before_the_last_step_is_not_proved(had: int, bought: int, got: int) -> None:
    """The sum of some terms may be right as it stands, and the step after it leave out the rest; a line that names the whole is wrong."""
    question = f"Ann had {had} cards, bought {bought} and got {got}. She gave 5 away. How many are left?"
    code = f"def solve(had: int = {had}, bought: int = {bought}, got: int = {got}, gave: int = 5):\n    all_cards = had + bought + got\n    return all_cards - gave"
    oracle = oracle_of_programs(question, [Response("p", "way", code)], had + bought + got - 5, 0.9)
    some = bought + got
    for words, status in (("New ones", "WRONG_LOCATED"), ("All cards", "WRONG_PROVED")):
        text = f"{words}: {bought} + {got} = {some}.\n{some} - 5 = {some - 5}.\n#### {some - 5}"
        found = diagnose(read_item(question, text), oracle)
        assert (found.status.name, found.line) == (status, "L1")


def test_a_line_that_works_out_a_number_of_the_question_from_results_is_wrong() -> None:
    """A half by chance, as a quotient of two speeds, is no right way."""
    question = "A car drives 60 miles an hour, a bus half as fast. The car drives 480 miles. How long does the bus need for these?"
    code = "def solve(car: int = 60, miles: int = 480):\n    own = miles / car\n    bus = car / 2\n    return own * car / bus"
    oracle = oracle_of_programs(question, [Response("p", "way", code)], 16, 0.9)
    lines = ("480 / 60 = 8", "60 / 2 = 30", "30 / 60 = 0.5", "0.5 + 8 = 8.5", "#### 8.5")
    assert diagnose(read_item(question, "\n".join(lines)), oracle).line == "L3"


@cases("number", [2, 4, 5])
def test_no_line_of_a_cut_solution_is_accused_where_the_steps_of_the_right_one_are_not_read(number: int) -> None:
    """Its result is one that the worked solution states, so the last step is missing."""
    worked = f"First there are {number} + 3 = {number + 3}.\nTripled, x = {3 * number + 9} of them come home"
    oracle = oracle_of_solution("How many come home?", f"{worked}\n#### {3 * number + 9}")
    found = diagnose(read_item("How many come home?", f"{worked.splitlines()[0]}\n#### {number + 3}"), oracle)
    assert found.line == FINAL_ANSWER


@given(st.sampled_from([5, 20, 25, 50]), st.sampled_from(["off", "dearer", "a part"]))
@settings(max_examples=12, deadline=None)
def test_a_factor_made_of_one_input_is_right(share: int, kind: str) -> None:
    """One less or one more than a share, and a divisor in place of a share: the line is not accused, the wrong one after it is."""
    question = f"A coat of 600 dollars is {share}% {kind}, and there is a fee of 7 dollars. What is to be paid?"
    sign, factor = {
        "off": ("- part", f"* {1 - share / 100}"),
        "dearer": ("+ part", f"* {1 + share / 100}"),
        "a part": ("* share / 100", f"/ {100 // share}"),
    }[kind]
    code = f"def solve(price: int = 600, share: int = {share}, fee: int = 7):\n    part = price * share / 100\n    coat = price {sign}\n    return coat + fee"
    coat = {"off": 600 - 6 * share, "dearer": 600 + 6 * share, "a part": 6 * share}[kind]
    if kind == "a part":
        code = f"def solve(price: int = 600, share: float = {share / 100}, fee: int = 7):\n    coat = price * share\n    return coat + fee"
    oracle = oracle_of_programs(question, [Response("p", "way", code)], coat + 7, 0.9)
    text = f"600 {factor} = {coat}\n{coat} - 7 = {coat - 7}\n#### {coat - 7}"
    assert diagnose(read_item(question, text), oracle).line == "L2"


CHESS = "Of 50 pupils 20% play chess. Two teachers play, too. How many play chess?"
CHESS_WAY = "def solve(pupils: int = 50, percent: int = 20, teachers: int = 2):\n    playing = pupils * percent / 100\n    return playing + teachers"
PENS = "A pen has a price of $3 and there is a 20% discount. Tom buys 4 pens. How many dollars does he pay?"
PENS_WAY = "def solve(price: int = 3, pens: int = 4, off: int = 20):\n    full = price * pens\n    return full * (100 - off) / 100"
TAPS = "A tank of 100 liters is 3/4 full, and 4 more liters come in. A man opens 1 tap and then 2 more. How many liters leave by each tap?"
TAPS_WAY = "def solve(liters: int = 100, full: float = 0.75, more: int = 4, first: int = 1, others: int = 2):\n    taps = first + others\n    water = liters * full + more\n    return water / taps"
RUN = "A runner runs 10 miles in 3 hours. How far does he run in 700 hours at this speed, with 5 miles on top?"
RUN_WAY = "def solve(miles: int = 10, hours: int = 3, longer: int = 700, more: int = 5):\n    speed = miles / hours\n    far = speed * longer\n    return far + more"
HALF = "Half of 7 kilograms are sold at 4 dollars each, with a fee of 1 dollar. How much is earned?"
HALF_WAY = "def solve(weight: int = 7, price: int = 4, fee: int = 1):\n    half = weight / 2\n    income = half * price\n    return income - fee"
WATER = "Tom drinks a glass of water with each meal, and he has one before bed. On weekends he has soda with dinner. How many glasses of water does he drink in a week?"
WATER_WAY = "def solve(glasses: int = 4, days: int = 5, fewer: int = 3, rest: int = 2):\n    weekdays = glasses * days\n    weekend = fewer * rest\n    return weekdays + weekend"


@cases(
    ("question", "way", "lines", "expected"),
    [
        pytest.param(
            CHESS,
            CHESS_WAY,
            ("20 / 100 = 0.2", "50 * 2 = 100", "100 * 0.2 = 20"),
            "L2",
            id="a given equals a later result",
        ),
        pytest.param(
            PENS,
            PENS_WAY,
            ("A pen is 3 * 100 = 300 cents.", "300 * 4 = 1200 cents.", "1200 * 0.3 = 360.", "1200 - 360 = 840"),
            "L3",
            id="cents where the question has a percentage",
        ),
        pytest.param(
            TAPS,
            TAPS_WAY,
            ("1 + 2 = 3 taps", "3/4 * 100 = 75 liters", "75 - 4 = 71", "71 / 3 = 23.67"),
            "L3",
            id="a result equals the numerator of a share",
        ),
        pytest.param(
            RUN,
            RUN_WAY,
            ("10 / 3 = 3.33", "3.33 * 700 = 2331", "2331 - 5 = 2326"),
            "L3",
            id="a result is far from the exact one by a rounding before it",
        ),
        pytest.param(
            HALF, HALF_WAY, ("7 / 2 = 3", "3 * 4 = 12", "12 - 1 = 11"), "L1", id="a quotient is cut to a whole number"
        ),
        pytest.param(
            WATER,
            WATER_WAY,
            ("4 * 5 = 20", "3 + 1 = 4 glasses of water", "4 * 2 = 8", "20 + 8 = 28"),
            "L2",
            id="a wrong sum equals a given",
        ),
    ],
)
def test_a_number_that_is_equal_or_rounded_hides_no_first_wrong_line(
    question: str, way: str, lines: tuple[str, ...], expected: str
) -> None:
    """The first wrong line is named, not a right one before it."""
    program = Response("p", "way", way)
    answer = trace_program(lift(program)).answer.value
    oracle = oracle_of_programs(question, [program], answer, 0.9)
    text = "\n".join([*lines, f"#### {lines[-1].rpartition('= ')[2]}"])
    assert diagnose(read_item(question, text), oracle).line == expected


SHOP = "A shop sells 40 cups at $3 and 25 plates at $4. It pays $50 rent and $30 wages. What is the profit?"
SHOP_WAY = "def solve(cups: int = 40, cup_price: int = 3, plates: int = 25, plate_price: int = 4, rent: int = 50, wages: int = 30):\n    cup_sales = cups * cup_price\n    plate_sales = plates * plate_price\n    income = cup_sales + plate_sales\n    costs = rent + wages\n    return income - costs"
PEN = "A pen costs $3. Tom buys 4 pens, with tax of $2 in all. He has $20. How much is left?"
PEN_WAY = "def solve(price: int = 3, pens: int = 4, tax: int = 2, has: int = 20):\n    cost_of_pens = price * pens\n    cost_of_pens_with_tax = cost_of_pens + tax\n    return has - cost_of_pens_with_tax"


@cases(
    ("question", "way", "lines"),
    [
        pytest.param(SHOP, SHOP_WAY, ("40 * 3 = 120", "120 - 50 = 70", "25 * 4 = 100", "70 + 100 = 170"), id="wages"),
        pytest.param(QUESTION, WAYS[0], ("The hall has 12 * 15 = 180 chairs.", "180 - 26 = 154"), id="another way"),
        pytest.param(
            PEN, PEN_WAY, ("The cost of the pens before tax is 4 * 3 = 12.", "20 - 12 = 8"), id="a step of the oracle"
        ),
    ],
)
def test_no_line_is_proved_wrong_that_is_right_where_a_later_one_forgets_a_step(
    question: str, way: str, lines: tuple[str, ...]
) -> None:
    """A change of a line before the last one is no proof where it works out a result of the oracle, or its step can follow later."""
    program = Response("p", "way", way)
    oracle = oracle_of_programs(question, [program], trace_program(lift(program)).answer.value, 0.9)
    text = "\n".join([*lines, f"#### {lines[-1].rpartition('= ')[2]}"])
    found = diagnose(read_item(question, text), oracle)
    assert found.status.name == "WRONG_LOCATED", found

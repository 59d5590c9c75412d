"""Tests of what a text claims: suppositions, rejections, questions, conventions, and what it takes back."""

from hypothesis import given, strategies as st

from harness.corpora.labelled_solutions import split_solution
from harness.text.doubts import takes_back
from oracles.labels.audit.solution_lines import read_statement, read_worked
from tests.cases import cases, texts

SMALL = st.integers(3, 40)
UNCLAIMED = [
    "Suppose {}.", "Assume that {}; this is a contradiction.", "If {} held, one would be left.", "Unless {}, it fails.",
    "Let us pretend {} for now.", "If it were true that {}, we would stop.", "Were {}, we would stop.", "It is not the case that {}.",
    "Somebody claims that {}.", "Ann doubts that {}.", "I think {}.", "We want {}, which overshoots.", "A common error is {}.",
    "My first guess was {}, but it is less.", "{} is impossible.", "{}, which contradicts the table.", "{} cannot hold.",
    "{} does not work.", "{} (wrong).", "{} fails.", "Does {}?", "Why isn't {}?", "Is it true that {}? It is not.", "Wait, {}.",
    "The last digit of {}.", "The square root of {}.", "Suppose {} pens.", "If {} pens are left, we stop.", "Provided {}, it ends.", "{} pens, which is wrong.",
    "Is {}? No.", "It would be wrong: {} is not right.", "One might think that {} pens.", "~~{}~~", "{} ✗", "If {} were true, there would be one more.",
    "Wait, that gives {}.",
]  # fmt: skip
CLAIMED = [
    "{}", "So {}.", "Then there are {} pens.", "If each box has some, then {} are left.", "She wants to buy {} pens.", "He claims {} dollars.",
    "We know that {}.", "This means that {}.", "That leaves a total of {}.", "He could not eat all, so {} were left.", "{} did not come.",
    "{} people do not like it.", "How many are there? {}.", "She is wrong about some, {} are right.", "He takes care of {} lambs.",
    "{} of the answers.", "{} pens, which is more than enough.", "Suppose each pen is cheap. Then {}.", "Wait times are {} minutes.",
    "He got {} mistakes.", "She has {} wrong and five right answers.", "There are none, since {}.", "They wait {} minutes.", "1 - {}",
]  # fmt: skip


def accused(text: str, question: str = "") -> bool:
    """Tell whether a line of a solution is found to state a false equation."""
    return bool(read_worked(split_solution(text), question).false_lines)


@given(SMALL, SMALL, st.integers(1, 9))
def test_only_what_a_sentence_claims_is_false(left: int, right: int, off: int) -> None:
    """A false sum in a sentence that supposes, reports, denies or asks it is no claim and is counted as unread; in one that states it, or counts by it, it is one."""
    stated = f"{left} + {right} = {left + right + off}"
    assert not [frame for frame in UNCLAIMED if accused(frame.format(stated))]
    assert all(read_statement(frame.format(stated)).unread for frame in UNCLAIMED)
    assert not [frame for frame in CLAIMED if not accused(frame.format(stated))]


CYCLES = [
    (23, "*", "All numbers are taken modulo 23.", ""),
    (23, "*", "Find the number.", "Work mod 23.\n"),
    (12, "+", "What does the clock show some hours later?", ""),
    (7, "+", "Monday is day 1. Which day of the week is it?", ""),
    (360, "+", "Turn by both angles.", ""),
]


@given(st.sampled_from(CYCLES), st.integers(1, 22), st.integers(12, 22))
def test_an_equation_that_holds_at_a_stated_modulus_is_not_false(
    cycle: tuple[int, str, str, str], a: int, b: int
) -> None:
    """Whether the question or the solution states it; one that does not hold there is false."""
    modulus, sign, question, before = cycle
    a, b = (modulus - a % 7, b % 7) if sign == "+" else (a, b)
    due = (a + b if sign == "+" else a * b) % modulus
    assert not accused(f"{before}{a} {sign} {b} = {due}", question)
    assert accused(f"{before}{a} {sign} {b} = {a * b + a + 3 * modulus + b + 1}", question)
    assert a + b < modulus or accused(f"{a} {sign} {b} = {due}", "How many are there?")


@given(SMALL, SMALL, st.sampled_from([(2, "in binary"), (8, "in octal"), (3, "in base 3"), (5, "base-five")]))
def test_digits_of_a_stated_base_are_read_so(left: int, right: int, base: tuple[int, str]) -> None:
    """A sum in the digits of a base is right under a question that names it, and false without one."""

    def digits(number: int) -> str:
        return f"{digits(number // base[0]) if number >= base[0] else ''}{number % base[0]}"

    line = f"{digits(left)} + {digits(right)} = {digits(left + right)}"
    assert not accused(line, f"Add the numbers, {base[1]}.")


@cases(
    "question",
    texts("""An operation * is defined by a * b = a + 2b. | Let x * y = xy + 1. | Here m * n means 3m - n.
If p * q is equal to q - p, find 3 * 4."""),
)
def test_a_sign_that_the_text_defines_is_not_the_usual_one(question: str) -> None:
    """Equations with that sign are not judged, others are; an equation of two unknowns defines no sign."""
    assert not accused("3 * 4 = 11", question)
    assert accused("3 + 4 = 11", "Two numbers satisfy x + y = 12 and x - y = 2.")


@given(
    SMALL,
    SMALL,
    st.integers(1, 9),
    st.sampled_from(["\n", "\nWait. ", ". No, ", "\nEDIT: ", " (typo)\nSorry, I mean "]),
)
def test_what_goes_on_from_a_wrong_value_is_taken_back_with_it(left: int, right: int, off: int, joint: str) -> None:
    """The false equation, and those between it and its correction that use its value; not where the wrong value is used after all."""
    wrong, due = left * right + off, left * right
    draft = f"{left}*{right}={wrong}\n{wrong}+1000={wrong + 1001}"
    assert accused(draft)
    solution = read_worked(split_solution(f"{draft}{joint}{left}*{right}={due}, and {due}+1000={due + 1000}."))
    assert not solution.false_lines
    assert [equation.right.value for line in solution.statements for equation in line.equations] == [due, due + 1000]
    assert f"{left}*{right}={wrong}" not in "".join(solution.claimed)
    assert accused(f"{left}*{right}={wrong}\n{left}*{right}={due}\n{wrong}+1={wrong + 1}")


AFTER = ("items", "ice", "weight", "thin", "lettuce", "notes", "theatres")


@cases("word", ["no", "wait", "sorry"])
def test_a_clause_takes_back_by_whole_words(word: str) -> None:
    """`No, it is 4` and `No it is 4` take back; `No items are left` states something, whatever letters its next word begins with."""
    assert all(takes_back(f"12. {word.title()}{joint}it is 4") for joint in (", ", " ", "... "))
    assert not any(takes_back(f"12. {word.title()} {following} are left") for following in AFTER)

"""Test of the repair of short formulas that stand for enormous ones."""

import time

from generators.constraints.repair.program_repair import repair
from tests.cases import cases


@cases("formula", ["x" + "^4" * 40 + " > 3", "x > " + "(" * 20 + "x" + "^4 + 1)" * 20, "x" + "-1" * 9_000 + " > 3"])
def test_short_formulas_stay_short(formula: str) -> None:
    """A power of powers, and a chain deeper than programs may be, are left as faults without being expanded."""
    begun = time.process_time()
    repaired = repair(f"(declare-const x Int)\nassert {formula}\n(check-sat)\n")
    assert (repaired.faults_left != (), time.process_time() - begun < 2.0) == (True, True)


def test_each_of_many_constants_is_looked_up_once() -> None:
    """Of 4,000 constants that are all used, the search for an unused one takes no time that grows with their square."""
    names = [f"x{number}" for number in range(4_000)]
    text = "".join(f"(declare-const {name} Int)\n(assert (< {name} 9))\n" for name in names)
    start = time.process_time()
    assert repair(text).repaired
    assert time.process_time() - start < 4


def test_what_is_longer_than_is_read_is_left_at_once() -> None:
    """A text whose end is not read is given back as it came: nothing can be added to an end that is not known."""
    text = "(declare-const x Int)\n" * 50_000
    start = time.process_time()
    found = repair(text)
    assert (found.program == text, bool(found.faults_left), time.process_time() - start < 4) == (True, True, True)

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

"""What the audit reads: equations of a line, two numbers that are one, and the lines and numbers that an explanation names."""

import copy
import json
from fractions import Fraction

from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Exact
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.final_answer import same_number
from oracles.labels.audit.label_verdict import audit
from oracles.labels.audit.solution_lines import read_statement
from tests.cases import cases
from tests.certified_records import certified_flaw_records
from tests.oracles.proofs.flaw_records import Record, slip

STATEMENTS = {
    "They read 180 pages a day because 14, 400 / 80 = <<14400/80=180>>180": False,
    "The total is 2.46 because .8 + . 84 + .82 = <<.8+.84+.82=2.46>>2.46": False,
    "It costs $10/3=$3 and $1/3 a pizza.": False,
    "They read a total of 400 / 80 = 180 pages.": True,
    "First they rest. 84 + 82 = 167 pages follow.": True,
    "In 14, 40 / 8 = 6 were left.": True,
    "It costs $10/3=$3 and he pays.": False,
}


@cases("line", STATEMENTS)
def test_an_equation_that_may_be_read_in_part_is_not_judged(line: str) -> None:
    """An equation beside the rest of a number is unread; a comma, a full stop or `and` beside a false one does not hide it."""
    statement = read_statement(line)
    assert (bool(statement.false), bool(statement.unread)) == (STATEMENTS[line], not STATEMENTS[line])


@cases(
    ("value", "number", "same"),
    [
        (5_000, 50, True),
        (50, 5_000, True),
        (5_000, 5_001, False),
        (Fraction(5_000), 5_001, True),
        (Fraction(-5_000), -5_001, True),
        (Fraction(100), 101, False),
        (Fraction(10, 3), Fraction("3.33"), True),
        (Fraction(10, 3), Fraction("3.4"), False),
        (3, Fraction(10, 3), True),
    ],
)
def test_two_numbers_are_one_but_for_sign_percent_and_rounding(value: Exact, number: Exact, *, same: bool) -> None:
    """An answer that is an integer is never rounded; a decimal is what a line shows of it."""
    assert same_number(value, number) is same


def causes(record: Record) -> list[str]:
    """Return the causes for which the audit refutes a record."""
    read = read_record(json.loads(json.dumps(record)), "flaws")
    assert isinstance(read, LabelledSolution)
    return [finding.cause for finding in audit(read, None, "p-1").findings if AuditCause(finding.cause).refutes]


@cases(
    ("explanation", "refuted"),
    [
        ("Half of 14 is 7, so it should be 7, not 8.", False),
        ("The division on line 4 is wrong.", True),
        ("It should be 7, not 8: see the 1,234 birds.", True),
        ("It should be 9, not 8.", True),
    ],
)
def test_explanations_are_read_for_lines_and_numbers(explanation: str, *, refuted: bool) -> None:
    """A line that is not labelled, a number of nothing, a value that the line does not work out; the pipeline writes none of them."""
    record = copy.deepcopy(slip())
    record["label"]["error_details"]["explanation"] = explanation
    assert causes(record) == (["explanation-disagrees"] if refuted else [])
    assert not [made["flaw_id"] for made in certified_flaw_records()[::50] if causes(made)]

"""Candidates for tests of edit audits: mutants of the bundled corpus, and one that is written by hand."""

from typing import Any

from harness.json_form import json_form, read_record
from harness.records.mutation import FlawCertificate, FlawClaim
from harness.solution.labels import ErrorType
from tests.certified_records import certified_flaw_records
from tests.flaw_record import flaw_label, flaw_record

FEW = ("mini-001", "mini-010", "mini-024", "mini-030", "mini-035", "mini-044", "mini-045")
"""Problems whose candidates hold every way in which words may still say the old thing, and most operators."""
Record = dict[str, Any]


def few() -> list[Record]:
    """Return the flawed solutions of a few problems."""
    return list(certified_flaw_records(FEW))


QUESTION = (
    "Ines grows 40 tomato seedlings in 5 boxes and 12 pepper seedlings in 4 boxes. She gives away two seedlings of "
    "each box. How many seedlings does she keep in all?"
)
SOLUTION = (
    "Together she has 5+4 = <<5+4=9>>9 boxes.\n"
    "Together she grows 40+12 = <<40+12=52>>52 seedlings.\n"
    "She gives away two seedlings a box, 9*2 = <<9*2=18>>18 in all.\n"
    "So she keeps 52-18 = <<52-18=34>>34 seedlings.\n"
    "#### 34"
)
FLAWED = (
    "Together she has 5+4 = <<5+4=9>>9 boxes.\n"
    "Together she grows 40-12 = <<40-12=28>>28 seedlings.\n"
    "She gives away two seedlings a box, 9*2 = <<9*2=18>>18 in all.\n"
    "So she keeps 28-18 = <<28-18=10>>10 seedlings.\n"
    "#### 10"
)
_INPUTS = [["tomatoes", "40"], ["tomato_boxes", "5"], ["peppers", "12"], ["pepper_boxes", "4"], ["given", "2"]]
_STEPS = [
    ["L1", "boxes", "tomato_boxes + pepper_boxes"],
    ["L2", "seedlings", "tomatoes + peppers"],
    ["L3", "away", "boxes * given"],
    ["L4", "kept", "seedlings - away"],
]


def by_hand() -> Record:
    """Return a candidate: on L2 a sum has become a difference, and the words still say `Together`."""
    steps = [[line, name, code.replace("tomatoes +", "tomatoes -")] for line, name, code in _STEPS]
    oracle = {"inputs": _INPUTS, "steps": _STEPS, "answer": "kept"}
    change = {"line": "L2", "variable": "seedlings", "from": "tomatoes + peppers", "to": "tomatoes - peppers"}
    certificate = read_record(
        FlawCertificate,
        {
            "claim": str(FlawClaim.INEQUIVALENT_MUTANT),
            "oracle": oracle,
            "mutant": {**oracle, "steps": steps},
            "stated": {"boxes": "9", "seedlings": "28", "away": "18", "kept": "10"},
            "change": change,
        },
    )
    explanation = "The peppers were subtracted; it should be 40 + 12 = 52, not 40 - 12 = 28."
    correction = "Together she grows 40+12 = <<40+12=52>>52 seedlings."
    return flaw_record(
        *("seedlings", "operator_swap", (QUESTION, SOLUTION, FLAWED)),
        flaw_label(ErrorType.OPERATOR_SWAP, "L2", explanation, correction),
        model="hand",
        position="early",
        mutation={"mutation_type": "operator_swap", "line": "L2", "variable": "seedlings", "from": "+", "to": "-"},
        values=[],
        plausibility={"score": 0.7, "reasons": ["the opposite operation"]},
        needs_edit=True,
        edits=["the words still say 'together'"],
        certificate=json_form(certificate),
    )

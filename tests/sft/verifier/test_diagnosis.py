"""The diagnosis: which line of a flawed solution is wrong, and how, from what stands in it."""

from random import Random

from hypothesis import given

from harness.solution.labels import ErrorClass, ErrorType
from sft.samples.solution_text import read_item
from sft.verifier.case import Case
from sft.verifier.decision import SOUND, decide
from sft.verifier.diagnosis.diagnosis import Diagnosis, KnownError, diagnosis_model, fit_diagnosis
from tests.sft.hostile import TEXTS, satisfies
from tests.sft.schemas import RECORD_SCHEMA

BAKERY = "A bakery bakes 120 rolls in the morning and half as many in the afternoon. It sells 150 of them. How many rolls are left?"
FLAWED = {SOUND: 0.1, "computational_error": 0.0, "conceptual_error": 0.9, "skipped_step": 0.0}


@given(TEXTS, TEXTS)
def test_any_solution_is_diagnosed(question: str, solution: str) -> None:
    """Whatever the texts, a place is named, and the judgement is of the schema."""
    case = Case(read_item(question, solution))
    if not case.item.places():
        return
    judged = decide(case, {}, FLAWED, {}, diagnosis_model().diagnosis)
    assert satisfies(judged.record(), RECORD_SCHEMA)
    assert judged.line in case.item.places()


def test_a_kind_that_is_not_likely_is_not_named() -> None:
    """A conceptual error whose kind nothing shows is of unknown kind, not of the commonest."""
    case = Case(read_item(BAKERY, "There are 30 rolls.\n#### 30"))
    alike = [
        KnownError("made", f"p{kind}", {"L1": {"seen": 1.0}, "FA": {"seen": 0.0}}, "L1", kind) for kind in ErrorType
    ]
    vague = fit_diagnosis(alike, {}).of_features(alike[0].features)
    judged = decide(case, {}, FLAWED, {}, lambda _: vague)
    assert (judged.line, judged.error_type, judged.error_class) == ("L1", None, ErrorClass.CONCEPTUAL)
    details = judged.record()["error_details"]
    assert details["error_type"] == "conceptual_error"
    assert satisfies(judged.record(), RECORD_SCHEMA)


def test_a_fit_learns_place_and_kind() -> None:
    """Of errors whose place and kind a feature shows, both are learnt."""
    draw = Random(4)
    errors = []
    for number in range(400):
        line = draw.choice(["L1", "L2", "L3"])
        swapped = draw.random() < 0.5
        features = {
            place: {
                "seen": float(place == line) + draw.gauss(0, 0.2),
                "sign": (1.0 if swapped else -1.0) + draw.gauss(0, 0.2),
            }
            for place in ("L1", "L2", "L3")
        }
        kind = ErrorType.OPERATOR_SWAP if swapped else ErrorType.UNIT_CONVERSION
        errors.append(KnownError("made", f"p{number}", features, line, kind))
    model = fit_diagnosis(errors, {})
    right = [model.of_features(error.features) == Diagnosis(error.line, error.error_type) for error in errors[:100]]
    assert sum(right) > 90

"""Tests of the fit of the validator: its evidence, its training problems, the held-out ones, and the shipped weights."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from harness.constraint_system import ProblemClass
from harness.json_form import json_form, read_record
from sft.fitted.model import FittedModel
from sft.samples.items import ProblemSample
from sft.validator.fit_command import fitted_weights, is_held_out
from sft.validator.problem_text import PROBLEM_EVIDENCE, ProblemText
from sft.validator.training_copies import COPIES, copies_of_original, inexact_copies
from sft.validator.validator import Validator, text_validator
from tests.cases import cases

if TYPE_CHECKING:
    from sft.samples.evidence_registry import EvidenceKind
    from sft.samples.problem_judgement import ProblemFinding

ASKED = "Ann has 3 pens. Bob gives her 4 more pens. How many pens does Ann have?"
TEXTS = {
    ProblemClass.SOLVABLE: ASKED,
    ProblemClass.UNDERSPECIFIED: ASKED.replace("3", "several"),
    ProblemClass.CONTRADICTORY: ASKED.replace("3 pens.", "3 pens. In other words, Ann has 9 pens."),
}
SAMPLES = [
    ProblemSample(f"{number}:{int(label)}", f"p{number}", text, label, "", "", "", "original" if label == 1 else "made")
    for number in range(40)
    for label, text in TEXTS.items()
]


def test_a_fit_tells_the_classes_and_reads_back_without_what_is_held_out() -> None:
    """Fitted weights judge each class, their file gives the same weights, and held-out problems count nowhere."""
    model = fitted_weights(SAMPLES)
    judged = Validator(model).judge(list(TEXTS.values()))
    assert [judgement.problem_class for judgement in judged] == list(TEXTS)
    assert read_record(FittedModel, json_form(model)) == model
    kept = [sample for sample in SAMPLES if not is_held_out(f"{sample.problem_id}:renumbered:x")]
    assert 0 < len(kept) < len(SAMPLES)
    assert fitted_weights(kept) == model


def test_copies_lack_what_they_are_named_for() -> None:
    """No copy of a problem has an answer: each lacks, hides or contradicts what its name says."""
    made = {name: (text, label) for text, label, name in copies_of_original(ASKED, Random(1))}
    assert set(made) == COPIES - {"ranged", "vague"}
    assert "How many" not in made["without_question"][0]
    assert not any(letter.isdigit() for letter in made["without_numbers"][0])
    assert re.search(r"-[34]", made["below_zero"][0])
    assert re.search(r"How many\W*$", made["cut_question"][0])
    assert {label for _, label in made.values()} == {ProblemClass.UNDERSPECIFIED, ProblemClass.CONTRADICTORY}


def test_the_needed_number_becomes_inexact() -> None:
    """Where a certificate says that a number is needed, its copies have a range and a vague word in its place, all else the same."""
    text = TEXTS[ProblemClass.UNDERSPECIFIED]
    lacking = ProblemSample("p:1", "p", text, ProblemClass.UNDERSPECIFIED, "", "", "", "vague_quantity")
    made = {name: text for text, _, name in inexact_copies(lacking, {"p": ASKED}, Random(3))}
    assert ("3" in made.pop("ranged"), "3" in made.pop("vague"), made) == (True, False, {})


def test_an_expected_share_shifts_the_probabilities() -> None:
    """The more problems without an answer are expected, the likelier one is; the share of the fit changes nothing."""
    validator, features = text_validator(), PROBLEM_EVIDENCE.features_of(ProblemText.of(ASKED))
    expected = (0.01, validator.model.prior, 0.5, 0.9)
    shares = [Validator(validator.model, share).shares_of(features)[ProblemClass.SOLVABLE] for share in expected]
    assert shares == sorted(set(shares), reverse=True)
    assert shares[1] == pytest.approx(validator.shares_of(features)[ProblemClass.SOLVABLE])


@cases("kind", list(PROBLEM_EVIDENCE))
def test_every_kind_of_evidence_names_the_same_features(kind: EvidenceKind[ProblemText, ProblemFinding]) -> None:
    """Whatever the text, a kind of evidence gives finite numbers under the same names."""
    found = [kind.read(ProblemText.of(text)).features for text in ("", *TEXTS.values(), "1" * 5_000)]
    assert len({frozenset(features) for features in found}) == 1
    assert all(abs(value) < 1e6 for features in found for value in features.values())

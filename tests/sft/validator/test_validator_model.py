"""Tests of the shipped weights of the validator and of its evidence."""

import pytest

from harness.constraint_system import ProblemClass
from sft.samples.evidence_registry import EvidenceKind
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import PROBLEM_EVIDENCE, ProblemText
from sft.validator.validator import Validator, text_validator
from tests.cases import cases

ASKED = "Ann has 3 pens. Bob gives her 4 more pens. How many pens does Ann have?"
TEXTS = {
    ProblemClass.SOLVABLE: ASKED,
    ProblemClass.UNDERSPECIFIED: ASKED.replace("3", "several"),
    ProblemClass.CONTRADICTORY: ASKED.replace("3 pens.", "3 pens. In other words, Ann has 9 pens."),
}


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

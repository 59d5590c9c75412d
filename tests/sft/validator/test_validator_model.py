"""Tests of the validator's model: its fit and the held-out problems."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest

from harness.constraint_system import ProblemClass
from sft.samples.problem_sample import ProblemSample
from sft.validator.case import PROBLEM_EVIDENCE, ProblemCase
from sft.validator.combiner import ProblemCombiner
from sft.validator.fit import PRIOR, fit_combiner, is_held_out, weights_of
from sft.validator.training_copies import COPIES, copies_of_original, inexact_copies
from sft.validator.validator import Validator, text_validator
from tests.cases import cases

if TYPE_CHECKING:
    from pathlib import Path

    from sft.samples.evidence_registry import EvidenceKind
    from sft.samples.problem_judgement import ProblemFinding

ASKED = "Ann has 3 pens. Bob gives her 4 more pens. How many pens does Ann have?"
VAGUE = ASKED.replace("3", "several")
CLASH = ASKED.replace("3 pens.", "3 pens. In other words, Ann has 9 pens.")


def _samples() -> list[ProblemSample]:
    """Return three problems of each of forty names."""
    texts = {ProblemClass.SOLVABLE: ASKED, ProblemClass.UNDERSPECIFIED: VAGUE, ProblemClass.CONTRADICTORY: CLASH}
    return [
        ProblemSample(
            f"{number}:{int(label)}", f"p{number}", text, label, "", "", "", "original" if label == 1 else "made"
        )
        for number in range(40)
        for label, text in texts.items()
    ]


def test_a_fitted_combiner_tells_the_classes_and_reads_back(tmp_path: Path) -> None:
    """A fitted combiner judges, and its file gives the same probabilities."""
    combiner = fit_combiner(_samples())
    judged = list(Validator(combiner).judge([ASKED, VAGUE, CLASH]))
    assert [judgement.problem_class for judgement in judged] == [
        ProblemClass.SOLVABLE,
        ProblemClass.UNDERSPECIFIED,
        ProblemClass.CONTRADICTORY,
    ]
    combiner.save(tmp_path / "validator.json")
    features = PROBLEM_EVIDENCE.features_of(ProblemCase.of(VAGUE))
    assert ProblemCombiner.load(tmp_path / "validator.json").predict(features) == combiner.predict(features)


def test_what_is_held_out_is_in_no_fit() -> None:
    """Problems that are held out count nowhere in a fit, whichever variant of them is given."""
    kept = [sample for sample in _samples() if not is_held_out(sample.problem_id)]
    assert 0 < len(kept) < len(_samples())
    assert fit_combiner(_samples()) == fit_combiner(kept)
    assert all(
        is_held_out(f"{sample.problem_id}:renumbered:x") == is_held_out(sample.problem_id) for sample in _samples()
    )


def test_weights_give_each_class_its_share() -> None:
    """The classes have the shares of `PRIOR`, however many problems of each there are."""
    kinds = (
        [(ProblemClass.SOLVABLE, "a")] * 50
        + [(ProblemClass.CONTRADICTORY, "b")] * 5
        + [(ProblemClass.UNDERSPECIFIED, "c")] * 9
    )
    weights = weights_of(kinds)
    for problem_class in ProblemClass:
        share = sum(weight for (kind, _), weight in zip(kinds, weights, strict=True) if kind is problem_class) / sum(
            weights
        )
        assert share == pytest.approx(PRIOR[problem_class])


TOLD = "Ann has 3 red pens and Carla has 5 blue pens. On Monday Bob gives Ann 4 more pens. How many pens does Ann have on Monday?"


def test_copies_lack_what_they_are_named_for() -> None:
    """No copy of a problem has an answer: each lacks, hides or contradicts what its name says."""
    made = {name: (text, label) for text, label, name in copies_of_original(TOLD, Random(1))}
    assert set(made) == COPIES - {"ranged", "vague"}
    asked = {name: text.rpartition(". ")[2] for name, (text, _) in made.items()}
    assert "How many" not in made["without_question"][0]
    assert not any(letter.isdigit() for letter in made["without_numbers"][0])
    assert "Ann" not in asked["other_name"]
    assert "pens" not in asked["other_thing"]
    assert "Monday" not in asked["other_sibling"]
    assert re.search(r"-[345]", made["below_zero"][0])
    assert re.fullmatch(r"How many\W*", asked["cut_question"])
    assert {label for _, label in made.values()} == {ProblemClass.UNDERSPECIFIED, ProblemClass.CONTRADICTORY}


def test_the_needed_number_becomes_inexact() -> None:
    """Where a certificate says that a number is needed, its copies have a range and a vague word in its place, all else the same."""
    lacking = ProblemSample("p:1", "p", VAGUE, ProblemClass.UNDERSPECIFIED, "", "", "", "vague_quantity")
    made = {name: text for text, _, name in inexact_copies(lacking, {"p": ASKED}, Random(3))}
    assert set(made) == {"ranged", "vague"}
    for text in made.values():
        assert text != ASKED
        assert text.startswith("Ann has ")
        assert text.endswith(" pens. Bob gives her 4 more pens. How many pens does Ann have?")
    assert "3" in made["ranged"]
    assert "3" not in made["vague"]


def test_an_expected_share_shifts_the_probabilities() -> None:
    """The more problems without an answer are expected, the likelier one is; the share of the fit changes nothing."""
    combiner, features = text_validator().combiner, PROBLEM_EVIDENCE.features_of(ProblemCase.of(ASKED))
    shares = [combiner.predict(features, share)[ProblemClass.SOLVABLE] for share in (0.01, 0.3, 0.5, 0.9)]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == len(shares)
    assert shares[1] == pytest.approx(combiner.predict(features)[ProblemClass.SOLVABLE])
    assert sum(combiner.predict(features, 0.9).values()) == pytest.approx(1)


@cases("kind", list(PROBLEM_EVIDENCE))
def test_every_kind_of_evidence_names_the_same_features(kind: EvidenceKind[ProblemCase, ProblemFinding]) -> None:
    """Whatever the text, a kind of evidence gives finite numbers under the same names."""
    found = [kind.read(ProblemCase.of(text)).features for text in ("", ASKED, VAGUE, CLASH, "1" * 5_000)]
    assert len({frozenset(features) for features in found}) == 1
    assert all(abs(value) < 1e6 for features in found for value in features.values())

"""Writers that are related: samples of one model by name, by the forms of their programs or by their answers count as less than models of their own."""

import math
from dataclasses import replace
from random import Random

import pytest

from harness.errors import HarnessError
from harness.records.formalization import ProbabilityBasis
from oracles.consensus.probability.answer_model import ProblemAnswers, problem_answers
from oracles.consensus.probability.model_reliability import estimate_reliability
from oracles.consensus.probability.writer_families import copies, named_families, writer_families
from tests.cases import cases
from tests.oracles.consensus.probability.test_oracle_probability import RIGHT, answers_of, judged, planted

COLLUDED = 13
PROBLEMS = 150
GROUPS = [(2, 4, 0.25), (3, 4, 0.25), (3, 6, 0.25), (2, 3, 0.5)]


def run_with_group(
    good: int, bad: int, share: float, *, seed: int = 0, accuracy: float = 0.85
) -> dict[str, ProblemAnswers]:
    """Return answers on easy and on hard problems, on a share of which the models `b0`, `b1`, … give one wrong value; a third of the other wrong answers are equal."""
    rng = Random(f"{good} {bad} {share} {seed}")
    models = [*(f"a{number}" for number in range(good)), *(f"b{number}" for number in range(bad))]
    answers = {}
    for number in range(PROBLEMS):
        chance = 1 / (1 + math.exp(-1.3 * math.log(accuracy / (1 - accuracy)) - rng.gauss(0, 1.2)))
        values = {
            model: RIGHT if rng.random() < chance else 40 if rng.random() < 1 / 3 else rng.randrange(100, 130)
            for model in models
        }
        if rng.random() < share:
            values |= {model: COLLUDED for model in models if model.startswith("b")}
        answers[f"p{number:03}"] = answers_of(values)
    return answers


@cases("good, bad, share", GROUPS)
def test_a_group_that_shares_wrong_answers_is_one_family_and_never_certain(good: int, bad: int, share: float) -> None:
    """The group is found whether or not it outnumbers the good models, none of which is of it, and what it shares never reaches 0.99."""
    answers = run_with_group(good, bad, share)
    family = estimate_reliability(answers).family
    assert {family[f"b{number}"] for number in range(bad)} == {"b0"}
    assert all(family[f"a{number}"] != "b0" for number in range(good))
    assert max(own.p_right for name, own in judged(answers).items() if COLLUDED in answers[name].support) < 0.99


@cases("models", [3, 5, 8])
def test_good_models_with_mistakes_of_their_own_are_no_family(models: int) -> None:
    """However hard some problems are, independent models that are right nine times in ten stay apart, though a third of their mistakes are equal."""
    for seed in range(2):
        family = estimate_reliability(run_with_group(models, 0, 0, seed=seed, accuracy=0.9)).family
        assert all(writer == own for writer, own in family.items())


@cases("samples", [2, 5])
@cases("noise", [0.05, 0.2, 0.4])
@cases("others", [1, 2])
def test_named_samples_of_one_model_outvote_nobody(samples: int, noise: float, others: int) -> None:
    """Beside other models, many samples of one model, named as its own, make none of its mistakes sure."""
    rng = Random(f"samples {samples} {noise} {others}")
    answers = {}
    for number in range(PROBLEMS):
        models = ["a", *(f"b{other}" for other in range(others)), *(f"a#{sample}" for sample in range(samples))]
        values = {model: RIGHT if rng.random() < 0.8 else rng.choice([40, 41, 43, 44, 45, 46, 47]) for model in models}
        values |= {f"a#{sample}": values["a"] for sample in range(samples) if rng.random() > noise}
        answers[f"p{number:03}"] = answers_of(values)
    posterior = estimate_reliability(answers).posterior
    kept = [name for name, own in judged(answers).items() if own.p_right >= 0.99]
    assert sum(max(posterior[name], key=posterior[name].__getitem__) != RIGHT for name in kept) <= 1


@cases("writers", [2, 3, 7])
def test_samples_count_as_more_than_one_model_and_less_than_as_many(writers: int) -> None:
    """The same answers by samples of one model, instead of as many models, are worth fewer independent ones, more than one, and give no more certainty."""
    apart = planted({f"m{number}": 0.8 for number in range(writers)}, {})
    names = {f"m{number}": f"m#{number}" for number in range(writers)}
    related = {
        key: replace(
            own, support={value: tuple(sorted(map(names.get, models))) for value, models in own.support.items()}
        )
        for key, own in apart.items()
    }
    reliability = estimate_reliability(related)
    assert 1 < reliability.independent(sorted(names.values())) < writers
    unanimous = [key for key, own in apart.items() if len(own.support) == 1]
    first, second = judged(apart), judged(related)
    assert all(second[key].p_right <= first[key].p_right for key in unanimous)


@cases("same, joined", [(0.2, False), (0.44, False), (0.9, True)])
def test_programs_of_one_form_join_writers(same: float, joined: bool) -> None:
    """Writers whose programs of one value have one form as often as those of different public models stay apart, with clearly more they are one family."""
    rng = Random(f"forms {same}")
    answers = [
        replace(
            answers_of(dict.fromkeys("abc", RIGHT)),
            forms={model: "usual" if rng.random() < math.sqrt(same) else f"{model} {number}" for model in "abc"},
        )
        for number in range(PROBLEMS)
    ]
    assert set(writer_families("abc", answers).values()) == ({"a"} if joined else set("abc"))


SAMPLES = [
    (("a", "x"), (), {("a", "x")}),
    (("a", "a#2"), (), set()),
    (("a", "x"), ("a=?",), set()),
    (("a", "x"), ("one=a", "other=x"), {("a", "x")}),
]


@cases("names, options, doubles", SAMPLES)
def test_samples_of_one_model_are_no_copies(
    names: tuple[str, str], options: tuple[str, ...], doubles: set[tuple[str, str]]
) -> None:
    """Two writers that mostly write one program are one witness, unless names or the option call them samples: their disagreement is evidence, too."""
    rng, answers = Random(0), {}
    for number in range(60):
        values = {model: RIGHT if rng.random() < 0.8 else rng.randrange(99) for model in (names[0], "y", "z")}
        forms = {model: rng.choice(["usual", model]) for model in values}
        values[names[1]], forms[names[1]] = values[names[0]], "own" if number % 12 == 0 else forms[names[0]]
        answers[f"p{number:03}"] = problem_answers(values, forms)
    assert estimate_reliability(answers, named_families(options)).double == doubles


@cases("writers", [2, 5])
@cases("problems", [50, 100, 300])
@cases("one_step", [0.0, 0.5, 0.8, 1.0])
@cases("own_form", [False, True])
def test_no_independent_writers_are_copies(writers: int, problems: int, one_step: float, own_form: bool) -> None:
    """Models of mistakes of their own are never one witness, however many problems have one step, whose value fixes the form, and though one model has forms of its own."""
    for seed in range(4):
        rng = Random(f"{writers} {problems} {one_step} {own_form} {seed}")
        names = [f"m{number}" for number in range(writers)]
        answers = []
        for number in range(problems):
            values = {model: RIGHT if rng.random() < 0.85 else rng.choice([40, 41, 43, 44]) for model in names}
            usual = number < one_step * problems
            forms = {model: "usual" if usual else rng.choice(["usual", "usual", model]) for model in names}
            if own_form:
                forms["m0"] = "m0"
            answers.append(problem_answers(values, forms))
        assert not copies(names, answers)


@cases("changed, copied", [(1, 1), (1, 4), (3, 2), (6, 2)])
def test_copies_with_some_changed_programs_are_worth_no_more_than_one_model(changed: int, copied: int) -> None:
    """Copies of a model, of whose 60 programs some are another's, count as one model more at most and less than double the odds; no other models are taken for copies."""
    rng = Random(f"changed {changed} {copied}")
    names = [f"x{number}" for number in range(copied)]
    apart, beside = planted(dict.fromkeys("abcd", 0.8), {}, problems=60), {}
    source = {copy: rng.sample(sorted(apart), changed) for copy in names}
    for key, own in apart.items():
        values = {model: value for value, models in own.support.items() for model in models}
        forms = {model: rng.choice(["usual", "usual", model]) for model in values}
        origin = {copy: "d" if key in source[copy] else "a" for copy in names}
        apart[key], beside[key] = (
            problem_answers(
                {model: values[of] for model, of in models.items()}, {model: forms[of] for model, of in models.items()}
            )
            for models in ({model: model for model in "abc"}, {model: model for model in "abc"} | origin)
        )
    reliability = estimate_reliability(beside)
    assert all({*pair} <= {"a", *names} for pair in reliability.double)
    assert reliability.independent(["a", *names]) < 2
    odds = [
        [
            math.log(own.p_right / (1 - own.p_right))
            for key, own in judged(run).items()
            if "a" in apart[key].support.get(RIGHT, ())
        ]
        for run in (apart, beside)
    ]
    assert sum(odds[1]) - sum(odds[0]) < math.log(2) * len(odds[0])


NAMES = [
    (("opal", "opal#2", "opal#3"), (), {"opal"}),
    (("lab/opal/plain", "lab/opal/steps"), (), {"lab/opal/plain"}),
    (("lab/opal", "lab/onyx"), (), {"lab/opal", "lab/onyx"}),
    (("opal-plain", "opal-steps", "onyx"), ("opal=opal-*",), {"opal", "onyx"}),
]


@cases("writers, options, families", NAMES)
def test_names_and_the_option_tell_families(
    writers: tuple[str, ...], options: tuple[str, ...], families: set[str]
) -> None:
    """What stands before `#`, all parts but the last of `publisher/model/prompt`, and the patterns of the option name the family."""
    answers = [answers_of(dict.fromkeys(writers, RIGHT))]
    assert set(writer_families(writers, answers, named_families(options)).values()) == families


@cases("option", ["opal", "=opal*", "opal="])
def test_a_family_without_a_name_or_a_pattern_is_refused(option: str) -> None:
    """The message names the option."""
    with pytest.raises(HarnessError, match="NAME=PATTERN"):
        named_families([option])


@cases("models, problems", [(1, 5), (1, 30), (2, 5), (2, 10), (3, 10), (5, 10), (11, 5)])
def test_small_runs_are_never_certain(models: int, problems: int) -> None:
    """One model, or few problems, never give 0.99, whatever the models' accuracies; one model alone gives the prior, and a small run says that it is one."""
    for seed in range(4):
        rng = Random(f"{models} {problems} {seed}")
        accuracies = {f"a{number}": rng.uniform(0.4, 0.97) for number in range(models)}
        found = judged(planted(accuracies, {}, problems=problems, seed=seed)).values()
        assert max(probability.p_right for probability in found) < 0.99
        bases = {probability.basis for probability in found}
        assert (
            bases == {ProbabilityBasis.PRIOR}
            if models == 1
            else bases <= {ProbabilityBasis.PRIOR, ProbabilityBasis.FEW_PROBLEMS}
        )

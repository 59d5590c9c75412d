"""Tests of cliques: which clique the rule selects, its confidence score, and the reason for each dissenter."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from harness.domain import CauseKind, ParameterAlignment, Response, Verdict
from harness.json_form import json_form, read_record
from harness.program.candidate import Candidate, read_candidate
from harness.program.ir import Program
from oracles.consensus.cliques import consensus
from oracles.consensus.confidence_score import ConsensusWeights, pairwise_quality
from oracles.consensus.oracle_choice import Inputs, clarity
from tests.cases import cases

Record = dict[str, Any]


def alignment(aligned: int, loose: int = 0, similarity: float = 1.0) -> Record:
    """Return a UT-2 record with so many aligned and unaligned inputs."""
    pairs = [
        {"left": f"a{number}", "right": f"b{number}", "value": "1", "similarity": similarity}
        for number in range(aligned)
    ]
    return {"aligned": pairs, "unaligned_left": ["u"] * loose, "unaligned_right": [], "runner_up": None}


def verdict(claim: str, left: str, right: str | None, status: str, **more: object) -> Record:
    """Return a verdict record."""
    return {
        "method": "",
        "claim": claim,
        "problem_id": "p",
        "left": left,
        "right": right,
        "status": status,
        "reason": None,
        "counterexample": None,
        "alignment": None,
        **more,
    }


def agreed(
    models: str,
    edges: Mapping[str, float | Record | str],
    *,
    refuted: str = "",
    inputs: Mapping[str, int] | None = None,
    choice: str = "parameters",
    seed: int = 0,
    weights: ConsensusWeights | None = None,
) -> Record:
    """Return the consensus of one-letter models; `edges` give a mean similarity, an alignment, or a status that is no proof."""
    verdicts = [
        verdict("ut1", model, None, "REFUTED" if model in refuted else "CONFIRMED", reason=f"why {model}")
        for model in models
    ]
    for left, right in itertools.combinations(models, 2):
        edge = edges.get(left + right, "UNKNOWN")
        status = edge if isinstance(edge, str) else "CONFIRMED"
        record = edge if isinstance(edge, dict) else alignment(1, similarity=edge if isinstance(edge, float) else 1.0)
        verdicts += [
            verdict("ut2", left, right, "CONFIRMED", alignment=record),
            verdict("ut3", left, right, status, reason=f"{left}{right} {status}"),
        ]
    candidates = {model: candidate(model, (inputs or {}).get(model, 1)) for model in models}
    read = [read_record(Verdict, verdict) for verdict in verdicts]
    return json_form(
        consensus("p", read, *programs_of(candidates), weights=weights or ConsensusWeights(), choice=choice, seed=seed)
    )


def candidate(model: str, inputs: int) -> Candidate:
    """Return a formalization with so many inputs."""
    arguments = ", ".join(f"x{number}: int = {number + 1}" for number in range(inputs))
    return read_candidate(Response("p", model, f"def solve({arguments}):\n    return x0\n"))


def programs_of(candidates: Mapping[str, Candidate]) -> tuple[Inputs, Callable[[str], Program | None]]:
    """Return what `consensus` takes of formalizations: their inputs, and what reads a program."""
    programs = {model: own.program for model, own in candidates.items()}
    inputs = {model: () if program is None else program.parameters for model, program in programs.items()}
    return inputs, programs.__getitem__


QUALITY = {
    "all aligned, alike": (alignment(3), 1.0),
    "all aligned, half alike": (alignment(2, similarity=0.5), 0.85),
    "half aligned": (alignment(1, 1), 0.65),
    "one of four": (alignment(1, 3, 0.8), 0.415),
    "unlike": (alignment(1, similarity=-0.2), 0.64),
    "none aligned": (alignment(0, 3), 0.0),
}


@cases("case", QUALITY)
def test_pairwise_quality_is_the_formula(case: str) -> None:
    """0.7 times the share of aligned inputs plus 0.3 times their mean similarity."""
    record, score = QUALITY[case]
    assert pairwise_quality(read_record(ParameterAlignment, record), ConsensusWeights()) == score


@cases(("size", "bonus"), [(2, 1.0), (3, 1.1), (4, 1.2), (5, 1.3), (6, 1.3), (9, 1.3)])
def test_confidence_is_the_mean_quality_times_the_bonus(size: int, bonus: float) -> None:
    """Every member confirms every other at 0.85; larger cliques are worth more, up to five."""
    models = "abcdefghi"[:size]
    found = agreed(models, {left + right: 0.5 for left, right in itertools.combinations(models, 2)})
    assert (found["clique"], found["clique_size"], found["confidence"]) == (list(models), size, round(0.85 * bonus, 4))


def test_weights_and_bonus_are_the_users() -> None:
    """Weights and bonus can be set; the published figures are defaults."""
    weights = ConsensusWeights(aligned=0.5, similarity=0.5, bonus=(2.0,))
    found = agreed("abc", {"ab": 0.5, "ac": 0.5, "bc": 0.5}, weights=weights)
    assert found["confidence"] == 1.5


CLIQUES = {
    "nothing confirmed": ("abc", {"ab": "UNKNOWN", "ac": "REFUTED"}, []),
    "one pair": ("abc", {"bc": 1.0}, ["b", "c"]),
    "the largest": ("abcde", {"ab": 1.0, "ac": 0.0, "bc": 0.0, "de": 1.0}, ["a", "b", "c"]),
    "a chain is no clique": ("abc", {"ab": 0.4, "bc": 0.6}, ["b", "c"]),
    "a tie goes to quality": ("abcd", {"ab": 0.4, "cd": 0.6}, ["c", "d"]),
    "a tie of all goes to the first names": ("abcd", {"ab": 0.5, "cd": 0.5}, ["a", "b"]),
    "a refuted model is not admitted": ("abx", {"ab": 0.1, "ax": 1.0, "bx": 1.0}, ["a", "b"]),
}


@cases("case", CLIQUES)
def test_the_clique(case: str) -> None:
    """The largest, then the best, then the first by name."""
    models, edges, clique = CLIQUES[case]
    assert agreed(models, edges, refuted="x")["clique"] == clique


def test_without_a_clique_there_is_no_confidence_and_no_oracle() -> None:
    """Two formalizations of which nobody confirms the other leave the problem without an oracle."""
    found = agreed("ab", {})
    assert (found["clique_size"], found["confidence"], found["oracle"]) == (0, 0.0, None)


def test_a_lone_right_formalization_is_the_oracle_without_confidence() -> None:
    """The only formalization that UT-1 does not refute, and that it confirms, stands alone, of confidence 0."""
    found = agreed("ax", {}, refuted="x")
    assert (found["clique"], found["clique_size"], found["confidence"], found["oracle"]) == (["a"], 1, 0.0, "a")


def test_the_oracle_has_the_most_inputs() -> None:
    """The oracle is the member with the most inputs."""
    assert agreed("abc", {"ab": 1.0, "ac": 0.5, "bc": 0.5}, inputs={"a": 2, "b": 2, "c": 3})["oracle"] == "c"


def test_a_tie_of_inputs_goes_to_the_better_confirmed() -> None:
    """Then the mean quality within the clique decides, then the name."""
    better = agreed("abc", {"ab": 0.2, "ac": 0.4, "bc": 0.9})["oracle"]
    assert (better, agreed("abc", {"ab": 0.5, "ac": 0.5, "bc": 0.5})["oracle"]) == ("c", "a")


def test_a_random_oracle_is_a_member_and_depends_on_the_seed_only() -> None:
    """Over some seeds every member is chosen; one seed always chooses the same."""
    edges = {"ab": 0.5, "ac": 0.5, "bc": 0.5}
    chosen = [agreed("abc", edges, choice="random", seed=seed)["oracle"] for seed in range(20)]
    assert (set(chosen), chosen[3]) == ({"a", "b", "c"}, agreed("abc", edges, choice="random", seed=3)["oracle"])


def test_dissenters_are_told_why() -> None:
    """Against the gold answer first, then against the member that refutes it, then against one that cannot confirm it."""
    edges: dict[str, float | str] = {"ab": 1.0, "ac": "UNKNOWN", "bc": "REFUTED", "ad": "UNKNOWN", "bd": "UNKNOWN"}
    found = agreed("abcdx", edges, refuted="x")["dissenters"]
    assert [(row["model"], row["against"], row["reason"]) for row in found] == [
        ("c", "b", "bc REFUTED"),
        ("d", "a", "ad UNKNOWN"),
        ("x", None, "why x"),
    ]


def test_all_dissent_where_nothing_is_confirmed() -> None:
    """Where nothing is confirmed, each formalization dissents with the reason that no other confirms it."""
    found = agreed("ab", {})["dissenters"]
    assert [(row["model"], row["reason"]) for row in found] == [
        (model, "no other formalization confirms it") for model in "ab"
    ]


def test_pairs_list_every_confirmed_pair_of_admitted_models() -> None:
    """Pairs list every confirmed pair, those outside the clique too."""
    found = agreed("abcd", {"ab": 1.0, "ac": 1.0, "bc": 1.0, "cd": 0.5})["pairs"]
    assert [(pair["left"] + pair["right"], pair["score"]) for pair in found] == [
        ("ab", 1.0),
        ("ac", 1.0),
        ("bc", 1.0),
        ("cd", 0.85),
    ]


def caused(kind: str, *inputs: str) -> Record:
    """Return the cause of a refutation."""
    return {"kind": kind, "basis": "proved", "method": "smt", "checked": 1, "inputs": list(inputs)}


def graded(cause: str, *, strict: bool) -> Record:
    """Return the consensus of a, b and c: a and b are confirmed, c differs from either for a cause."""
    inputs = (
        {"left": "x", "right": "x", "value": "1", "similarity": 1.0},
        {"left": "y", "right": "y", "value": "2", "similarity": 1.0},
    )
    aligned = {"aligned": list(inputs), "unaligned_left": [], "unaligned_right": []}
    verdicts = [verdict("ut1", model, None, "CONFIRMED") for model in "abc"]
    for left, right in ("ab", "ac", "bc"):
        verdicts.append(verdict("ut2", left, right, "CONFIRMED", alignment=aligned))
        more = {} if right == "b" else {"cause": caused(cause, "y")}
        verdicts.append(verdict("ut3", left, right, "CONFIRMED" if right == "b" else "REFUTED", **more))
    read = [read_record(Verdict, form) for form in verdicts]
    candidates = {model: candidate(model, 2) for model in "abc"}
    weights = ConsensusWeights()
    return json_form(
        consensus("p", read, *programs_of(candidates), weights=weights, choice="parameters", seed=0, strict=strict)
    )


@cases(
    "cause, strict, size",
    [
        (cause, strict, 2 if strict or cause in {"logic", "rounding"} else 3)
        for cause in CauseKind
        for strict in (True, False)
    ],
)
def test_logic_and_rounding_always_part_two_members(cause: str, strict: bool, size: int) -> None:
    """Other causes part two formalizations only if the consensus is strict."""
    assert graded(cause, strict=strict)["clique_size"] == size


def test_an_uncounted_cause_is_recorded_and_lowers_the_score() -> None:
    """A pair that was refuted for an uncounted cause says so; the inputs that the cause names count as unaligned."""
    record = graded("unused_input", strict=False)
    assert [(pair["score"], pair.get("uncounted")) for pair in record["pairs"]] == [
        (1.0, None),
        (0.5333, "unused_input"),
        (0.5333, "unused_input"),
    ]
    assert record["counted"] == ["logic", "rounding"]


def test_a_dissenter_states_its_cause() -> None:
    """A dissenter names what it differs in from a member of the clique."""
    (dissenter,) = graded("rounding", strict=False)["dissenters"]
    assert (dissenter["model"], dissenter["cause"]) == ("c", "rounding")


def test_what_is_compiled_gives_way_in_a_tie() -> None:
    """Of members with as many inputs and the same quality, the oracle is what a model wrote; one with more inputs stays the oracle."""
    read = [
        read_record(Verdict, record)
        for record in (
            *(verdict("ut1", model, None, "CONFIRMED") for model in "ab"),
            verdict("ut2", "a", "b", "CONFIRMED", alignment=alignment(2)),
            verdict("ut3", "a", "b", "CONFIRMED"),
        )
    ]
    oracles = [
        consensus(
            "p",
            read,
            *programs_of({"a": candidate("a", inputs), "b": candidate("b", 2)}),
            weights=ConsensusWeights(),
            choice="parameters",
            seed=0,
            compiled=compiled,
        ).oracle
        for inputs, compiled in ((2, ()), (2, {"a"}), (2, {"a", "b"}), (3, {"a"}))
    ]
    assert oracles == ["a", "b", "a", "a"]


def test_the_clearest_of_equal_members_is_the_oracle() -> None:
    """Of members with as many inputs, words as names, comments and a known provenance decide before quality and the alphabet do."""
    written = {
        "a": "def solve(x=6, y=7):\n    return x * y\n",
        "b": "def solve(bags=6, apples=7):\n    return bags * apples\n",
        "c": "def solve(\n    bags=6,  # 6 bags\n    apples=7,  # 7 apples in each\n):\n    return bags * apples\n",
    }
    candidates = {model: read_candidate(Response("p", model, code, "parametric")) for model, code in written.items()}
    said = [clarity(programs_of(candidates)[0][model]) for model in "abc"]
    assert said == sorted(set(said))
    for members in ("ab", "bc", "ac", "abc"):
        verdicts = [
            *(verdict("ut1", model, None, "CONFIRMED") for model in members),
            *(
                record
                for left, right in itertools.combinations(members, 2)
                for record in (
                    verdict(
                        "ut2", left, right, "CONFIRMED", alignment=alignment(2, similarity=0.9 if left == "a" else 0.5)
                    ),
                    verdict("ut3", left, right, "CONFIRMED"),
                )
            ),
        ]
        read = [read_record(Verdict, record) for record in verdicts]
        chosen = {model: candidates[model] for model in members}
        found = consensus("p", read, *programs_of(chosen), weights=ConsensusWeights(), choice="parameters", seed=0)
        assert found.oracle == members[-1]

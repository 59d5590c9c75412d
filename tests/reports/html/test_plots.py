"""Laws of the pictures of the pages: their figures are those of the sealed records, whatever the records are."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from harness.json_form import json_form
from harness.records.funnel import WITH_FLAWS, WITH_VARIANTS, FunnelRecord, FunnelUnit, ProblemYield
from harness.stages import FORMALIZATION, FUNNEL, MUTATION, VARIANT
from reports.html.flaws_page import write_flaws
from reports.html.formalization_page import write_report
from reports.html.funnel_page import write_funnel
from reports.html.plots.agreement_plot import MOST_MODELS, agreement_plot
from reports.html.variants_page import write_variants
from reports.views.artefacts import ReportError
from reports.views.formalization_counts import RunCounts
from reports.views.funnel import funnel_flows
from reports.views.model_similarity import similarity_order
from tests.cases import cases
from tests.reports.hostile import ACTING, HOSTILE, SHOWN
from tests.reports.stage_records import (
    Stage,
    copied_records,
    mutation_records,
    program_record,
    seal_stage,
    variant_records,
    verdict_record,
)

CHAIN = ("with a formalization", "not refuted by UT-1", "in a clique", "with an oracle")


def tooltips(page: str) -> list[str]:
    """Return the tooltips of the pictures of a page."""
    return [unescape(text) for text in re.findall(r"<title>([^<]*)</title>", page.partition("</head>")[2])]


def rows(page: str, label: str) -> list[list[str]]:
    """Return the rows of the table of a picture."""
    (table,) = re.findall(
        rf'<table class="figures" aria-label="{re.escape(label)}[^"]*">(.*?)</table>', page, re.DOTALL
    )
    return [
        [unescape(cell) for cell in re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    ][1:]


def number(text: str) -> int:
    """Return the number of a text with thousands separated."""
    return int(text.replace(",", "").replace("−", ""))


def some_funnel(seed: int) -> tuple[list[FunnelRecord], list[ProblemYield]]:
    """Return the records of a funnel of some problems that end at steps drawn by chance."""
    chance = random.Random(seed)
    problems = []
    for place in range(chance.choice([1, 7, 300])):
        left, flaws, variants = {}, 0, 0
        for step in CHAIN:
            if chance.random() < 0.2:
                left[step] = chance.choice([f"reason {number}" for number in range(12)] + [HOSTILE])
                break
        else:
            flaws, variants = (chance.choice([0, 1, 40]) for _ in range(2))
            left = {step: "nothing" for step, made in ((WITH_FLAWS, flaws), (WITH_VARIANTS, variants)) if not made}
        problems.append(
            ProblemYield(
                problem_id=f"p-{place:03}", formalizations=3, confirmed=2, clique_size=2, confidence=1.0,
                flaws=flaws, clean=chance.randint(0, flaws), variants=variants, left=left,
            )
        )  # fmt: skip
    steps = []

    def add_step(name: str, unit: FunnelUnit, of: int, lost: Counter[str]) -> int:
        count = of - lost.total()
        steps.append(
            FunnelRecord(step=name, unit=unit, of=of, count=count, made="", parts={}, lost=dict(lost.most_common()))
        )
        return count

    reached = add_step("problems", FunnelUnit.PROBLEMS, len(problems) + (seed % 3), +Counter({"left out": seed % 3}))
    for name in CHAIN:
        reached = add_step(
            name,
            FunnelUnit.PROBLEMS,
            reached,
            Counter(problem.left[name] for problem in problems if name in problem.left),
        )
    for name in (WITH_FLAWS, WITH_VARIANTS):
        add_step(
            name,
            FunnelUnit.PROBLEMS,
            reached,
            Counter(problem.left[name] for problem in problems if name in problem.left),
        )
    flaws, clean = sum(problem.flaws for problem in problems), sum(problem.clean for problem in problems)
    add_step("flaws with a clean audit", FunnelUnit.FLAWS, flaws, +Counter({"stale-number": flaws - clean}))
    if seed % 2:
        add_step("samples in the datasets", FunnelUnit.SAMPLES, 900, Counter({f"why {n}": n + 1 for n in range(20)}))
    else:
        steps.append(
            FunnelRecord(step="samples in the datasets", unit=FunnelUnit.SAMPLES, of=0, count=0, made="", parts={}, lost={"not made": 1})
        )  # fmt: skip
    return steps, problems


def sealed_funnel(run: Path, steps: list[FunnelRecord], problems: list[ProblemYield]) -> Path:
    """Seal a funnel."""
    return seal_stage(run, FUNNEL, {"steps": list(map(json_form, steps)), "problems": list(map(json_form, problems))})


@cases("seed", range(12))
def test_flows_account_for_every_record(tmp_path: Path, seed: int) -> None:
    """What reaches a step leaves by a branch or reaches the next; each count is that of the records; the page shows them all."""
    steps, problems = some_funnel(seed)
    run = sealed_funnel(tmp_path / "run", steps, problems)
    flows = {flow.unit: flow for flow in funnel_flows(run)}
    units = {step.unit for step in steps if step.of}
    assert flows.keys() == units
    for flow in flows.values():
        for before, after in zip(flow.steps, flow.steps[1:], strict=False):
            assert before.count == sum(before.left.values()) + sum(before.ended.values()) + after.count
    of_problems = flows[FunnelUnit.PROBLEMS].steps
    assert [step.count for step in of_problems][-5:] == [
        len(problems) - sum(bool(problem.left.keys() & set(CHAIN[:place])) for problem in problems)
        for place in range(5)
    ]
    made = Counter(
        (problem.flaws > 0, problem.variants > 0) for problem in problems if not problem.left.keys() & set(CHAIN)
    )
    assert sorted(of_problems[-1].ended.values()) == sorted(made.values())
    page = write_funnel(run).read_text(encoding="utf-8")
    for unit, flow in flows.items():
        counts = [number(row[1]) for row in rows(page, f"What became of the {unit}")]
        assert counts == [
            count
            for step in flow.steps
            for count in (step.count, *step.left.values(), *step.ended.values())
        ]  # fmt: skip
    shown = Counter(number(text.split()[0]) for text in tooltips(page))
    for step in (step for flow in flows.values() for step in flow.steps):
        assert shown[step.count]
    assert "<img" not in page
    assert not ACTING & set(page)
    assert all(SHOWN in text for text in tooltips(page) if "onerror" in text)


def widths(page: str) -> list[tuple[float, str]]:
    """Return the width of the bar of each step of the first flow, and its tooltip."""
    figure = page[page.index('id="plot-flow-0"') : page.index("</svg>")]
    found = re.findall(r'<g><title>([^<]*)</title><rect class="bar"[^>]*? width="([\d.]+)"', figure)
    return [(float(width), text) for text, width in found]


def test_streams_are_as_wide_as_their_counts(tmp_path: Path) -> None:
    """The bar of each step has the share of the first that its count has."""
    bars = widths(write_funnel(sealed_funnel(tmp_path / "run", *some_funnel(5))).read_text(encoding="utf-8"))
    (first, text), *others = bars
    assert len(others) >= 4
    for width, title in others:
        assert width / first == pytest.approx(number(title.split()[0]) / number(text.split()[0]), abs=0.001)


@cases("change", [("count", 1), ("count", -1), ("lost", {"more": 10_000})])
def test_counts_that_do_not_add_up_are_refused(tmp_path: Path, change: tuple[str, Any]) -> None:
    """A step that says another count than what came and left gives no picture but an error that names it."""
    steps, problems = some_funnel(2)
    forms = list(map(json_form, steps))
    name, value = change
    forms[2][name] = value if isinstance(value, dict) else forms[2][name] + value
    run = seal_stage(tmp_path / "run", FUNNEL, {"steps": forms, "problems": list(map(json_form, problems))})
    with pytest.raises(ReportError, match=r"funnel/steps\.jsonl: the counts do not add up: .* in a new folder"):
        write_funnel(run)


def some_agreement(seed: int, sizes: tuple[int, ...]) -> tuple[list[str], dict[tuple[str, str], float]]:
    """Return models in groups, in an order drawn by chance, and their agreement: more within a group than without."""
    chance = random.Random(seed)
    group_of = {f"m-{chance.random()}": group for group, size in enumerate(sizes) for _ in range(size)}
    models = sorted(group_of)
    shares = {
        (left, right): chance.uniform(0.8, 1.0) if group_of[left] == group_of[right] else chance.uniform(0.0, 0.5)
        for left in models
        for right in models
        if left < right
    }
    return sorted(models, key=lambda model: group_of[model]), shares


@cases("seed", range(10))
def test_models_of_a_group_stand_together(seed: int) -> None:
    """The order is a permutation in which every group is one block, and the order of the input does not change which are neighbours."""
    sizes = ((1, 1, 1), (3, 3), (2, 5, 4), (12, 1, 7), (30,))[seed % 5]
    grouped, shares = some_agreement(seed, sizes)

    def agreement(left: str, right: str) -> float | None:
        return shares[min(left, right), max(left, right)]

    groups = {model: group for group, size in enumerate(sizes) for model in grouped[sum(sizes[:group]) :][:size]}
    order = similarity_order(sorted(grouped), agreement)
    assert sorted(order) == sorted(grouped)
    blocks = [
        groups[model] for place, model in enumerate(order) if not place or groups[order[place - 1]] != groups[model]
    ]
    assert len(blocks) == len(sizes)
    shuffled = random.Random(seed).sample(grouped, len(grouped))
    again = similarity_order(shuffled, agreement)
    assert again in (order, order[::-1])


def test_undecided_pairs_are_no_agreement() -> None:
    """Models without a decided pair do not count as alike."""
    shares = {("a", "b"): None, ("a", "c"): 0.9, ("b", "c"): 0.2}
    assert similarity_order(["a", "b", "c"], lambda left, right: shares[min(left, right), max(left, right)])[1] == "c"


@cases("seed", range(4))
def test_heat_map_is_that_of_the_verdicts(tmp_path: Path, seed: int) -> None:
    """Each cell, and each row of its table, says how many verdicts of two models were decided and confirmed."""
    chance = random.Random(seed)
    models = [*[f"model-{letter}" for letter in "abcdefg"[: 3 + seed]], f"m{HOSTILE[:40]}"]
    problems = [f"p-{place}" for place in range(6)]
    verdicts = [
        verdict_record("ut3", problem, left, right, chance.choice(["CONFIRMED", "REFUTED", "UNKNOWN"]))
        for problem in problems
        for left in models
        for right in models
        if left < right and chance.random() < 0.5
    ]
    run = seal_stage(
        tmp_path / "run",
        FORMALIZATION,
        {
            "problems": [{"problem_id": name, "question": "?", "solution": "", "gold": "1"} for name in problems],
            "programs": [program_record(name, model, "1") for name in problems for model in models],
            "verdicts": verdicts,
        },
    )
    page = write_report(run).read_text(encoding="utf-8")
    decided, confirmed = Counter[frozenset[str]](), Counter[frozenset[str]]()
    for verdict in verdicts:
        pair = frozenset((verdict["left"], verdict["right"]))
        decided[pair] += verdict["status"] != "UNKNOWN"
        confirmed[pair] += verdict["status"] == "CONFIRMED"
    table = rows(page, "Share of decided UT-3 pairs")
    assert len(table) == len(models) * (len(models) - 1) // 2
    assert sum(number(row[2]) for row in table) == decided.total()
    assert sum(number(row[1]) for row in table) == confirmed.total()
    cells = [text for text in tooltips(page) if "decided pair" in text and " and " in text]
    assert len(cells) == len(models) * (len(models) - 1)
    for pair, size in decided.items():
        left, right = sorted(pair)
        if not size or HOSTILE[:40] in right + left:
            continue
        told = f"{confirmed[pair] / size:.1%} of {size:,} decided pairs confirmed"
        assert f"{left} and {right}: {told}" in cells
        assert f"{right} and {left}: {told}" in cells
    assert sum(
        number(row[1]) for row in rows(page, "What became of the pairs") if "−" not in row[1] and "UT-3" in row[0]
    ) == (len(verdicts) + confirmed.total())


@cases("copies", [1, 3])
def test_errors_by_type_and_tier_are_all_flaws(tmp_path: Path, copies: int) -> None:
    """The cells add up to the records by type, by tier and in all."""
    stage = copied_records(mutation_records(), copies, "flaw")
    flaws = [*stage["computational"], *stage["conceptual"]]
    for place, flaw in enumerate(flaws):
        flaw["tier"] = [1, 2, None, "odd <b>"][place % 4]
    page = write_flaws(seal_stage(tmp_path / "run", MUTATION, stage)).read_text(encoding="utf-8")
    *by_type, last = rows(page, "Flawed solutions by type of error and tier")
    counts = Counter(flaw["label"]["error_details"]["error_type"].replace("_", " ") for flaw in flaws)
    assert {row[0]: number(row[-1]) for row in by_type} == counts
    for row in [*by_type, last]:
        assert sum(map(number, row[1:-1])) == number(row[-1])
    tiers = Counter(str(flaw["tier"]) for flaw in flaws)
    assert list(map(number, last[1:])) == [tiers["1"], tiers["2"], tiers["odd <b>"], tiers["None"], len(flaws)]


@cases(
    ("stage", "made_of", "write", "noun"),
    [
        (MUTATION, mutation_records, write_flaws, "flawed solution"),
        (VARIANT, variant_records, write_variants, "variant"),
    ],
)
def test_yield_counts_every_attempt(
    tmp_path: Path, stage: str, made_of: Callable[[], Stage], write: Callable[[Path], Path], noun: str
) -> None:
    """Each operator has as many records as the files hold, of its records and its discarded changes together."""
    records = made_of()
    run = seal_stage(tmp_path / "run", stage, records)
    names = [name for name in records if name not in {"problems", "verdicts", "discarded"}]
    made = Counter(record["operator"] for name in names for record in records[name])
    tried = made + Counter(record["operator"] for record in records["discarded"])
    refused = Counter[str]()
    for line in (run / stage / "verdicts.jsonl").read_text().splitlines():
        verdict = json.loads(line)
        refused[verdict["left"]] += len(verdict.get("findings") or ())
    page = write(run).read_text(encoding="utf-8")
    shown = {row[0].replace(" ", "_"): row[1:3] for row in rows(page, f"Yield of each operator: {noun}s")}
    assert {name: number(counts[0]) for name, counts in shown.items() if number(counts[0])} == made
    assert {name: number(counts[1]) for name, counts in shown.items()} == tried + refused


def test_heat_map_of_many_models_shows_those_with_most_decided_pairs() -> None:
    """A thousand models would make a million cells: the picture has so many models as can be read, and says so."""
    names = [f"m{number:03}" for number in range(MOST_MODELS + 20)]
    counts = RunCounts()
    for left, right in combinations(names, 2):
        counts.decided_pairs[left, right] = 1 + (left >= "m020")
        counts.confirmed_pairs[left, right] = 1
    figure = agreement_plot(counts)
    assert figure.count("<rect") <= MOST_MODELS * (MOST_MODELS + 1)
    assert f"the {MOST_MODELS} of {len(names)} models with the most decided pairs" in figure
    assert names[-1] in figure
    assert names[0] not in figure

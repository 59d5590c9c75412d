"""What does a variant run make of each problem, and what does it hand on? Edited problems with certificates."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from generators.problems.variant import VARIANT_OPERATORS
from harness.bulk import Bulk
from harness.domain import Status, Verdict
from harness.solution.template import may_be_template
from oracles.solvers import SolverName, open_solver
from properties.stages import Claims, Key, Sealed
from properties.variant_making import Made, make

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.domain import Response
    from oracles.solvers import Solver
    from properties.inputs import Inputs

STAGE = "variant"
CLAIM = "variant"
NO_PLACE = "no-place"
UNFIT = "unfit"
VARIANTS = "variants.jsonl"
Record = dict[str, Any]


def operator_names() -> list[str]:
    """Return the variant operators, sorted."""
    return sorted(operator.name for operator in VARIANT_OPERATORS)


@dataclass(slots=True)
class VariantRun:
    """The variants of one run; each process of a session has its own."""

    inputs: Inputs
    claims: Claims
    bulk: Bulk
    _operators: list[str] = field(default_factory=operator_names)
    _solver: Solver | None = None
    _last: tuple[str, Made] | None = None

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id in self._problems():
            for operator in self._operators:
                yield (CLAIM, problem_id, operator, "")

    def keys(self, argument: str) -> Iterable[tuple[str, ...]]:  # noqa: ARG002  # operators are all there is
        """Return problem and operator of every item."""
        return ((problem_id, operator) for _, problem_id, operator, _ in self.expected())

    def _problems(self) -> list[str]:
        accepted = self.inputs.responses.accepted
        return [
            problem_id
            for problem_id in sorted(self.inputs.problems)
            if any(map(may_be_template, accepted.get(problem_id, {}).values()))
        ]

    @property
    def nothing(self) -> str | None:
        """Return what to tell a user whose formalizations hold no template."""
        return "none of the formalizations is a template to make variants of problems from; those of annotated solutions are added by --harness-formalizations annotation"

    def prepare(self) -> None:
        """Start nothing: problems are edited alone."""

    def judge(self, problem_id: str, operator: str) -> Verdict:
        """Make and certify what an operator makes of a problem, or return what an earlier session found."""
        key = (CLAIM, problem_id, operator, "")
        return self.claims.kept(key) or self.claims.keep(_verdict(problem_id, operator, self._made(problem_id)))

    def _made(self, problem_id: str) -> Made:
        # The operators of a problem run one after the other: the last one's is all that is worth keeping.
        if self._last is None or self._last[0] != problem_id:
            if self._solver is None:
                self._solver = open_solver(SolverName.Z3)
            problem, seed = self.inputs.problems[problem_id], self.inputs.settings.seed
            made = make(problem, self._templates(problem_id), seed=seed, solver=self._solver)
            # Before the first verdict: whoever has the verdicts of a problem has its variants.
            self.bulk.append(problem_id, made.record())
            self._last = (problem_id, made)
        return self._last[1]

    def _templates(self, problem_id: str) -> list[Response]:
        """Return a problem's templates: what models wrote before what was compiled, by name."""
        responses = self.inputs.responses.accepted.get(problem_id, {})
        made = {id(response) for response in self.inputs.made}
        found = [response for response in responses.values() if may_be_template(response)]
        return sorted(found, key=lambda response: (id(response) in made, response.model))

    def finish(self) -> Sealed:
        """Seal the stage if nothing is missing, else leave it to be continued."""
        self.bulk.close()
        expected = sorted(self.expected())
        collected = self.claims.collect(expected)
        if collected.settled:
            self.claims.stage.tidy()
            return Sealed(self, 0, [])
        if collected.missing:
            return Sealed(self, collected.missing, [])
        problems = sorted({key[1] for key in expected})
        counts = _Counts()
        files: dict[str, Iterable[Record | str]] = {
            "problems.jsonl": (self.inputs.problem_record(problem_id) for problem_id in problems),
            "verdicts.jsonl": (collected.lines[key] for key in expected),
            VARIANTS: counts.variants(self.bulk.records(problems)),
            "discarded.jsonl": counts.discarded(self.bulk.records(problems)),
        }
        self.claims.stage.seal(files, lambda: {**self.inputs.manifest(), "counts": counts.record(len(problems))})
        return Sealed(self, 0, [])

    def write_report(self) -> str:
        """Write the page of variants and return its path."""
        from reports.variants import write_variants  # sessions that end unsealed need no report

        return str(write_variants(self.inputs.run.folder))

    def summary(self, width: int, *, colour: bool) -> str:
        """Return what was made by class and operator, and what was not."""
        from rich.console import Console  # only a finished run prints by rich

        from reports.validity import print_variants  # as above

        shown = io.StringIO()
        print_variants(self.inputs.run.folder, Console(file=shown, width=width, force_terminal=colour))
        return shown.getvalue()


def _verdict(problem_id: str, operator: str, made: Made) -> Verdict:
    count = sum(record["operator"] == operator for record in made.variants)
    refused = made.refused.get(operator, [])
    dropped = Counter(one["why"] for one in made.discarded if one["operator"] == operator)
    if made.unfit is not None:
        return Verdict(CLAIM, problem_id, operator, None, Status.UNKNOWN, UNFIT, unsupported=1, reason=made.unfit)
    if refused:
        first = refused[0]
        reason = f"{len(refused)} of {len(refused) + count} have no certificate; {first.line}: {first.expected}"
        return Verdict(
            CLAIM,
            problem_id,
            operator,
            None,
            Status.REFUTED,
            "certificate",
            count,
            reason=reason,
            findings=tuple(refused),
        )
    if not count:
        said = ", ".join(f"{number} {why}" for why, number in sorted(dropped.items()))
        reason = f"all discarded: {said}" if said else "no place for it in this problem"
        return Verdict(CLAIM, problem_id, operator, None, Status.UNKNOWN, NO_PLACE, reason=reason)
    undecided = dropped["undecided"]
    return Verdict(
        CLAIM, problem_id, operator, None, Status.CONFIRMED, "certificate", checked=count, unsupported=undecided
    )


@dataclass(slots=True)
class _Counts:
    """Counts what is sealed while it is written."""

    by: dict[str, Counter[str]] = field(default_factory=dict)

    def variants(self, records: Iterable[tuple[str, Record]]) -> Iterator[Record]:
        for _, made in records:
            self._add("sources", made["model"] if made["unfit"] is None else "none")
            if made["unfit"] is not None:
                self._add("unfit", made["unfit"].partition(":")[0])
            for variant in made["variants"]:
                self._add("classes", str(variant["class_label"]))
                twin = variant["twin_of"] is not None
                self._add("twins" if twin else "operators", variant["operator"])
                yield variant

    def discarded(self, records: Iterable[tuple[str, Record]]) -> Iterator[Record]:
        for problem_id, made in records:
            for one in made["discarded"]:
                self._add("discarded", f"{one['operator']} {one['why']}")
                yield {"problem_id": problem_id, **one}

    def _add(self, table: str, name: str) -> None:
        self.by.setdefault(table, Counter())[name] += 1

    def record(self, problems: int) -> Record:
        tables = {name: dict(sorted(counter.items())) for name, counter in sorted(self.by.items())}
        return {"problems": problems, **tables}


def open_run(inputs: Inputs) -> VariantRun:
    """Open the variant stage of a session's run."""
    claims = Claims.open(inputs, STAGE)
    return VariantRun(inputs, claims, Bulk.open(claims.stage, inputs.worker))

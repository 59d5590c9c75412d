"""The base of stages whose registered operators make records: the records, their verdicts, and the sealing."""

from __future__ import annotations

import itertools
import json
from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason, open_source
from harness.domain import Status, Verdict
from harness.json_form import json_form
from harness.records.content_digest import with_digest
from harness.store.run_folder import MemoryShard, Shard
from harness.store.spool import ShardIndex
from oracles.equivalence.equivalent_mutants import judge_mutant
from properties.engine.problem_sources import SourceSelection, bind_rule
from properties.engine.stage_run import Key, StageRecords, StageRun, WholeStageRun, memory_content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from harness.domain import Evidence, Problem, Response
    from harness.records.mutation import DiscardedChange
    from harness.records.provenance import SourceProvenance
    from harness.records.variant import DiscardedEdit
    from properties.engine.problem_sources import ProblemSources

NO_PLACE = "no-place"
UNFIT = "unfit"
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OperatorOutput:
    """The products of the operators for one problem: records with certificates, refusals of a certificate, and discards.

    `unfit` says why nothing was made, with its class before the colon; `refused` holds the refusals by operator; each
    record of `discarded` has at least `operator` and `why`.
    """

    records: list[Record] = field(default_factory=list)
    refused: dict[str, list[Evidence]] = field(default_factory=dict)
    discarded: list[Record] = field(default_factory=list)
    model: str | None = None
    unfit: str | None = None
    provenance: SourceProvenance | None = None

    def count(self, operator: str) -> int:
        """Return the number of certified records of an operator."""
        return sum(record["operator"] == operator for record in self.records)

    @property
    def standing(self) -> str | None:
        """Return the role of the source in its clique, `None` where nothing was made or the role is not known."""
        if self.unfit is not None or self.provenance is None:
            return None
        if not self.provenance.formalized:
            return "confirmed by UT-1"
        return "oracle" if self.model == self.provenance.oracle else "other member"

    def record(self) -> Record:
        """Return the JSON form."""
        return {
            "model": self.model,
            "standing": self.standing,
            "unfit": self.unfit,
            "records": self.records,
            "discarded": self.discarded,
        }


def _proved_source(problem: Problem, response: Response) -> FlawSource:
    """Read a formalization as a source; where it is not a template, prove that the steps of the solution compute the same.

    Raises:
        UnfitError: with the class of what is missing, the proof among them.
    """
    source = open_source(problem, response)
    if source.program is not None:
        verdict = judge_mutant(problem.problem_id, source.program, source.trace)
        if verdict.status is not Status.CONFIRMED:
            raise UnfitError(UnfitReason.UNPROVED, f"{verdict.status.name} by {verdict.method}")
    return source


def output_of_first_fit(
    problem: Problem,
    responses: Iterable[Response],
    make: Callable[[FlawSource], OperatorOutput],
    provenance: SourceProvenance | None = None,
    *,
    fewest: int = 1,
) -> OperatorOutput:
    """Return the products of the first fit formalization of a problem that gives at least `fewest` records.

    Where none gives as many, return those of the first fit one; a refused certificate ends the search.
    """
    reasons: list[str] = []
    first: OperatorOutput | None = None
    for response in responses:
        try:
            source = replace(_proved_source(problem, response), provenance=provenance)
            made = replace(make(source), provenance=provenance)
        except UnfitError as unfit:
            reasons.append(str(unfit))
            continue
        if made.refused or len(made.records) >= fewest:
            return made
        first = first or made
    return first or OperatorOutput(unfit=reasons[0] if reasons else "no formalization")


@dataclass(slots=True)
class OperatorCounts:
    """Counts the sealed records while they are written, table by table."""

    by: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, table: str, name: str) -> None:
        """Count one more of a name."""
        self.by.setdefault(table, Counter())[name] += 1

    def source(self, made: Record) -> None:
        """Count the source of a problem's records, or the reason why there are none."""
        self.add("sources", made["model"] if made["unfit"] is None else "none")
        if made["unfit"] is not None:
            self.add("unfit", made["unfit"].partition(":")[0])
        if made["standing"] is not None:
            self.add("standings", made["standing"])

    def discarded(
        self, records: Iterable[tuple[str, Record]], record_class: type[DiscardedChange | DiscardedEdit]
    ) -> Iterator[Record]:
        """Yield the discards of all problems."""
        for problem_id, made in records:
            for change in made["discarded"]:
                self.add("discarded", f"{change['operator']} {change['why']}")
                yield json_form(record_class(problem_id=problem_id, **change))

    def record(self, problems: int) -> Record:
        """Return the JSON form."""
        tables = {name: dict(sorted(counter.items())) for name, counter in sorted(self.by.items())}
        return {"problems": problems, **tables}


@dataclass(slots=True)
class OperatorRun(WholeStageRun):
    """The products of the operators in one run.

    `claim` names the stage and its claims; `product` names the products in messages; `discard` is the record type of
    discards; `operators` returns the names of the operators, sorted.
    """

    claim: ClassVar[str]
    product: ClassVar[str]
    discard: ClassVar[type[DiscardedChange | DiscardedEdit]]
    operators: ClassVar[Callable[[], Sequence[str]]]
    no_claim = frozenset({NO_PLACE, UNFIT})

    bulk: Shard
    """The products of each problem, one line a problem, in a folder of their own: they are larger than memory."""
    selection: SourceSelection | None = None
    _last: tuple[str, OperatorOutput] | None = None

    @abstractmethod
    def make(self, problem: Problem, sources: ProblemSources) -> OperatorOutput:
        """Make and certify the records of a problem from the first of its sources that is fit."""

    @abstractmethod
    def files(self, problems: Sequence[str], counts: OperatorCounts) -> dict[str, Iterable[Record | str]]:
        """Return the artefacts of the products; writing them counts them."""

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        operators = type(self).operators()
        for problem_id in sorted(self.inputs.problems):
            if problem_id in self.inputs.responses:
                yield from ((self.claim, problem_id, operator, "") for operator in operators)

    @property
    def nothing(self) -> str | None:
        """Return the message to a user whose formalizations are about no selected problem."""
        return f"no selected problem has a formalization to make {self.product} from; those of annotated solutions are added by --harness-formalizations annotation"

    def begin(self, judging: StageRun | None) -> None:
        """Choose the sources as `SourceSelection.open` says, and bind the stage to that; errors as there and in `bind_rule`."""
        if self.selection is None:
            self.selection = SourceSelection.open(self.inputs, judging)
            bind_rule(self.claims.stage, self.selection.rule, named=self.inputs.named, option=self.inputs.options.run)

    @property
    def _begun(self) -> SourceSelection:
        if self.selection is None:
            self.begin(None)
        assert self.selection is not None
        return self.selection

    def _made(self, problem_id: str) -> OperatorOutput:
        # The operators of a problem run one after the other, so only the products of the last problem are kept.
        if self._last is None or self._last[0] != problem_id:
            sources = self._begun.sources(problem_id)
            made = (
                OperatorOutput(unfit=sources.unfit)
                if sources.unfit is not None
                else self.make(self.inputs.problems[problem_id], sources)
            )
            # Before the first verdict: a process that has the verdicts of a problem also has its products.
            self.bulk.append({"problem_id": problem_id, "made": made.record()})
            self._last = (problem_id, made)
        return self._last[1]

    def verdict(self, key: Key) -> Verdict:
        """Make and certify the records of an operator for a problem."""
        _, problem_id, operator, _ = key
        made = self._made(problem_id)

        def verdict(status: Status, method: str, **more: Any) -> Verdict:
            return Verdict(self.claim, problem_id, operator, None, status, method, **more)

        if made.unfit is not None:
            return verdict(Status.UNKNOWN, UNFIT, unsupported=1, reason=made.unfit)
        count, refused = made.count(operator), made.refused.get(operator, ())
        if refused:
            first = refused[0]
            reason = f"{len(refused)} of {len(refused) + count} have no certificate; {first.line}: {first.expected}"
            return verdict(Status.REFUTED, "certificate", checked=count, reason=reason, findings=tuple(refused))
        dropped = Counter(change["why"] for change in made.discarded if change["operator"] == operator)
        if not count:
            said = ", ".join(f"{number} {why}" for why, number in sorted(dropped.items()))
            reason = f"all discarded: {said}" if said else "no place for it in this problem"
            return verdict(Status.UNKNOWN, NO_PLACE, reason=reason)
        return verdict(Status.CONFIRMED, "certificate", checked=count, unsupported=dropped["undecided"])

    def part(self, problem_ids: Sequence[str]) -> OperatorRun:
        """Return the stage of some problems, their answers and the consensus on them alone."""
        inputs, claims = self.inputs.part(problem_ids), self.claims.part()
        selection = self._begun.part(inputs)
        return replace(
            self, inputs=inputs, claims=claims, bulk=MemoryShard(self.bulk.path), selection=selection, _last=None
        )

    def part_records(self) -> StageRecords:
        """Return the verdicts and products of a part of the stage."""
        return StageRecords(memory_content(self.claims.shard), memory_content(self.bulk))

    def keep(self, records: StageRecords) -> None:
        """Write the products of a part of this stage, and then its verdicts."""
        # In this order: a process that has the verdicts of a problem also has its products.
        self.bulk.write(records.made)
        self.claims.shard.write(records.verdicts)

    def close(self) -> None:
        """Close this process's spool of records."""
        self.bulk.close()

    def made_records(self, problems: Sequence[str]) -> Iterator[tuple[str, Record]]:
        """Yield the products of each problem, with the probability of its oracle, which is known when all are judged."""
        probabilities = self._begun.probabilities()
        for problem_id, made in self._products(problems):
            p_right = probabilities.get(problem_id)
            if p_right is None:
                yield problem_id, made
                continue
            records = [_with_probability(record, p_right) for record in made["records"]]
            yield problem_id, {**made, "records": records}

    def _products(self, problems: Sequence[str]) -> Iterator[tuple[str, Record]]:
        """Yield what any process made of each problem, once."""
        index = ShardIndex.snapshot(self.bulk.path.parent)
        for problem_id in problems:
            for line in itertools.islice(index.lines(problem_id), 1):
                yield problem_id, json.loads(line)["made"]

    def seal(self, expected: list[Key], lines: dict[Key, str]) -> None:
        """Seal the verdicts, the products and the discards, which are counted while they are written."""
        problems = sorted({key[1] for key in expected})
        counts = OperatorCounts()
        files: dict[str, Iterable[Record | str]] = {
            "problems.jsonl": (self.inputs.problem_record(problem_id) for problem_id in problems),
            "verdicts.jsonl": (lines[key] for key in expected),
            **self.files(problems, counts),
            "discarded.jsonl": counts.discarded(self._products(problems), self.discard),
        }
        self.claims.stage.seal(
            files,
            lambda: {
                **self.inputs.manifest(),
                "sources": json_form(self._begun.rule),
                "counts": counts.record(len(problems)),
            },
        )


def _with_probability(record: Record, p_right: float) -> Record:
    """Return a record whose provenance has the probability of the oracle; one that was made knowing it is left as it is."""
    provenance = record["provenance"]
    if provenance is None or provenance["p_right"] == p_right:
        return record
    return with_digest({**record, "provenance": {**provenance, "p_right": p_right}})

"""The base of stages whose registered operators make records: the facts of a record's source, the records, their verdicts, and the sealing."""

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from generators.flaws.solution.source_solution import (
    FlawSource,
    UnfitError,
    UnfitReason,
    open_source,
    source_of_template,
)
from harness.domain import Evidence, Problem, Response, Status, Verdict
from harness.json_form import json_form, read_record, with_digest
from harness.records.mutation import DiscardedChange
from harness.records.provenance import RecordSource, SourceProvenance
from harness.records.variant import DiscardedEdit
from harness.solution.template import read_template
from oracles.equivalence.equivalent_mutants import judge_mutant
from oracles.proofs.flaw_text import ANSWER_MARK
from properties.engine.problem_sources import ProblemSources, SourceSelection, bind_rule
from properties.engine.stage_run import Key, Record, StageCounts, StageRun

NO_PLACE = "no-place"
UNFIT = "unfit"


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

    def record(self) -> Record:
        """Return the JSON form; `standing` is the role of the source in its clique, null where nothing was made or the role is not known."""
        standing = None
        if self.unfit is None and self.provenance is not None:
            member = "oracle" if self.model == self.provenance.oracle else "other member"
            standing = member if self.provenance.formalized else "confirmed by UT-1"
        facts = {"model": self.model, "standing": standing, "unfit": self.unfit}
        return {**facts, "records": self.records, "discarded": self.discarded}


def output_of_first_fit(
    problem: Problem,
    responses: Iterable[Response],
    make: Callable[[FlawSource], OperatorOutput],
    provenance: SourceProvenance | None = None,
    *,
    fewest: int = 1,
) -> OperatorOutput:
    """Return the products of the first fit formalization of a problem that gives at least `fewest` records.

    Of a program that is not a template, it is proved that the steps of the solution compute the same. Where none gives as many, return
    those of the first fit one; a refused certificate ends the search.
    """
    reasons: list[str] = []
    first: OperatorOutput | None = None
    for response in responses:
        try:
            source = open_source(problem, response)
            if source.program is not None:
                verdict = judge_mutant(problem.problem_id, source.program, source.trace)
                if verdict.status is not Status.CONFIRMED:
                    raise UnfitError(UnfitReason.UNPROVED, f"{verdict.status.name} by {verdict.method}")  # noqa: TRY301  # as what cannot be opened
            made = replace(make(replace(source, provenance=provenance)), provenance=provenance)
        except UnfitError as unfit:
            reasons.append(str(unfit))
            continue
        if made.refused or len(made.records) >= fewest:
            return made
        first = first or made
    return first or OperatorOutput(unfit=reasons[0] if reasons else "no formalization")


@dataclass(slots=True)
class OperatorRun(StageRun):
    """The products of the operators in one run.

    The stage names its claims; `product` names the products in messages; `discard` is the record type of
    discards; `operators` are the names of the operators, sorted.
    """

    product: ClassVar[str]
    discard: ClassVar[type[DiscardedChange | DiscardedEdit]]
    operators: ClassVar[Sequence[str]]
    no_claim = frozenset({NO_PLACE, UNFIT})

    selection: SourceSelection | None = None
    _last: tuple[str, OperatorOutput] | None = field(default=None, init=False)

    @abstractmethod
    def make(self, problem: Problem, sources: ProblemSources) -> OperatorOutput:
        """Make and certify the records of a problem from the first of its sources that is fit."""

    @abstractmethod
    def products(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:
        """Return the files of the products; writing them counts them."""

    def claims_of(self, problem_id: str, lines: Iterable[Key] = ()) -> Iterator[Key]:  # noqa: ARG002  # as the base class has it
        """Yield the keys of a problem's claims, one for each operator."""
        if problem_id in self.inputs.responses:
            yield from ((self.stage, problem_id, operator, "") for operator in self.operators)

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
    def _source_selection(self) -> SourceSelection:
        self.begin(None)
        assert self.selection is not None
        return self.selection

    def _output_of(self, problem_id: str) -> OperatorOutput:
        # The operators of a problem run one after the other, so only the products of the last problem are kept.
        if self._last is None or self._last[0] != problem_id:
            sources = self._source_selection.sources(problem_id)
            made = OperatorOutput(unfit=sources.unfit)
            if sources.unfit is None:
                made = self.make(self.inputs.problems[problem_id], sources)
            self.claims.keep_product(problem_id, "", made.record())
            self._last = (problem_id, made)
        return self._last[1]

    def verdict(self, key: Key) -> Verdict:
        """Make and certify the records of an operator for a problem."""
        _, problem_id, operator, _ = key
        made = self._output_of(problem_id)

        def verdict(status: Status, method: str, **more: Any) -> Verdict:
            return Verdict(self.stage, problem_id, operator, None, status, method, **more)

        if made.unfit is not None:
            return verdict(Status.UNKNOWN, UNFIT, unsupported=1, reason=made.unfit)
        count = sum(record["operator"] == operator for record in made.records)
        if refused := made.refused.get(operator):
            first = refused[0]
            reason = f"{len(refused)} of {len(refused) + count} have no certificate; {first.line}: {first.expected}"
            return verdict(Status.REFUTED, "certificate", checked=count, reason=reason, findings=tuple(refused))
        dropped = Counter(change["why"] for change in made.discarded if change["operator"] == operator)
        if count:
            return verdict(Status.CONFIRMED, "certificate", checked=count, unsupported=dropped["undecided"])
        listed = ", ".join(f"{number} {why}" for why, number in sorted(dropped.items()))
        reason = f"all discarded: {listed}" if listed else "no place for it in this problem"
        return verdict(Status.UNKNOWN, NO_PLACE, reason=reason)

    def part(self, problem_ids: Sequence[str]) -> Self:
        """Return the stage of some problems, their answers and the consensus on them alone."""
        part = StageRun.part(self, problem_ids)
        return replace(part, selection=self._source_selection.part(part.inputs))

    def made_records(self, problem_ids: Sequence[str]) -> Iterator[Record]:
        """Yield what was made of each problem, with the probability of its oracle, which is known when all are judged."""
        probabilities = self._source_selection.probabilities()
        for problem_id in problem_ids:
            made, p_right = self.claims.product(problem_id, ""), probabilities.get(problem_id)
            if made is not None:
                yield {**made, "records": [_with_probability(record, p_right) for record in made["records"]]}

    def _discarded(self, problem_ids: Sequence[str], counts: StageCounts) -> Iterator[Record]:
        """Yield the discards of all problems; count them, and the sources of the problems."""
        for problem_id in problem_ids:
            made = self.claims.product(problem_id, "")
            if made is None:
                continue
            counts.add("sources", made["model"] if made["unfit"] is None else "none")
            if made["unfit"] is not None:
                counts.add("unfit", made["unfit"].partition(":")[0])
            if made["standing"] is not None:
                counts.add("standings", made["standing"])
            for change in made["discarded"]:
                counts.add("discarded", f"{change['operator']} {change['why']}")
                yield json_form(self.discard(problem_id=problem_id, **change))

    def files(self, problem_ids: Sequence[str], counts: StageCounts) -> dict[str, Iterable[Record | str]]:
        """Return the problems, the products and the discards."""
        return {
            "problems.jsonl": self.problem_records(problem_ids),
            **self.products(problem_ids, counts),
            "discarded.jsonl": self._discarded(problem_ids, counts),
        }

    def details(self, claims: int, counts: StageCounts) -> Record:
        """Return the rule of the sources, and the counts of problems and products."""
        problems = claims // len(self.operators)
        return {"sources": json_form(self._source_selection.rule), "counts": {"problems": problems, **counts.tables()}}


def _with_probability(record: Record, p_right: float | None) -> Record:
    """Return a record whose provenance has the probability of the oracle; one that was made knowing it is left as it is."""
    provenance = record["provenance"]
    if p_right is None or provenance is None or provenance["p_right"] == p_right:
        return record
    return with_digest({**record, "provenance": {**provenance, "p_right": p_right}})


def record_source(source: FlawSource, *, seed: int, solution: str = "") -> RecordSource | None:
    """Return the facts of a source; `solution` is its correct solution, where the record has no field for it."""
    template = source.template
    if template is None:
        return None
    return RecordSource(seed=seed, function_code=template.program.code, logical_steps=template.steps, solution=solution)


def open_record_source(record: Mapping[str, Any], facts: RecordSource) -> FlawSource:
    """Return the source that a record was made from.

    Raises:
        UnfitError: no record is made from it.
        Refusal: its formalization cannot be read.
        ProgramError: the formalization fails.
        MalformedRecordError: the provenance of the record cannot be read.
    """
    lines, _, gold = (facts.solution or str(record["solution"])).rpartition(f"\n{ANSWER_MARK} ")
    if gold != gold.strip():
        raise UnfitError(UnfitReason.ANSWER, repr(gold[:40]))
    problem = Problem(str(record["problem_id"]), str(record["question"]), lines, gold)
    text = json.dumps(
        {"function_code": facts.function_code, "logical_steps": [json_form(step) for step in facts.logical_steps]}
    )
    template = read_template(Response(problem.problem_id, str(record["model"]), text, "template"))
    source = source_of_template(problem, str(record["model"]), template, fewest_lines=1)
    given = record.get("provenance")
    return replace(source, provenance=None if given is None else read_record(SourceProvenance, given))

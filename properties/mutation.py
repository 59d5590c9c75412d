"""What does a mutation run make of each problem's solution, and what does it hand on? Flawed solutions with certificates."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from generators.flaws.compose import flaws_of
from generators.flaws.flaw import Discard, Discarded, Flaw
from generators.flaws.mutation import OPERATORS
from generators.flaws.slips import SLIPS
from generators.flaws.source import Source, UnfitError, open_source
from harness.bulk import Bulk
from harness.domain import Evidence, Status, Verdict
from harness.labelled import Labelled, read_record
from harness.labels import ErrorClass
from harness.solution.template import may_be_template
from oracles.audit.judge import audit
from oracles.certificates import Certifier, NotCertified
from oracles.edits import edit_between
from oracles.flaw_text import FlawText, text_finding
from oracles.mutants import judge_mutant
from properties.stages import Claims, Key, Sealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.domain import Problem, Response
    from oracles.certificates import Certificate
    from properties.inputs import Inputs

STAGE = "mutation"
CLAIM = "mutation"
NO_PLACE = "no-place"
UNFIT = "unfit"
COMPUTATIONAL = "computational.jsonl"
CONCEPTUAL = "conceptual.jsonl"
Record = dict[str, Any]


def operator_names() -> list[str]:
    """Return the slips and mutation operators, sorted."""
    return sorted([*(one.name for one in SLIPS), *(one.name for one in OPERATORS)])


@dataclass(frozen=True, slots=True)
class Made:
    """What the operators make of one problem: records with certificates, what was refused one, and what was discarded.

    `unfit` says why nothing was made, with its class before the colon.
    """

    flaws: dict[str, list[Record]]
    refused: dict[str, list[Evidence]]
    discarded: list[Record]
    model: str | None = None
    unfit: str | None = None

    def record(self) -> Record:
        """Return the JSON form."""
        return {"model": self.model, "unfit": self.unfit, "flaws": self.flaws, "discarded": self.discarded}


def make(problem: Problem, responses: Iterable[Response], *, seed: int) -> Made:
    """Make and certify the flawed solutions of a problem from the first of its templates that gives back its solution."""
    reasons: list[str] = []
    for response in responses:
        try:
            source = open_source(problem, response)
            return make_from(source, seed=seed)
        except UnfitError as unfit:
            reasons.append(str(unfit))
    return Made({}, {}, [], unfit=reasons[0] if reasons else "no template")


def make_from(source: Source, *, seed: int) -> Made:
    """Make and certify the flawed solutions of one solution; errors as in `flaws_of`."""
    made = Made({}, {}, [], model=source.model)
    try:
        certifier = Certifier.of_trace(source.trace)
    except NotCertified as refusal:
        return Made({}, {}, [], model=source.model, unfit=f"no certificate can say its steps: {refusal}")
    codes = certifier.codes
    for one in flaws_of(source, seed=seed):
        if not isinstance(one, Flaw):
            made.discarded.append(_discarded(source, one, seed))
            continue
        try:
            certificate = (
                certifier.slip(one.trace, one.change.variable)
                if one.label.error_type.error_class is ErrorClass.COMPUTATIONAL
                else certifier.mutant(one.trace)
            )
        except NotCertified as refusal:
            evidence = Evidence(one.label.line, "no certificate", one.change.after, str(refusal))
            made.refused.setdefault(one.operator, []).append(evidence)
            continue
        record = one.record()
        record["certificate"] = certificate.record(codes)
        doubt = _doubt(record, certificate, certifier)
        if doubt is not None:
            doubted = Discarded(one.operator, one.label.line, one.change.after, Discard.DOUBTED, doubt)
            made.discarded.append(_discarded(source, doubted, seed))
            continue
        made.flaws.setdefault(one.operator, []).append(record)
    return made


def _doubt(record: Record, certificate: Certificate, certifier: Certifier) -> str | None:
    """Return what speaks against the text of a certified record, as `oracles.recheck` and the audit read it."""
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    line = record["label"]["error_details"]["erroneous_line_number"]
    text = FlawText(record["solution"], record["flawed_solution"], line, certificate, edit, certifier.values)
    finding = text_finding(text)
    if finding is not None:
        return finding.reason
    labelled = read_record(record, record["operator"])
    if not isinstance(labelled, Labelled):
        return labelled.reason
    verdict = audit(labelled, None, record["problem_id"])
    return None if verdict.status is Status.CONFIRMED else verdict.reason


def _discarded(source: Source, one: Discarded, seed: int) -> Record:
    """Return why a change gave no flawed solution; whether it is equivalent is proved, not guessed."""
    why, detail = one.discard.name.lower(), one.detail
    if one.discard is Discard.SAME_ANSWER and one.trace is not None:
        verdict = judge_mutant(source.problem.problem_id, source.trace, one.trace, seed=seed)
        why = _SAME_ANSWER[verdict.status]
        detail = verdict.method if verdict.reason is None else verdict.reason[:200]
    return {"operator": one.operator, "line": one.line, "change": one.change[:200], "why": why, "detail": detail[:200]}


_SAME_ANSWER = {
    Status.CONFIRMED: "equivalent",
    Status.REFUTED: "same_answer_here",
    Status.UNKNOWN: "perhaps_equivalent",
}


@dataclass(slots=True)
class MutationRun:
    """The flawed solutions of one run; each process of a session has its own."""

    inputs: Inputs
    claims: Claims
    bulk: Bulk
    _operators: list[str] = field(default_factory=operator_names)
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
        return "none of the formalizations is a template to make flawed solutions from; those of annotated solutions are added by --harness-formalizations annotation"

    def prepare(self) -> None:
        """Start nothing: solutions are mutated alone."""

    def judge(self, problem_id: str, operator: str) -> Verdict:
        """Make and certify what an operator makes of a problem, or return what an earlier session found."""
        key = (CLAIM, problem_id, operator, "")
        return self.claims.kept(key) or self.claims.keep(_verdict(problem_id, operator, self._made(problem_id)))

    def _made(self, problem_id: str) -> Made:
        # The operators of a problem run one after the other: the last one's is all that is worth keeping.
        if self._last is None or self._last[0] != problem_id:
            made = make(self.inputs.problems[problem_id], self._templates(problem_id), seed=self.inputs.settings.seed)
            # Before the first verdict: whoever has the verdicts of a problem has its flawed solutions.
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
            COMPUTATIONAL: counts.flaws(self.bulk.records(problems), computational=True),
            CONCEPTUAL: counts.flaws(self.bulk.records(problems), computational=False),
            "discarded.jsonl": counts.discarded(self.bulk.records(problems)),
        }
        self.claims.stage.seal(files, lambda: {**self.inputs.manifest(), "counts": counts.record(len(problems))})
        return Sealed(self, 0, [])

    def write_report(self) -> str:
        """Write the page of flawed solutions and return its path."""
        from reports.flaws import write_flaws  # sessions that end unsealed need no report

        return str(write_flaws(self.inputs.run.folder))

    def summary(self, width: int, *, colour: bool) -> str:
        """Return what was made by operator, type, tier and position."""
        from rich.console import Console  # only a finished run prints by rich

        from reports.mutations import print_mutations  # as above

        shown = io.StringIO()
        print_mutations(self.inputs.run.folder, Console(file=shown, width=width, force_terminal=colour))
        return shown.getvalue()


def _verdict(problem_id: str, operator: str, made: Made) -> Verdict:
    flaws, refused = made.flaws.get(operator, []), made.refused.get(operator, [])
    if made.unfit is not None:
        return Verdict(CLAIM, problem_id, operator, None, Status.UNKNOWN, UNFIT, unsupported=1, reason=made.unfit)
    if refused:
        first = refused[0]
        reason = f"{len(refused)} of {len(refused) + len(flaws)} have no certificate; {first.line}: {first.expected}"
        return Verdict(
            CLAIM,
            problem_id,
            operator,
            None,
            Status.REFUTED,
            "certificate",
            len(flaws),
            reason=reason,
            findings=tuple(refused),
        )
    if not flaws:
        dropped = Counter(one["why"] for one in made.discarded if one["operator"] == operator)
        said = ", ".join(f"{count} {why}" for why, count in sorted(dropped.items()))
        reason = f"all discarded: {said}" if said else "no place for it in this solution"
        return Verdict(CLAIM, problem_id, operator, None, Status.UNKNOWN, NO_PLACE, reason=reason)
    return Verdict(CLAIM, problem_id, operator, None, Status.CONFIRMED, "certificate", checked=len(flaws))


@dataclass(slots=True)
class _Counts:
    """Counts what is sealed while it is written."""

    by: dict[str, Counter[str]] = field(default_factory=dict)

    def flaws(self, records: Iterable[tuple[str, Record]], *, computational: bool) -> Iterator[Record]:
        for _, made in records:
            if computational:
                self._add("sources", made["model"] if made["unfit"] is None else "none")
                if made["unfit"] is not None:
                    self._add("unfit", made["unfit"].partition(":")[0])
            for operator in sorted(made["flaws"]):
                for flaw in made["flaws"][operator]:
                    details = flaw["label"]["error_details"]
                    if (details["error_class"] == ErrorClass.COMPUTATIONAL) is computational:
                        self._count(flaw, details["error_type"])
                        yield flaw

    def discarded(self, records: Iterable[tuple[str, Record]]) -> Iterator[Record]:
        for problem_id, made in records:
            for one in made["discarded"]:
                self._add("discarded", f"{one['operator']} {one['why']}")
                yield {"problem_id": problem_id, **one}

    def _count(self, flaw: Record, error_type: str) -> None:
        self._add("operators", flaw["operator"])
        self._add("types", error_type)
        self._add("strata", f"tier {flaw['tier']} {flaw['position']}")
        if flaw["needs_edit"]:
            self._add("needs_edit", flaw["operator"])

    def _add(self, table: str, name: str) -> None:
        self.by.setdefault(table, Counter())[name] += 1

    def record(self, problems: int) -> Record:
        tables = {name: dict(sorted(counter.items())) for name, counter in sorted(self.by.items())}
        return {"problems": problems, **tables}


def open_run(inputs: Inputs) -> MutationRun:
    """Open the mutation stage of a session's run."""
    claims = Claims.open(inputs, STAGE)
    return MutationRun(inputs, claims, Bulk.open(claims.stage, inputs.worker))

"""Where a diagnosis gets the oracle of a problem from: a sealed run of judged programs, else the worked solution of the record."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Self

from harness.answers.gold_answer import read_gold
from harness.domain import Problem, Response
from harness.errors import HarnessError
from harness.json_form import Integer, Name, Number, Prose, Value, read_record
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.stages import FORMALIZATION
from harness.store.run_folder import RunFolder
from harness.text.numbers import whole_as_int
from sft.diagnosis.decision import diagnose
from sft.diagnosis.diagnosis import Diagnosis, DiagnosisStatus
from sft.diagnosis.oracle import Oracle, oracle_of_programs, oracle_of_solution
from sft.samples.items import Item, beyond_limits


@dataclass(frozen=True, slots=True)
class OracleProgram:
    """A program that agrees with the others, as a model wrote it."""

    model: Name
    dialect: Name
    code: Prose


@dataclass(frozen=True, slots=True)
class OracleFacts:
    """What the oracle of a problem is made from: programs that agree, the first stands for all, and their value; or a worked solution.

    `p_right` is the probability that it is right, 1 for a worked solution, which counts as right; `clique_size` and `confidence` are those of
    the programs.
    """

    programs: tuple[OracleProgram, ...] = ()
    answer: Value = ""
    p_right: Number = 1.0
    clique_size: Integer | None = None
    confidence: Number | None = None
    solution: Prose = ""

    @classmethod
    def of_consensus(cls, consensus: ConsensusRecord, programs: Sequence[ProgramRecord]) -> Self | None:
        """Return the facts of the clique, then of the other programs that give the same value; `None` where no programs agree.

        `programs` are all programs of the problem.
        """
        known = {program.model: program for program in programs if program.code is not None and not program.literal}
        first = known.get(consensus.oracle or "")
        if first is None or first.value is None or consensus.p_right is None:
            return None
        models = [first.model, *(model for model in consensus.clique if model != first.model)]
        models += [model for model, program in known.items() if model not in models and program.value == first.value]
        programs = [known[model] for model in models if model in known]
        agreed = tuple(OracleProgram(own.model, own.dialect or "", own.code or "") for own in programs)
        return cls(agreed, first.value, consensus.p_right, consensus.clique_size, consensus.confidence)

    @property
    def responses(self) -> list[Response]:
        """Return the programs as answers of their models."""
        return [Response("problem", own.model, own.code, own.dialect or None) for own in self.programs]


@lru_cache(maxsize=1024)
def oracle_of_facts(question: str, facts: OracleFacts) -> Oracle | None:
    """Return the oracle that the facts give to a question; `None` where its answer is not read."""
    if facts.solution:
        return oracle_of_solution(question, facts.solution)
    try:
        answer = Fraction(facts.answer)
    except (ValueError, ZeroDivisionError):
        return None
    return oracle_of_programs(question, facts.responses, answer, facts.p_right)


@dataclass
class OracleSource:
    """The judged programs of a run by the text of the problem; the oracle of a problem is read when it is first asked for."""

    judged: Mapping[str, tuple[ConsensusRecord, Sequence[ProgramRecord]]] = field(default_factory=dict)

    @classmethod
    def of_run(cls, folder: Path) -> Self:
        """Read the formalization stage of a run.

        Raises:
            HarnessError: it is not sealed, or was changed later.
        """
        stage = RunFolder(folder).stage(FORMALIZATION)
        if not stage.sealed:
            message = f"{folder}: holds no sealed run of judged programs; make or finish one by oracle-factory judge PROBLEMS ANSWERS --out {folder}"
            raise HarnessError(message)
        problems = [read_record(Problem, record) for record in stage.records("problems.jsonl")]
        programs: defaultdict[str, list[ProgramRecord]] = defaultdict(list)
        for record in stage.records("programs.jsonl"):
            program = read_record(ProgramRecord, record)
            programs[program.problem_id].append(program)
        cliques = [read_record(ConsensusRecord, record) for record in stage.records("consensus.jsonl")]
        agreed = {consensus.problem_id: consensus for consensus in cliques}
        ids = {question_key(own.question): own.problem_id for own in problems if own.problem_id in agreed}
        return cls({question: (agreed[name], programs[name]) for question, name in ids.items()})

    def lacking(self, item: Item) -> str:
        """Return why nothing is known of an item's problem; empty where there are programs, a reference solution or a right answer."""
        if item.reference or question_key(item.question) in self.judged or (item.gold and not self.judged):
            return ""
        missing = "no judged program is about this question, and " if self.judged else ""
        return f"{missing}the record has no worked solution as gold_solution or reference, and no answer"

    def facts_of(self, item: Item) -> OracleFacts | None:
        """Return what the oracle of an item's problem is made from: the programs of the run, else its reference solution; `None` where it has neither."""
        key = question_key(item.question)
        if key in self.judged:
            return OracleFacts.of_consensus(*self.judged[key])
        return OracleFacts(solution=item.reference) if item.reference else None

    def oracle_of(self, item: Item) -> Oracle | None:
        """Return the oracle of an item's problem: that of the run, else of its reference solution, else its answer alone; `None` where it has none."""
        if (facts := self.facts_of(item)) is not None:
            return oracle_of_facts(item.question, facts)
        gold = read_gold(item.gold) if item.gold and not self.judged else None
        return None if gold is None else Oracle(item.question, (), whole_as_int(gold.value), 1.0)

    def diagnosis(self, item: Item) -> Diagnosis:
        """Return the diagnosis of an item by the oracle of its problem; it is unknown, with the reason, where it has none or is not read whole."""
        if reason := beyond_limits(item.unread) or self.lacking(item):
            return Diagnosis(DiagnosisStatus.UNKNOWN, 0.0, reason=reason)
        return diagnose(item, self.oracle_of(item))


def question_key(question: str) -> str:
    """Return a question without its spacing, by which a solution finds its problem."""
    return " ".join(question.split())

"""Benchmark of the re-check on flaws that are turned round: the right solution is sealed as the flawed one, with everything derived anew.

`python -m benchmarks.turned_flaws RUN CORPUS` draws flaws of each operator of a run by lot, exchanges their solutions and programs,
names the change by each error with each sentence that its certificate can fill, and counts what the re-check accepts: alone, and
against the corpus of the problems.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.renamed_errors import flaw_facts, is_accepted, renamed_errors
from harness.json_form import json_form, read_record
from harness.program.evaluation.evaluator import format_exact
from harness.records.content_digest import with_digest
from harness.records.flawed_program import flawed_program
from harness.records.mutation import FlawRecord
from harness.solution.labels import FINAL_ANSWER, position_of
from oracles.certificates.flaw_certificate import FlawCertificate, program_values
from oracles.certificates.program_edit import edit_between
from oracles.recheck.corpus_problems import CorpusProblems
from oracles.recheck.flaws.change_words import change_texts
from oracles.recheck.flaws.flaw_fields import changed_values, size_reasons

if TYPE_CHECKING:
    from collections.abc import Iterator

Record = dict[str, Any]
SEED = 11


def turned_round(record: Record) -> Iterator[Record]:
    """Yield a conceptual flaw whose right solution is called the flawed one, under the name of every error and with each sentence of it.

    Everything else is derived from that, as whoever has the program would. What no certificate can say is not yielded.
    """
    made = copy.deepcopy(record)
    certificate = made["certificate"]
    made["solution"], made["flawed_solution"] = record["flawed_solution"], record["solution"]
    certificate["oracle"], certificate["mutant"] = certificate["mutant"], certificate["oracle"]
    certificate["stated"] = _stated(certificate["mutant"], record)
    programs = FlawCertificate.of_record(read_record(FlawRecord, made).certificate)
    if programs.mutant is None:
        return
    edit = edit_between(programs.oracle, programs.mutant)
    change = certificate["change"]
    change["from"], change["to"] = record["certificate"]["change"]["to"], record["certificate"]["change"]["from"]
    change["line"], change["variable"] = edit.line, edit.variable
    details = made["label"]["error_details"]
    line = details["erroneous_line_number"] = made["mutation"]["line"] = edit.told_on or edit.line
    lines = made["solution"].split("\n")
    place = len(lines) if line == FINAL_ANSWER else int(line[1:])
    details["correction"] = lines[min(place, len(lines)) - 1]
    made["position"] = position_of(line, len(lines) - 1)
    made["mutation"]["variable"] = edit.variable
    facts = flaw_facts(made)
    made["mutation"]["from"], made["mutation"]["to"] = change_texts(facts)
    made["tier"], made["values"] = facts.source.tier, [json_form(value) for value in changed_values(facts)]
    made["question_inputs"] = [json_form(given) for given in facts.source.question_inputs]
    made.update(needs_edit=False, edits=[], plausibility={"score": 0.5, "reasons": [*size_reasons(facts)]})
    read = read_record(FlawRecord, made)
    program = flawed_program(read.certificate, read.flawed_solution, facts.after, read.question, read.question_inputs)
    if "function_code" in made:
        made["function_code"] = program.function_code
        made["logical_steps"] = [json_form(step) for step in program.logical_steps]
    yield from renamed_errors(with_digest(made))


def _stated(program: Record, record: Record) -> Record:
    oracle = FlawCertificate.of_record(read_record(FlawRecord, record).certificate).oracle
    values = program_values(oracle)
    return {variable: format_exact(values[variable]) for _, variable, _ in program["steps"]}


def main(run: Path, corpus: str, each: int) -> None:
    """Print how many flaws were turned round, and how many of them the re-check accepts alone and against the corpus."""
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    with (run / "mutation" / "conceptual.jsonl").open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            groups[record["operator"]].append(record)
    problems = CorpusProblems.of(corpus)
    lot = random.Random(SEED)
    tried: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    against = honest = 0
    for operator, records in sorted(groups.items()):
        for record in lot.sample(records, min(each, len(records))):
            tried[operator] += 1
            honest += problems.problem(record) is not None
            accepted = next(filter(is_accepted, turned_round(record)), None)
            alone[operator] += accepted is not None
            against += accepted is not None and problems.problem(accepted) is None
    print(
        f"flaws turned round: {tried.total():,} tried, {alone.total():,} accepted alone, {against:,} against the corpus"
    )
    print(f"flaws as they were made: {tried.total():,} tried, {honest:,} refused against the corpus")
    for name, count in alone.most_common():
        print(f"{count:6,} of {tried[name]:,} {name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turned_flaws", description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run with flaws")
    parser.add_argument("corpus", help="the corpus of the run")
    parser.add_argument("--each", type=int, default=8, help="flaws of each operator")
    arguments = parser.parse_args()
    main(arguments.run, arguments.corpus, arguments.each)

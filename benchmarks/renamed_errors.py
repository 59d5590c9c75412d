"""Benchmark of the re-check on flaws that are called by the name of another error, with everything derived anew.

`python -m benchmarks.renamed_errors RUN` draws flaws of each operator and error type of a run by lot, gives each the name of every
other operator and type with each sentence whose slots can be filled from its certificate, and counts what the re-check accepts. It
also names the change of each flaw, before and after, in every other way that an explanation may name it.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

from harness.json_form import read_record
from harness.records.content_digest import with_digest
from harness.records.mutation import FlawRecord
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases, known_operators, operator_error_types
from oracles.certificates.flaw_certificate import FlawCertificate, program_values
from oracles.certificates.program_edit import edit_between
from oracles.recheck.flaws.change_words import change_names
from oracles.recheck.flaws.flaw_explanation import FlawSlots
from oracles.recheck.flaws.flaw_facts import FlawFacts
from oracles.recheck.flaws.flaw_fields import flaw_digest
from oracles.recheck.flaws.flaw_record import objection
from oracles.recheck.flaws.source_facts import SourceFacts

if TYPE_CHECKING:
    from collections.abc import Iterator

Record = dict[str, Any]
SEED = 5
MOST_TEXTS = 2
"""Texts tried in each slot."""


def renamed_errors(record: Record) -> Iterator[Record]:
    """Yield a flaw's record under the name of every error, with each sentence that its certificate can fill; its own name too."""
    for operator in known_operators():
        for kind in sorted(operator_error_types(operator)):
            made = copy.deepcopy(record)
            made["operator"] = made["mutation"]["mutation_type"] = operator
            made["flaw_id"] = f"{made['problem_id']}:{operator}:{flaw_digest(operator, made['flawed_solution'])}"
            details = made["label"]["error_details"]
            details.update(error_type=str(kind), error_class=str(kind.error_class))
            if "alias" in details:
                details["alias"] = kind.alias
            for sentence in _sentences(made):
                details["explanation"] = sentence
                yield with_digest(copy.deepcopy(made))


def reworded_changes(record: Record) -> Iterator[Record]:
    """Yield a flaw's record with its change called otherwise, before or after: in words, by a part, as code, with other spaces."""
    texts = change_names(flaw_facts(record))
    change = record["certificate"]["change"]
    for place, field in enumerate(("from", "to")):
        given = record["mutation"][field]
        others = {
            *texts[place],
            change["from"],
            change["to"],
            f"{given} ",
            given.replace(" ", ""),
            record["mutation"]["to"],
        }
        for text in sorted(others - {given}):
            made = copy.deepcopy(record)
            made["mutation"][field] = text
            yield with_digest(made)


def is_accepted(record: Record) -> bool:
    """Tell whether nothing speaks against a record before its certificate is put to a solver."""
    return objection(record, read_record(FlawRecord, record)) is None


def _sentences(record: Record) -> Iterator[str]:
    slots = FlawSlots(flaw_facts(record))
    for phrases in explanation_phrases(record["operator"]).values():
        for phrase in phrases:
            names = [name for _, name, _, _ in Formatter().parse(phrase) if name]
            for texts in product(*(sorted(slots.expected(name))[:MOST_TEXTS] for name in names)):
                sentence = phrase.format_map(dict(zip(names, texts, strict=True)))
                yield sentence[:1].upper() + sentence[1:]


def flaw_facts(record: Record) -> FlawFacts:
    """Return what the certificate of a record says of its error."""
    read = read_record(FlawRecord, record)
    certificate = FlawCertificate.of_record(read.certificate)
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    values = program_values(certificate.oracle)
    source = SourceFacts(read.question, read.solution, certificate.oracle, values)
    return FlawFacts(read, certificate, edit, values, source)


def main(run: Path, each: int) -> None:
    """Print how many flaws under another name were tried and accepted, and under which names."""
    groups: defaultdict[tuple[str, ErrorType], list[Record]] = defaultdict(list)
    for name in ("computational", "conceptual"):
        with (run / "mutation" / f"{name}.jsonl").open(encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                groups[record["operator"], ErrorType(record["label"]["error_details"]["error_type"])].append(record)
    lot = random.Random(SEED)
    tried = reworded = kept = 0
    accepted: Counter[str] = Counter()
    for (operator, kind), records in sorted(groups.items()):
        for record in lot.sample(records, min(each, len(records))):
            for made in reworded_changes(record):
                reworded += 1
                kept += is_accepted(made)
            for made in renamed_errors(record):
                other = made["operator"], made["label"]["error_details"]["error_type"]
                if other != (operator, kind):
                    tried += 1
                    accepted[f"{operator} as {made['operator']}"] += is_accepted(made)
    print(f"changes called otherwise: {reworded:,} tried, {kept:,} accepted")
    print(f"errors called otherwise: {tried:,} tried, {accepted.total():,} accepted")
    for name, count in accepted.most_common():
        if count:
            print(f"{count:6,} {name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.renamed_errors", description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a run with flaws")
    parser.add_argument("--each", type=int, default=2, help="flaws of each operator and error type")
    arguments = parser.parse_args()
    main(arguments.run, arguments.each)

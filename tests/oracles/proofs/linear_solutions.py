"""Straight-line programs for tests of certificates, with their traces, slips and mutants."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random

from hypothesis import strategies as st

from harness.domain import Exact, Response
from harness.json_form import json_form, read_record
from harness.program.lifter import lift
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import FlawCertificate
from harness.solution.trace import Trace, propagate, trace_program
from oracles.proofs.flaw_certificate import FlawCertifier, FlawNotCertified
from tests.cases import texts

INPUTS = ("a", "b", "rate")
UNARY = ("math.floor({})", "math.ceil({})", "round({})", "round({}, 1)", "round({}, -1)", "int({})", "abs({})", "-{}")
BINARY = (
    *texts("""({} + {}) | ({} - {}) | ({} * {}) | ({} / {}) | ({} // {}) | ({} % {}) | min({}, {}) | max({}, {})
({} if {} > 2 else 7) | Fraction({}, {})"""),
)
POWERS = ("({}) ** 2", "({}) ** 3", "({}) ** -1")
LEAVES = ("2", "3", "0.5", "10", "100")
# Drawing expressions by Hypothesis itself takes 75 ms each; a seed takes none, and each seed is a program.
SEEDS = st.integers(0, 2**32).map(Random)


def value(random: Random) -> Exact:
    """Return a whole number or one with a decimal, of either sign."""
    return random.randint(-30, 30) if random.random() < 0.6 else Fraction(random.randint(-300, 300), 10)


def expression(random: Random, names: list[str], deepest: int = 3) -> str:
    """Return an expression in variables, with anything the theory of reals can say."""
    if not deepest or random.random() < 0.25:
        return random.choice([*names, *names, *LEAVES])
    form = random.choice([*BINARY, *BINARY, *UNARY, *POWERS])
    return form.format(*(expression(random, names, deepest - 1) for _ in range(form.count("{}"))))


@dataclass(frozen=True, slots=True)
class Straight:
    """A program as inputs and lines of one step each."""

    inputs: dict[str, Exact]
    steps: tuple[tuple[str, str], ...]
    answer: str

    def trace(self) -> Trace:
        """Return its trace; errors as in `trace_program`."""
        given = ", ".join(f"{name}={written(value)}" for name, value in self.inputs.items())
        lines = [f"    # L{place}\n    {name} = {code}" for place, (name, code) in enumerate(self.steps, start=1)]
        code = "\n".join([f"def solve({given}):", *lines, f"    return {self.answer}"])
        return trace_program(lift(Response("p", "m", code)))

    def with_step(self, place: int, code: str) -> Straight:
        """Return the program with another expression in one step."""
        return replace(self, steps=(*self.steps[:place], (self.steps[place][0], code), *self.steps[place + 1 :]))


def written(value: Exact) -> str:
    """Write a value as a literal; a fraction has one decimal."""
    return str(value) if isinstance(value, int) else f"{float(value):.1f}"


def program(random: Random) -> Straight:
    """Return a program of two to five steps, each of which reads the one before it; the last is the answer."""
    inputs = {name: value(random) for name in INPUTS}
    steps: list[tuple[str, str]] = []
    names = list(INPUTS)
    for place in range(random.randint(2, 5)):
        code = expression(random, names)
        steps.append((f"x{place}", f"{steps[-1][0]} + {code}" if steps else code))
        names.append(f"x{place}")
    return Straight(inputs, tuple(steps), steps[-1][0])


def certificate_of(oracle: Straight, told: Trace, slip: str | None = None) -> FlawCertificate:
    """Return the certificate of a mutant, or of the slip of a variable, read from its record."""
    certifier = FlawCertifier.of_trace(oracle.trace())
    record = certifier.certified(told, slip or "")
    return read_record(FlawCertificate, json.loads(json.dumps(json_form(record))))


def certified(attempt: Callable[[Random], FlawCertificate], random: Random) -> FlawCertificate:
    """Repeat an attempt until it gives a certificate."""
    while True:
        try:
            return attempt(random)
        except (ProgramError, Refusal, FlawNotCertified):
            continue


def _slip(random: Random) -> FlawCertificate:
    chosen = program(random)
    trace = chosen.trace()
    variable = random.choice(chosen.steps)[0]
    return certificate_of(chosen, propagate(trace, variable, trace.values[variable] + value(random)), variable)


def _mutant(random: Random) -> FlawCertificate:
    chosen = program(random)
    place = random.randrange(len(chosen.steps))
    names = [*INPUTS, *(name for name, _ in chosen.steps[:place])]
    match random.choice(["changed", "deleted", "added", "answer"]):
        case "changed":
            mutant = chosen.with_step(place, expression(random, names))
        case "deleted":
            mutant = deleted(chosen, place, random.choice(names))
        case "added":
            name, code = chosen.steps[place]
            added = ("extra", f"{code} + {expression(random, names)}")
            mutant = replace(chosen, steps=(*chosen.steps[:place], added, (name, "extra"), *chosen.steps[place + 1 :]))
        case _:
            mutant = replace(chosen, answer=random.choice([*INPUTS, *(name for name, _ in chosen.steps)]))
    return certificate_of(chosen, mutant.trace())


SLIPS = SEEDS.map(partial(certified, _slip))
MUTANTS = SEEDS.map(partial(certified, _mutant))


def deleted(program: Straight, place: int, instead: str) -> Straight:
    """Return the program without a step; what read it reads another variable instead."""
    gone = program.steps[place][0]
    rest = [(name, code.replace(gone, instead)) for name, code in program.steps if name != gone]
    return Straight(program.inputs, tuple(rest), instead if program.answer == gone else program.answer)

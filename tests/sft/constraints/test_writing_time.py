"""Tests of the time of writing: a batch ends amid its programs when the time is over, what is complete is kept, and the rest is written later."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from harness.store.run_folder import RunFolder
from sft.constraints.clause_writer import ClauseWriter
from sft.constraints.dataset import ProblemSplitPlan, make_dataset
from sft.constraints.generation import ANSWERS, WriterModel, WriterSettings, generate_programs, write_all
from sft.constraints.program_writer import ProgramWriter
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, OutputForm, chat_turns
from sft.constraints.stages import LEFT, StageWatch
from sft.training.tiny_models import tiny_loaded
from tests.sft.constraints.fakes import tiny_problem, write_tiny_problems

if TYPE_CHECKING:
    from pathlib import Path

    from sft.models.base_model import LoadedModel

CHATS = [chat_turns(CLAUSE_BY_CLAUSE, " ".join([tiny_problem(0).problem] * count)) for count in (1, 2)]


@cache
def model() -> LoadedModel:
    """Return a small model that has learnt nothing."""
    return tiny_loaded("smollm2-135m", seed=1)


class Clock:
    """Says yes so many times; `heard` is what it was told."""

    def __init__(self, yes: int) -> None:
        self.yes, self.heard = yes, list[float]()

    def goes_on(self, programs: float) -> bool:
        """Tell whether there is time."""
        self.heard.append(programs)
        return len(self.heard) <= self.yes


@pytest.mark.parametrize("seed", [None, pytest.param(3, marks=pytest.mark.slow)])
def test_clauses_end_with_the_time(seed: int | None) -> None:
    """At the token at which the time is over: with the programs that are complete, each as it is without an end; its progress grows to the whole."""
    writer = ClauseWriter(model(), batch=2, most=6, seed=seed)
    whole = Clock(10**9)
    (all_,) = writer.write(CHATS, goes_on=whole.goes_on)
    tokens = len(whole.heard)
    assert whole.heard == sorted(whole.heard)
    assert 0 <= whole.heard[0] < 1 < whole.heard[-1] <= len(CHATS)
    counts = set()
    for yes in (0, tokens // 4, tokens * 3 // 5, tokens - 2):
        clock = Clock(yes)
        (batch,) = writer.write(CHATS, goes_on=clock.goes_on)
        assert len(clock.heard) == yes + 1
        assert clock.heard == whole.heard[: yes + 1]
        assert all(all_[number] == program for number, program in batch.items())
        counts.add(len(batch))
    assert counts == {0, 1}


@pytest.mark.parametrize("held", [False, True])
def test_texts_end_with_the_time(held: bool) -> None:
    """Texts in one piece, too: one that has not come to its end is left out, whatever it says."""
    writer = ProgramWriter(model(), batch=2, most=8, held=held)
    (all_,) = writer.write(CHATS)
    for yes in (0, 3, 7, 8):
        clock = Clock(yes)
        (batch,) = writer.write(CHATS, goes_on=clock.goes_on)
        assert len(clock.heard) == min(yes + 1, 8)
        assert batch == (all_ if yes >= 7 else {})


def test_the_time_that_is_over_writes_nothing_and_loads_nothing(tmp_path: Path) -> None:
    """A stage is sealed that says how many are left; with time it is made anew from what was complete, with the same bytes."""
    stages = {}
    for name in ("at once", "in parts"):
        run = RunFolder(tmp_path / name)
        plan = ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4, form=OutputForm.CLAUSES)
        make_dataset(run, write_tiny_problems(tmp_path / "problems.jsonl", 30), None, plan)
        stages[name] = run
    writing = WriterSettings("smollm2-135m", batch=2, most=3)

    def made(run: RunFolder, watch: StageWatch | None = None, *, loads: bool = True) -> tuple[list[str], int]:
        def loaded() -> LoadedModel:
            assert loads
            return model()

        stage = generate_programs(
            run, WriterModel.BASELINE, writing, held=False, device="cpu", loaded=loaded, watch=watch
        )
        return [record["program"] for record in stage.records(ANSWERS)], stage.manifest()[LEFT]

    whole, left = made(stages["at once"])
    assert (len(whole), left) == (4, 0)
    assert made(stages["in parts"], StageWatch("writing", until=0.0), loads=False) == ([], 4)
    assert made(stages["in parts"]) == (whole, 0)
    assert made(stages["in parts"], StageWatch("writing", until=0.0), loads=False) == (whole, 0)


def test_a_batch_that_was_ended_is_written_again(tmp_path: Path) -> None:
    """Of an ended batch what is complete has a record; the next call writes the others and has each record once."""
    run = RunFolder(tmp_path / "run")
    stage = run.stage("smt-writing")
    stage.folder.mkdir(parents=True)
    writer = ClauseWriter(model(), batch=2, most=6)
    asked = [(str(number), list(chat)) for number, chat in enumerate(CHATS)]
    whole = Clock(10**9)
    (all_,) = writer.write(CHATS, goes_on=whole.goes_on)
    clock = Clock(len(whole.heard) - 2)

    class Watch(StageWatch):
        @property
        def over(self) -> bool:
            return bool(clock.heard) and not clock.goes_on(0.0)

    watch = Watch("writing")
    clock.heard.append(0.0)
    first, _ = write_all(stage, writer, asked, watch)
    assert [record["id"] for record in first] == ["0"]
    second, _ = write_all(stage, writer, asked, StageWatch("writing"))
    assert [record["id"] for record in second] == ["0", "1"]
    assert [record["program"] for record in second] == [all_[number].program for number in range(2)]

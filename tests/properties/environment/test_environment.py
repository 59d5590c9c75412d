"""The tasks of `oracle-factory env`: each has one right reply, more rounds give more, and other programs take them as they are."""

from pathlib import Path
from typing import Any

import pytest

from oracle_factory.command import main
from oracle_factory.rewards import REWARDS
from tests.json_lines import read_lines

ROOT = Path(__file__).resolve().parents[3]
MINI = ("mini", str(ROOT / "corpora" / "mini" / "formalizations.jsonl"), "annotation", "--problems", "0:2")


def exported(folder: Path, *options: str) -> list[dict[str, Any]]:
    """Return the tasks that the command exports."""
    assert main(["env", *MINI, "--out", str(folder), *options]) == 0
    return read_lines(folder / "tasks.jsonl")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment of two problems and one round, with the run that it is made of."""
    folder = tmp_path_factory.mktemp("environment") / "env"
    assert exported(folder, "--rounds", "1", "-j1")
    return folder


def test_each_task_has_one_right_reply(folder: Path) -> None:
    """For each task the truth is rewarded by exactly one function, a wrong reply by none, and no two tasks have one text."""
    made = read_lines(folder / "tasks.jsonl")
    assert {task["task"] for task in made} == {"answer", "line", "class"}
    assert len({task["prompt"][0]["content"] for task in made}) == len({task["task_id"] for task in made}) == len(made)
    columns = {name: [task[name] for task in made] for name in ("task", "truth")}
    for reply_to, total in (
        (lambda task: task["truth"], 1.0),
        (lambda task: "L99" if task["task"] != "answer" else "-99", 0.0),
    ):
        completions = [[{"role": "assistant", "content": f"Steps.\nANSWER: {reply_to(task)}"}] for task in made]
        rewards = [reward(prompts=[], completions=completions, **columns) for reward in REWARDS]
        for given in zip(*rewards, strict=True):
            assert sum(value is not None for value in given) == 1
            assert sum(filter(None, given)) == total


def test_a_line_that_is_said_to_be_wrong_is_one_of_the_solution(folder: Path) -> None:
    """The label of a line names a line of the shown solution, and of each problem some solutions are right."""
    lines = [task for task in read_lines(folder / "tasks.jsonl") if task["task"] == "line"]
    for task in lines:
        shown = task["prompt"][0]["content"].partition("Solution:\n")[2].splitlines()
        assert task["truth"] in {"none", "FA", *(f"L{number}" for number in range(1, len(shown)))}
    assert {task["truth"] == "none" for task in lines} == {True, False}


@pytest.mark.slow
def test_more_rounds_give_more_and_the_same_first(folder: Path) -> None:
    """Two rounds begin with the tasks of one for each kind of each problem, whatever the number of processes, and add others."""
    first = read_lines(folder / "tasks.jsonl")
    more = exported(folder, "--rounds", "2", "-j2")
    again = exported(folder, "--rounds", "2", "-j1")
    assert more == again
    for problem in {task["problem_id"] for task in first}:
        few, many = ([task for task in made if task["problem_id"] == problem] for made in (first, more))
        assert many[: len(few)] == few
        assert len(many) > len(few)


@pytest.mark.slow
def test_load_dataset_reads_the_folder(folder: Path, tmp_path: Path) -> None:
    """`datasets.load_dataset` reads the folder by its card, offline."""
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path))
    assert loaded.to_list() == read_lines(folder / "tasks.jsonl")


def test_a_corpus_that_gives_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Problems without oracles give no tasks, which is said in one line with status 2."""
    (tmp_path / "p.jsonl").write_text('{"problem_id": "p", "question": "How many?", "answer": "#### 3"}\n')
    (tmp_path / "a.jsonl").write_text('{"problem_id": "p", "model": "m", "response": "no program"}\n')
    given = ["env", str(tmp_path / "p.jsonl"), str(tmp_path / "a.jsonl"), "--out", str(tmp_path / "env")]
    assert main(given) == 2
    assert "none of the 1 problems gives a task" in capsys.readouterr().err


@pytest.mark.slow
def test_ten_steps_of_grpo(folder: Path, tmp_path: Path) -> None:
    """TRL's GRPO trainer trains SmolLM2 for ten steps on the tasks, by the reward functions as they are."""
    datasets, trl = pytest.importorskip("datasets"), pytest.importorskip("trl")
    from sft.models.base_model import load_preset

    loaded = load_preset()
    made = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path))
    by_length = sorted(range(len(made)), key=lambda place: len(made[place]["prompt"][0]["content"]))
    shortest = [
        next(place for place in by_length if made[place]["task"] == kind) for kind in ("answer", "line", "class")
    ]
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path / "out"),
        max_steps=10,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=8,
        use_cpu=True,
        bf16=False,
        report_to=[],
        logging_steps=1,
        save_strategy="no",
        gradient_checkpointing=False,
        seed=0,
    )
    trainer = trl.GRPOTrainer(
        model=loaded.model,
        processing_class=loaded.tokenizer,
        reward_funcs=list(REWARDS),
        args=arguments,
        train_dataset=made.select(shortest),
    )
    trainer.train()
    steps = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert len(steps) == 10
    assert all(0.0 <= entry["reward"] <= 1.0 for entry in steps)
    assert {name for entry in steps for name in entry if name.startswith("rewards/")} >= {
        f"rewards/{reward.__name__}/mean" for reward in REWARDS
    }

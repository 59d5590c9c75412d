"""The engine that asks a server: usable replies are read, others asked for once more, and nothing is made up."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from harness.errors import HarnessError
from sft.judges.forms import ProblemForm, SolutionForm
from sft.judges.remote import RemoteJudge, ZeroShotAccess
from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import EngineSettings, open_engine
from tests.harness.llm.loopback_server import LoopbackServer
from tests.optional_packages import needs
from tests.sft.hostile import QUESTION, RIGHT, satisfies
from tests.sft.schemas import RECORD_SCHEMA

WRONG = RIGHT.replace("14 * 3 = 42", "15 * 3 = 45").replace("42 - 5 = 37", "45 - 5 = 40").replace("37", "40")

pytestmark = needs("openai")
SECRET = "sk-a-key-that-nobody-may-see"  # noqa: S105  # no key of anybody
CORRECT = {"verdict": "Correct", "error_details": None}
EXPLANATION = "She picks 14 a day and not 15."
DETAILS = {"error_type": "input_misrepresentation", "erroneous_line_number": "L1", "explanation": EXPLANATION}
FLAWED = {"verdict": "Flawed", "error_details": DETAILS}
ITEMS = [read_item(QUESTION, RIGHT), read_item(QUESTION, WRONG)]


class Server(LoopbackServer):
    """A server on loopback that answers chat completions as it is told, to those who have the key, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(key=SECRET)
        self.answer: Callable[[dict[str, Any]], tuple[int, Any]] = lambda _: (200, json.dumps(CORRECT))
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        """Return the base URL."""
        return f"{super().url}/v1"

    async def _handled(self, request: web.Request, _api: str) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        status, said = self.answer(body)
        if status != 200:
            return web.json_response({"error": {"message": f"no, {SECRET}"}}, status=status)
        said, pairs = said if isinstance(said, tuple) else (said, ())
        tokens = [{"token": token, "logprob": chance, "top_logprobs": []} for token, chance in pairs]
        choice = {
            "message": {"content": said},
            "finish_reason": "stop",
            "logprobs": {"content": tokens} if pairs else None,
        }
        return web.json_response({"choices": [choice]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Return a server that runs while the test does."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with Server() as endpoint:
        yield endpoint


def _judged(server: Server) -> list[Any]:
    judged = list(open_engine("endpoint", EngineSettings(endpoint=server.url, model="m")).judge(ITEMS))
    assert all(satisfies(judgement.record(), RECORD_SCHEMA) for judgement in judged)
    assert SECRET not in json.dumps([judgement.record() for judgement in judged])
    return judged


def _by_item(asked: dict[str, Any]) -> dict[str, Any]:
    return FLAWED if "45" in asked["messages"][0]["content"] else CORRECT


def test_replies_are_judgements_in_order(server: Server) -> None:
    """The object is asked for by its schema, with the key of the environment, and read."""
    server.answer = lambda asked: (200, json.dumps(_by_item(asked)))
    judged = _judged(server)
    assert [judgement.flawed for judgement in judged] == [False, True]
    assert (judged[1].line, judged[1].explanation) == ("L1", EXPLANATION)
    assert all(request["response_format"]["type"] == "json_schema" for request in server.asked)


def test_a_redirect_is_a_fault_and_is_not_followed(server: Server) -> None:
    """A server that names another address gets no second request, and the key goes nowhere else."""
    server.answer = lambda asked: (200, json.dumps(CORRECT)) if "42" in asked["messages"][0]["content"] else (307, None)
    judged = _judged(server)
    assert judged[0].error == ""
    assert judged[1].error.startswith("the endpoint failed: ")
    assert judged[1].record()["verdict"] is None


def test_the_confidence_is_the_probability_of_the_verdict(server: Server) -> None:
    """Where the server tells the tokens' probabilities, those that write the verdict's word are multiplied."""
    pairs = [('{"verdict":', -3.0), (' "Cor', -0.1), ("rect", -0.2), ('", "error_details": null}', -5.0)]
    server.answer = lambda _: (200, (json.dumps(CORRECT), pairs))
    assert _judged(server)[0].confidence == pytest.approx(2.718281828**-0.3)


@pytest.mark.parametrize(
    "bad",
    [
        "I think it is fine.",
        '{"verdict": "Right", "error_details": null}',
        "[" * 9_000,
        '["Correct"]',
        json.dumps({**FLAWED, "verdict": "Correct"}),
        json.dumps({"verdict": "Flawed", "error_details": None}),
        json.dumps(FLAWED).replace("L1", "L7"),
        json.dumps(FLAWED).replace("input_misrepresentation", "typo"),
        "",
    ],
)
def test_an_unusable_reply_is_asked_for_once_more_and_never_made_up(server: Server, bad: str) -> None:
    """The second reply counts; if it is no better, the answer is that nothing could be judged, and why."""
    server.answer = lambda asked: (200, bad if len(asked["messages"]) == 1 else json.dumps(_by_item(asked)))
    assert [judgement.flawed for judgement in _judged(server)] == [False, True]
    server.asked.clear()
    server.answer = lambda _: (200, bad)
    judged = _judged(server)
    assert {judgement.confidence for judgement in judged} == {0}
    assert all(judgement.error.startswith("the model's answer is not usable: ") for judgement in judged)
    # The client by itself asks once more for a reply without text.
    assert len(server.asked) == (4 if bad else 8)


def test_a_server_that_takes_no_schema_is_asked_without(server: Server) -> None:
    """What a server refuses is left out, and an object in a fence is read."""

    def answer(asked: dict[str, Any]) -> tuple[int, Any]:
        if "response_format" in asked:
            return 400, None
        return 200, f"Here it is:\n```json\n{json.dumps(_by_item(asked))}\n```"

    server.answer = answer
    assert [judgement.flawed for judgement in _judged(server)] == [False, True]


def test_a_server_that_is_not_there_or_refuses_the_key_is_a_mistake(server: Server) -> None:
    """Then no item is judged at all, and the message names the server and where the key is taken from, not the key."""
    server.answer = lambda _: (401, None)
    with pytest.raises(HarnessError, match=r"access-denied.*\$OPENAI_API_KEY") as told:
        _judged(server)
    assert SECRET not in str(told.value)
    gone = EngineSettings(endpoint="http://127.0.0.1:9/v1", model="m")
    with pytest.raises(HarnessError, match="unreachable"):
        list(open_engine("endpoint", gone).judge(ITEMS))


def test_a_refusal_under_way_ends_quietly(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """A batch ends with the first refusal; requests under way end with the judge, and no task is left behind."""
    server.answer = lambda _: (401, None)
    judge = RemoteJudge.of_server(server.url, "m", SolutionForm())
    with pytest.raises(HarnessError, match="access-denied"):
        list(judge.judge(ITEMS))
    judge.close()
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


def test_answers_of_a_provider_are_kept_and_asked_offline(server: Server, tmp_path: Path) -> None:
    """A question is asked once; offline the stored answer is read, and a missing one is refused by its key."""
    server.answer = lambda asked: (200, json.dumps(_by_item(asked)))
    store = tmp_path / "answers.sqlite"
    for offline in (False, True):
        judge = RemoteJudge.of_provider("m", server.url, SolutionForm(), ZeroShotAccess(store, offline))
        assert [judgement.flawed for judgement in judge.judge(ITEMS)] == [False, True]
        judge.close()
    assert len(server.asked) == 2
    judge = RemoteJudge.of_provider("m", server.url, SolutionForm(), ZeroShotAccess(store, offline=True))
    with pytest.raises(HarnessError, match=r"holds no answer .* --offline forbids"):
        list(judge.judge([read_item("Another question?", RIGHT)]))
    judge.close()


def test_problems_are_judged_by_the_same_judge(server: Server) -> None:
    """A problem is asked by its own form; a label that does not belong to the verdict is asked for again."""
    answers = iter(
        [
            '{"verdict": "contradictory", "class_label": 1, "reason": "no"}',
            '{"verdict": "contradictory", "class_label": 0, "reason": "It has 3 and 4 pens."}',
        ]
    )
    server.answer = lambda _: (200, next(answers))
    judge = RemoteJudge.of_server(server.url, "m", ProblemForm())
    (judged,) = judge.judge(["Ana has 3 pens. Ana has 4 pens. How many pens has she?"])
    judge.close()
    assert judged.record()["verdict"] == "contradictory"
    assert judged.reason == "It has 3 and 4 pens."
    assert len(server.asked) == 2

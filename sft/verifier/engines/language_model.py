"""The engines that ask a language model the question of a level: `model` and `chat` on this machine, `endpoint` and `chat` behind a server."""

from harness.errors import HarnessError
from sft.datasets.levels import Level
from sft.judges.forms import SolutionForm
from sft.judges.local import LocalJudge, opened_model, trained_form
from sft.judges.remote import RemoteJudge
from sft.samples.solution_judgement import Engine
from sft.verifier.engine_registry import EngineSettings, engine


def asked_form(settings: EngineSettings) -> SolutionForm:
    """Return the question of the adapter's level, else of `--level`, else for the whole answer, with an explanation or without.

    Raises:
        HarnessError: there is no such level, the adapter was trained on no level of solutions, or `--level` names another one.
    """
    if settings.adapter is None:
        return SolutionForm.of(settings.level or (Level.MAX if settings.explain else Level.WHERE), settings.labels)
    trained = trained_form(settings.adapter)
    if not isinstance(trained, SolutionForm):
        raise HarnessError(f"the adapter {settings.adapter} was trained to judge problems, not solutions")
    if settings.level and settings.level != trained.level:
        message = f"--level {settings.level}: the adapter {settings.adapter} was trained on level {trained.level}"
        raise HarnessError(message)
    return trained


def local_judge(settings: EngineSettings, name: str) -> Engine:
    """Return the judge by a model on this machine; errors as in `asked_form` and `opened_model`."""
    form = asked_form(settings)
    return LocalJudge(opened_model(settings.preset, settings.adapter, settings.device), form, name)


@engine("model", any_script=True)
def open_model(settings: EngineSettings) -> Engine:
    """Return the engine of an adapter, or without one of the base weights; errors as in `local_judge`."""
    return local_judge(settings, "model")


@engine("chat", any_script=True)
def open_chat(settings: EngineSettings) -> Engine:
    """Return the engine for the level of the adapter, or for `--level`.

    Raises `HarnessError` where no level is known, and as `local_judge` and `open_endpoint`.
    """
    if settings.adapter is None and not settings.level:
        raise HarnessError("no level: name it by --level, or an adapter that was trained on one by --adapter")
    if settings.endpoint:
        return RemoteJudge.of_server(settings.endpoint, settings.model, asked_form(settings), "chat")
    return local_judge(settings, "chat")


@engine("endpoint", any_script=True)
def open_endpoint(settings: EngineSettings) -> Engine:
    """Return the engine for the server and the model that the settings name, whose key is read from the environment.

    Raises `HarnessError` where one is not named, or the openai library is not installed.
    """
    return RemoteJudge.of_server(settings.endpoint, settings.model, asked_form(settings), "endpoint")

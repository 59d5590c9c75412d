"""Models as the command line names them."""

from generators.formalizations.llm_formalizers.conversation import setting
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs


def test_names_are_unique_and_do_not_depend_on_each_other() -> None:
    """Each dialect and sample has a name of its own, the same whatever else is asked."""
    members = read_model_specs(["openai:gpt-4.1-mini", "local", "annotation"], ["parametric", "template"], 2)
    assert [member.name for member in members] == [
        "openai:gpt-4.1-mini",
        "openai:gpt-4.1-mini#2",
        "openai:gpt-4.1-mini/template",
        "openai:gpt-4.1-mini/template#2",
        "local",
        "local#2",
        "local/template",
        "local/template#2",
        "annotation",
    ]
    assert [spec.name for spec in read_model_specs(["local"], ["template"])] == ["local/template"]


def test_most_specific_setting_holds() -> None:
    """A model's own value goes before its provider's, and that before the one for all."""
    values = {"": 1, "openai": 2, "openai:a": 3}
    found = [setting(values, ModelSpec(*spec), 0) for spec in [("openai", "a"), ("openai", "b"), ("gemini", "a")]]
    assert found == [3, 2, 1]
    assert setting({}, ModelSpec("openai", "a"), 0) == 0

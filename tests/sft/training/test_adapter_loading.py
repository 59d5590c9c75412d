"""Tests that an adapter loads by plain PEFT: its base is a folder or an id on the hub, and the local package stands in for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from harness.errors import HarnessError
from harness.llm.model_weights import HUB_ID, gguf_file
from harness.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

ADAPTER = ROOT / "sft" / "adapters" / "smollm2-135m"
COMMIT = "0" * 40
LOADING = """
import sys, torch
from peft import AutoPeftModelForCausalLM, PeftModel
from transformers import AutoModelForCausalLM
adapter, local = sys.argv[1:]
plain = AutoPeftModelForCausalLM.from_pretrained(adapter)
fallback = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(local), adapter)
tokens = torch.tensor([[1, 2, 3, 4]])
told = [model.eval()(tokens).logits.float() for model in (plain, fallback)]
with plain.disable_adapter():
    bare = plain(tokens).logits.float()
assert torch.equal(*told), (told[0] - told[1]).abs().max()
assert not torch.equal(told[0], bare)
print("loaded")
"""


def test_base_of_the_committed_adapter_is_an_id_of_the_hub() -> None:
    """What plain PEFT reads as the base names the model on the hub, not a package that no hub knows."""
    config = json.loads((ADAPTER / "adapter_config.json").read_text("utf-8"))
    assert config["base_model_name_or_path"] == HUB_ID


@pytest.mark.slow
def test_adapter_loads_by_plain_peft_and_on_the_local_package(tmp_path: Path) -> None:
    """PEFT alone loads adapter and base by the id of the hub, here from its cache, and the package's weights take the same adapter."""
    pytest.importorskip("peft", reason="the sft extra is not installed")
    try:
        gguf_file()
    except HarnessError as missing:
        pytest.skip(str(missing))
    from sft.models.base_model import unpacked

    weights = unpacked()
    cached = tmp_path / "hub" / f"models--{HUB_ID.replace('/', '--')}"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(COMMIT)
    (cached / "snapshots").mkdir()
    (cached / "snapshots" / COMMIT).symlink_to(weights)
    ended = subprocess.run(
        [sys.executable, "-c", LOADING, str(ADAPTER), str(weights)],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
    )
    assert (ended.returncode, ended.stdout.strip()) == (0, "loaded"), ended.stderr


UNPACKING = """
from pathlib import Path
import sys
from sft.models import base_model
base_model.cache_folder = lambda: Path(sys.argv[1])
base_model.load_with_adapter("smollm2-135m", sys.argv[2])
"""


@pytest.mark.slow
def test_loading_a_model_prints_nothing(tmp_path: Path) -> None:
    """Neither bars nor warnings of the libraries, also where the weights are unpacked."""
    pytest.importorskip("peft", reason="the sft extra is not installed")
    command = [sys.executable, "-c", UNPACKING, str(tmp_path), str(ADAPTER)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900, cwd=ROOT)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")

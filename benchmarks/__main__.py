"""The command `python -m benchmarks`, which measures sections on real data and writes `benchmarks/RESULTS.md`.

`python -m benchmarks` measures every section but those that take hours; `python -m benchmarks soundness speed` measures those two; `--page` only
writes the page again. The figures of a section lie in `benchmarks/figures/`. What stands on the page from `## Notes` on is written by hand, and kept.
Real data are read from `$SHARED_DATA`, else `../shared/data`; a section without its data is not measured and keeps its figures.
"""

import importlib
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.results import FIGURES, HERE, PAGE, page, read_claims, written_notes
from benchmarks.sessions import DataMissing
from harness.paths import data_folder

NOT_SECTIONS = frozenset({"__init__", "__main__", "results", "sessions"})
ONLY_BY_NAME = frozenset({"scale_large"})
"""Sections that take hours, and are measured only where they are named."""


def sections() -> dict[str, str]:
    """Return the module of each section by its name: the modules of this folder that have a function `measure`."""
    found = {
        path.stem: path.stem
        for path in sorted(HERE.glob("*.py"))
        if path.stem not in NOT_SECTIONS and "\ndef measure(" in path.read_text(encoding="utf-8")
    }
    return found | {"scale_large": "scale"}


def main(arguments: list[str]) -> int:
    """Measure the named sections, all by default, keep their figures and write the page."""
    known = sections()
    names = [name for name in arguments if name != "--page"]
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"There is no section {unknown[0]!r}. Sections: {', '.join(known)}.", file=sys.stderr)
        return 2
    chosen = names or ([] if "--page" in arguments else [name for name in known if name not in ONLY_BY_NAME])
    for name in chosen:
        print(f"measuring {name} …", flush=True)
        measure_section(name, known[name], data_folder())
    PAGE.write_text(page(read_claims(), written_notes()), encoding="utf-8")
    return 0


def measure_section(name: str, module: str, data: Path) -> None:
    """Measure a section, print its figures and keep them with build, date and machine; without its data it keeps the last ones."""
    function = "measure" if name == module else f"measure_{name.removeprefix(f'{module}_')}"
    began = time.monotonic()
    try:
        figures = getattr(importlib.import_module(f"benchmarks.{module}"), function)(data)
    except DataMissing as missing:
        print(f"{name} is not measured: {missing}", flush=True)
        return
    record = {
        "command": f"python -m benchmarks {name}",
        "build": build(),
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "seconds": round(time.monotonic() - began),
        "figures": figures,
    }
    text = json.dumps(record, indent=1, ensure_ascii=False)
    print(text, flush=True)
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def build() -> str:
    """Return the short commit of this tree, with `+` where files differ from it."""
    return f"{_git('rev-parse', '--short=8', 'HEAD') or 'unknown'}{'+' if _git('status', '--porcelain') else ''}"


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

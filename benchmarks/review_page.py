"""Benchmark of the Review page: the time from a key press to the next painted candidate and to the stored decision."""

from __future__ import annotations

import json
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.domain import Problem, Response

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
MINI = ROOT / "corpora" / "mini"
CANDIDATES = 10_000
DECISIONS = 100
PAUSE = 0.2
"""Seconds between two decisions: faster than anybody reads."""
KEYS = {"accept": ("Control+Enter",), "reject": ("Alt+r", "1"), "skip": ("Alt+s",)}
_COMPONENT = "[...document.querySelectorAll('*')].find(one => one.shadowRoot?.querySelector('.review'))?.shadowRoot"
_WATCH = f"""() => {{
  const columns = {_COMPONENT}.querySelector('#columns');
  let pressed = 0, sent = 0;
  Object.assign(window, {{ painted: [], kept: [] }});
  addEventListener('keydown', () => {{ pressed = performance.now(); }}, true);
  new MutationObserver(() => {{
    const begun = sent = pressed;
    requestAnimationFrame(() => {{
      const frame = new MessageChannel();
      frame.port1.onmessage = () => window.painted.push(performance.now() - begun);
      frame.port2.postMessage(0);
    }});
  }}).observe(columns, {{ attributes: true, attributeFilter: ['data-candidate'] }});
  const remove = localStorage.removeItem.bind(localStorage);
  Storage.prototype.removeItem = function (key) {{
    if (sent && key.includes('\\noutbox\\n')) {{ window.kept.push(performance.now() - sent); sent = 0; }}
    remove(key);
  }};
}}"""


@dataclass(slots=True)
class WaitTimes:
    """Milliseconds from the key: until the next candidate was painted, and until the server had the decision."""

    painted: list[float] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)


def percentile(values: Sequence[float], part: int) -> float:
    """Return the value that `part` percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * part // 100) - 1)]


def candidates(count: int) -> Iterator[dict[str, Any]]:
    """Yield flawed solutions of four problems of the bundled corpus, again and again under other ids, that nothing speaks against."""
    from properties.stages.mutation import make  # loads every operator

    lines = (MINI / "formalizations.jsonl").read_text(encoding="utf-8").splitlines()
    said = {answer["problem_id"]: answer["response"] for answer in map(json.loads, lines) if answer["model"] == "birch"}
    records = []
    for record in map(json.loads, (MINI / "problems.jsonl").read_text(encoding="utf-8").splitlines()[:4]):
        solution, _, gold = record["answer"].rpartition("####")
        name = record["problem_id"]
        problem = Problem(name, record["question"], solution.strip(), gold.strip(), record["tier"])
        flaws = make(problem, [Response(name, "birch", said[name])], seed=0).records
        records += [flaw for flaw in flaws if "certificate" in flaw and not flaw["needs_edit"]]
    conceptual = [
        candidate
        for candidate in records
        if candidate["label"]["error_details"]["error_class"] != "computational_error"
    ]
    for number, record in enumerate(islice(cycle(conceptual), count)):
        yield {**record, "flaw_id": f"{record['flaw_id']}-{number}"}


def write_candidates(folder: Path, count: int = CANDIDATES) -> Path:
    """Write them into a folder as the mutation stage would."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "conceptual.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in candidates(count))
    return folder


def watch(page: Page) -> None:
    """Begin to measure on the opened Review page."""
    page.evaluate(_WATCH)


def decide(page: Page, kind: str, times: int, *, pause: float = PAUSE) -> WaitTimes:
    """Decide so many candidates by key, and return how long each took."""
    page.evaluate("Object.assign(window, { painted: [], kept: [] })")
    for number in range(1, times + 1):
        for key in KEYS[kind]:
            page.keyboard.press(key)
        page.wait_for_function("count => window.painted.length >= count && window.kept.length >= count", arg=number)
        time.sleep(pause)
    return WaitTimes(*page.evaluate("[window.painted, window.kept]"))


def measure(_data: Path) -> dict[str, Any]:
    """Press 100 keys of each kind on the page of 10,000 candidates: milliseconds until the next is painted, and until the decision is kept.

    Raises:
        RuntimeError: playwright or a Chromium is not there.
    """
    chromium = shutil.which("chromium")
    if chromium is None:
        raise RuntimeError("chromium is not installed. Install it, and the extras `review` and `dev`.")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        place = Path(folder)
        write_candidates(place / "many")
        port = _free_port()
        options = ["--server.port", str(port), "--server.headless", "true"]
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "reports" / "app" / "main.py"), *options]
        command += ["--", "--candidates-dir", str(place / "many"), "--reviewer", "bench"]
        with (place / "log").open("wb") as log:
            server = subprocess.Popen(command, cwd=place, stdout=log, stderr=log)
        try:
            _wait_for(port, server)
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            begun = time.monotonic()
            page.goto(f"http://localhost:{port}")
            page.wait_for_selector("#columns[data-candidate]", timeout=300_000)
            opened = time.monotonic() - begun
            page.wait_for_timeout(2_000)
            watch(page)
            found = {kind: decide(page, kind, DECISIONS) for kind in KEYS}
            browser.close()
        finally:
            server.terminate()
            server.wait()
    times = {kind: {"painted": waits.painted, "kept": waits.kept} for kind, waits in found.items()}
    return {
        "candidates": CANDIDATES,
        "first_page_seconds": opened,
        "milliseconds": {
            kind: {
                what: {"median": statistics.median(values), "p95": percentile(values, 95), "most": max(values)}
                for what, values in own.items()
            }
            for kind, own in times.items()
        },
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    while True:
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
        except OSError:
            if server.poll() is not None:
                raise
            time.sleep(0.1)
        else:
            return

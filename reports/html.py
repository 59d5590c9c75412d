"""How is a whole run read in a browser, from one file and without a network?"""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile

from reports.artefacts import open_stage
from reports.packing import Packed, pack
from reports.plots import agreement_plot, clique_plot, confidence_plot
from reports.text import one_line

# Twelve models of 44 px fill the width; a larger matrix would hide the list below it.
MATRIX_MODELS = 12
_MARKER = re.compile(r"@@([A-Z]+)@@")


def write_report(run: Path) -> Path:
    """Write `run/report/index.html`, one self-contained page, and return its path.

    The page is replaced atomically: a reader finds the old one or the new one, whole.

    Raises:
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    packed = pack(open_stage(run))
    path = run / "report" / "index.html"
    path.parent.mkdir(exist_ok=True)
    with NamedTemporaryFile("wb", dir=path.parent, prefix=".index-", delete=False) as page:
        unfinished = Path(page.name)
        try:
            for part in _page(packed):
                page.write(part.encode("utf-8"))
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise
    unfinished.chmod(0o644)
    return unfinished.replace(path)


def _page(packed: Packed) -> Iterator[str]:
    style, script = _asset("report.css"), _asset("problem.js") + _asset("report.js")
    # Only this style and this script run, whatever else the file may come to hold; no request leaves
    # the page, and no string becomes markup (Trusted Types without a policy).
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        f"trusted-types 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    tally = packed.tally
    fillings = {
        "POLICY": policy,
        "TITLE": escape(one_line(str(packed.index["run"]))),
        "STYLE": style,
        "SCRIPT": script,
        "PLOTS": confidence_plot(tally) + clique_plot(tally),
        "HEATMAP": agreement_plot(tally),
        "OPEN": " open" if len(tally.models()) <= MATRIX_MODELS else "",
    }
    # One pass, so that a filling which holds a marker stays as it is; the data come between.
    before, after = _asset("report.html").split("@@DATA@@")
    yield _MARKER.sub(lambda marker: fillings[marker[1]], before)
    yield _data("index", json.dumps(packed.index, separators=(",", ":")))
    for number, chunk in enumerate(packed.chunks):
        yield _data(f"chunk-{number}", chunk)
    yield _MARKER.sub(lambda marker: fillings[marker[1]], after)


def _data(name: str, text: str) -> str:
    # 6,000 problems, 184,000 verdicts: 161 MB of artefacts, 68 MB as compact JSON, are 10.9 MB of base64 at
    # level 6 (1.0 s) and 10.7 MB at level 9 (1.9 s); a browser shows the list in 0.6 s, a problem in 0.1 s.
    compressed = base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")
    return f'<script type="application/zlib+base64" id="{name}">{compressed}</script>\n'


def _asset(name: str) -> str:
    return (files("reports") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"

"""Writing of self-contained HTML pages, which load nothing from the network and never execute data."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from reports.views.printable_text import one_line

# Pages of one run stand beside each other; whichever is written later links those before, and is linked by them.
BESIDE = {
    "index.html": "Formalizations",
    "traces.html": "Traces",
    "flaws.html": "Flaws",
    "variants.html": "Variants",
    "verifier.html": "Verifier",
}
_UNLINKED = '<span id="beside" hidden></span>'
_LINKS = re.compile(rb'<span id="beside"[^>]*>.*?</span>')
_MARKER = re.compile(r"@@([A-Z]+)@@")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page is made of: the name of its file, what its items are called, and what it holds.

    `overview` is markup; `styles` and `scripts` name assets, which follow the ones that all pages share.
    """

    name: str
    noun: str
    search: str
    overview: str
    index: Mapping[str, Any]
    chunks: Iterable[str]
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ()


def write_page(run: Path, page: Page) -> Path:
    """Write a page into `run/report` and return its path.

    The page is replaced atomically: a reader finds the old one or the new one, whole.
    """
    path = run / "report" / page.name
    path.parent.mkdir(exist_ok=True)
    there = [name for name in BESIDE if name == page.name or (path.parent / name).is_file()]
    _replace(path, _parts(page, _links(there, page.name)))
    for name in there:
        if name != page.name:
            # The links stand in the masthead, before whatever the data hold.
            text = (path.parent / name).read_bytes()
            linked = _LINKS.sub(_links(there, name).encode(), text, count=1)
            if linked != text:
                _replace(path.parent / name, [linked])
    return path


def fill(name: str, fillings: Mapping[str, str]) -> str:
    """Return an asset with its markers filled in one pass, so that a filling which holds a marker stays as it is."""
    return _filled(_asset(name), fillings)


def _filled(text: str, fillings: Mapping[str, str]) -> str:
    return _MARKER.sub(lambda marker: fillings[marker[1]], text)


def _parts(page: Page, beside: str) -> Iterator[bytes]:
    style = "".join(map(_asset, ("report.css", *page.styles)))
    script = "".join(map(_asset, ("page.js", *page.scripts)))
    # Only this style and this script run, whatever else the file may come to hold; no request leaves
    # the page, and no string becomes markup (Trusted Types without a policy).
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        f"trusted-types 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    fillings = {
        "POLICY": policy,
        "TITLE": escape(one_line(str(page.index["run"]))),
        "STYLE": style,
        "SCRIPT": script,
        "BESIDE": beside,
        "OVERVIEW": page.overview,
        "NOUN": page.noun,
        "HEADING": page.noun.capitalize(),
        "SEARCH": page.search,
    }
    # The data come between, so that no filling can move them.
    before, after = (_filled(part, fillings) for part in _asset("page.html").split("@@DATA@@"))
    yield before.encode("utf-8")
    yield _data("index", json.dumps(page.index, separators=(",", ":")))
    for number, chunk in enumerate(page.chunks):
        yield _data(f"chunk-{number}", chunk)
    yield after.encode("utf-8")


def _data(name: str, text: str) -> bytes:
    # 6,000 problems, 184,000 verdicts: 161 MB of artefacts, 68 MB as compact JSON, are 10.9 MB of base64 at
    # level 6 (1.0 s) and 10.7 MB at level 9 (1.9 s); a browser shows the list in 0.6 s, a problem in 0.1 s.
    compressed = base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")
    return f'<script type="application/zlib+base64" id="{name}">{compressed}</script>\n'.encode("ascii")


def _links(there: Iterable[str], name: str) -> str:
    links = [f'<a class="beside" href="{other}">{BESIDE[other]}</a>' for other in there if other != name]
    return f'<span id="beside" class="pages">{"".join(links)}</span>' if links else _UNLINKED


def _replace(path: Path, parts: Iterable[bytes]) -> None:
    with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.stem}-", delete=False) as page:
        unfinished = Path(page.name)
        try:
            for part in parts:
                page.write(part)
        except BaseException:  # an interrupt, too, leaves no half page behind
            with suppress(OSError):
                unfinished.unlink()
            raise
    unfinished.chmod(0o644)
    unfinished.replace(path)


def _asset(name: str) -> str:
    return (files("reports") / "html" / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"

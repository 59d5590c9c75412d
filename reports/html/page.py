"""Self-contained HTML pages, which load nothing from the network and never execute data."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.text.characters import one_line, printable, spaced
from reports.views.scoreboard import interval_text, p_value_text, seconds_text, value_text


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A page that the other pages of its run link: the noun of its items, and the text of the link."""

    noun: str
    title: str


LINKED_PAGES = {
    "funnel.html": LinkedPage("step", "Funnel"),
    "index.html": LinkedPage("problem", "Formalizations"),
    "traces.html": LinkedPage("trace", "Traces"),
    "flaws.html": LinkedPage("flaw", "Flaws"),
    "variants.html": LinkedPage("variant", "Variants"),
    "labels.html": LinkedPage("label", "Labels"),
    "verifier.html": LinkedPage("item", "Verifier"),
    "compare.html": LinkedPage("change", "Comparison"),
    "constraints.html": LinkedPage("constraint problem", "Constraint problems"),
}
"""The pages of a run, by file name. A page links those that are written; they are changed to link it."""
_NO_LINKS = Markup('<span id="beside" hidden></span>')
_LINKS = re.compile(rb'<span id="beside"[^>]*>.*?</span>')

_TEMPLATES = Environment(
    loader=PackageLoader("reports", "html/templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_TEMPLATES.filters |= {
    "brief": lambda text: one_line(text, limit=80),
    "spaced": spaced,
    "printable": printable,
    "value": value_text,
    "interval": interval_text,
    "p_value": p_value_text,
    "seconds": seconds_text,
}


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page.

    Attributes:
        name: the name of its file, one of `LINKED_PAGES`, or of a further page of `kind`, one of these.
        template: the Jinja2 template, which extends `page.html`.
        search: the placeholder of the search field.
        index: what the page reads when it opens; `run` is the name of the run.
        chunks: JSON texts that the page reads when an item is opened.
        scripts: the assets that follow `page.js`.
        styles: the assets that follow `report.css`.
        values: the variables of the template.
    """

    name: str
    template: str
    search: str
    index: Mapping[str, Any]
    chunks: Iterable[str]
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""

    @property
    def linked(self) -> str:
        """Return the name of the linked page that it is, or that it continues."""
        return self.kind or self.name


@dataclass(frozen=True, slots=True)
class _Blob:
    id: str
    base64: str


def write_page(run: Path, page: Page) -> Path:
    """Write a page into `run/report` and return its path.

    The page is replaced atomically: a reader finds the old page or the new one, whole.
    """
    path = run / "report" / page.name
    path.parent.mkdir(exist_ok=True)
    written = [name for name in LINKED_PAGES if name == page.linked or (path.parent / name).is_file()]
    _replace(path, _parts(page, _links(written, page.linked)))
    for name in written:
        if name != page.linked:
            # The links stand in the masthead, before all data: the first match is theirs.
            for file in (path.parent / name, *_continued(path.parent / name)):
                text = file.read_bytes()
                linked = _LINKS.sub(_links(written, name).encode(), text, count=1)
                if linked != text:
                    _replace(file, [linked])
    return path


def _continued(page: Path) -> list[Path]:
    """Return the further pages of a linked one, `flaws-1.html` of `flaws.html`."""
    number = re.compile(rf"{re.escape(page.stem)}-\d+")
    return sorted(file for file in page.parent.glob(f"{page.stem}-*.html") if number.fullmatch(file.stem))


def _parts(page: Page, page_links: Markup) -> Iterator[bytes]:
    style = "".join(map(asset, ("report.css", *page.styles)))
    script = "".join(map(asset, ("dom.js", "address.js", "csv.js", "page.js", *page.scripts)))
    # Only this style and this script run; no request leaves the page, and no string becomes markup
    # (Trusted Types without a policy).
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        f"trusted-types 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    parts = _TEMPLATES.get_template(page.template).generate(
        policy=policy,
        title=one_line(str(page.index["run"])),
        style=style,
        script=script,
        page_links=page_links,
        noun=LINKED_PAGES[page.linked].noun,
        search=page.search,
        blobs=_blobs(page),
        **page.values,
    )
    return (part.encode("utf-8") for part in parts)


def _blobs(page: Page) -> Iterator[_Blob]:
    yield _Blob("index", _compressed(json.dumps(page.index, separators=(",", ":"))))
    for number, chunk in enumerate(page.chunks):
        yield _Blob(f"chunk-{number}", _compressed(chunk))


def _compressed(text: str) -> str:
    # 6,000 problems, 184,000 verdicts: 161 MB of artefacts, 68 MB as compact JSON, are 10.9 MB of base64 at
    # level 6 (1.0 s) and 10.7 MB at level 9 (1.9 s); a browser shows the list in 0.6 s, a problem in 0.1 s.
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


def _links(written: Iterable[str], name: str) -> Markup:
    link = Markup('<a class="beside" data-noun="{}" href="{}">{}</a>')
    pages = [(other, LINKED_PAGES[other]) for other in written if other != name]
    links = Markup().join(link.format(page.noun, other, page.title) for other, page in pages)
    return Markup('<span id="beside" class="pages">{}</span>').format(links) if links else _NO_LINKS


def _replace(path: Path, parts: Iterable[bytes]) -> None:
    with NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.stem}-", delete=False) as page:
        unfinished = Path(page.name)
        try:
            for part in parts:
                page.write(part)
        except BaseException:  # an interrupt, too, leaves no half page
            with suppress(OSError):
                unfinished.unlink()
            raise
    unfinished.chmod(0o644)
    unfinished.replace(path)


def asset(name: str) -> str:
    """Return the text of a script or style of the pages."""
    return (files("reports") / "html" / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"

"""Self-contained HTML pages, which load nothing from the network and never execute data, and the files that a long list is divided into."""

import base64
import hashlib
import json
import re
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.solution.labels import FINAL_ANSWER
from harness.store.run_folder import write_lines
from harness.text.characters import one_line, printable, spaced
from reports.views.artefacts import SealedStage
from reports.views.phrases import pair_of
from reports.views.tables import plain, value_text

LINKED_PAGES = {
    "funnel.html": ("step", "Funnel"),
    "index.html": ("problem", "Formalizations"),
    "traces.html": ("trace", "Traces"),
    "flaws.html": ("flaw", "Flaws"),
    "variants.html": ("variant", "Variants"),
    "labels.html": ("label", "Labels"),
    "verifier.html": ("item", "Verifier"),
    "compare.html": ("change", "Comparison"),
    "constraints.html": ("constraint problem", "Constraint problems"),
}
"""The pages of a run by file name: the noun of their items, and the title of their links. A page links those that are written; they are changed to link it."""
_NO_LINKS = Markup('<span id="beside" hidden></span>')
_LINKS = '<span id="beside"'
CHUNK = 32
"""Items a chunk: the page unpacks a chunk in 10 ms when an item is opened; zlib looks back 32 kB only."""
Row = list[Any]
dump_compact = json.JSONEncoder(separators=(",", ":")).encode

_TEMPLATES = Environment(
    loader=PackageLoader("reports", "html/templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_TEMPLATES.globals["zip"] = zip
_TEMPLATES.filters |= {
    "brief": lambda text: one_line(text, limit=80),
    "spaced": spaced,
    "printable": printable,
    "plain": plain,
    "pair": pair_of,
    "shown": lambda value: printable(value_text(value)),
    "sentence": lambda text: f"{text[:1].upper()}{text[1:].removesuffix('.')}.",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One of the files that a long list is divided into: the place of its first item, and the one after its last."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page: a file of `LINKED_PAGES`, or a further file of its list.

    The page reads `index` when it opens, and one of `items`, JSON texts, when an item is opened. `search` is the placeholder of the
    search field; `scripts` follow `page.js`, `styles` `report.css`; `values` are the variables of the template; `parts` are the files
    of its list, where it is divided.
    """

    name: str
    template: str
    index: Mapping[str, Any]
    search: str = ""
    items: Iterable[str] = ()
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    parts: Sequence[Part] = ()

    @property
    def linked(self) -> str:
        """Return the name of the linked page that it is, or that it continues."""
        return self.parts[0].name if self.parts else self.name


def divided(name: str, count: int, most: int) -> list[Part]:
    """Return the files of a list: `flaws.html`, `flaws-2.html` and so on, of at most `most` items each."""
    stem = name.removesuffix(".html")
    return [
        Part(f"{stem}-{number}.html" if number > 1 else name, start, min(start + most, count))
        for number, start in enumerate(range(0, max(count, 1), most), start=1)
    ]


def run_facts(stage: SealedStage) -> dict[str, Any]:
    """Return the fields of the index that all pages share: the run, its seed, versions and options, and the glossary."""
    return {
        "run": stage.run.name,
        "seed": stage.manifest.get("seed"),
        "versions": stage.manifest.get("versions") or {},
        "options": stage.manifest.get("options") or {},
        "chunk": CHUNK,
        "glossary": tooltips(),
    }


@cache
def glossary() -> list[dict[str, Any]]:
    """Return the terms in the order of the manual: each with its `meaning` and, where it has other forms, `also` these."""
    terms: list[dict[str, Any]] = tomllib.loads(
        (files("reports") / "views" / "glossary.toml").read_text(encoding="utf-8")
    )["terms"]
    return terms


def tooltips() -> dict[str, str]:
    """Return the meaning of each form of each term, without marks of code; the forms are in lower case."""
    return {
        form.lower(): entry["meaning"].replace("`", "")
        for entry in glossary()
        for form in (entry["term"], *entry.get("also", ()))
    }


def numbered_lines(lines: Iterable[str], answer: str | None, before: int) -> list[Row]:
    """Return the lines of a solution with their names, the answer after as many of them."""
    rows: list[Row] = [[f"L{number}", line] for number, line in enumerate(lines, start=1)]
    if answer is not None:
        rows.insert(before, [FINAL_ANSWER, answer])
    return rows


def write_page(run: Path, page: Page) -> Path:
    """Write a page into `run/report` and return its path.

    The page is replaced atomically: a reader finds the old page or the new one, whole.
    """
    path = run / "report" / page.name
    path.parent.mkdir(exist_ok=True)
    written = [name for name in LINKED_PAGES if name == page.linked or (path.parent / name).is_file()]
    write_lines(path, _page_parts(page, _links(written, page.linked)))
    for name in written:
        if name != page.linked:
            # The links stand in the masthead, before all data: the first match is theirs.
            for file in (path.parent / name, *_continued(path.parent / name)):
                text = file.read_bytes().decode()
                head, mark, rest = text.partition(_LINKS)
                linked = f"{head}{_links(written, name)}{rest.partition('</span>')[2]}"
                if mark and linked != text:
                    write_lines(file, [linked])
    return path


def write_parts(run: Path, pages: Iterable[Page]) -> Path:
    """Write the files of a divided list, remove those of a longer list before it, and return the path of the first."""
    written = [write_page(run, page) for page in pages]
    for path in _continued(written[0]):
        if path not in written:
            path.unlink()
    return written[0]


def asset(name: str) -> str:
    """Return the text of a script or style of the pages."""
    return (files("reports") / "html" / "assets" / name).read_text(encoding="utf-8")


def _continued(page: Path) -> list[Path]:
    """Return the further pages of a linked one, `flaws-2.html` of `flaws.html`."""
    number = re.compile(rf"{re.escape(page.stem)}-\d+")
    return sorted(file for file in page.parent.glob(f"{page.stem}-*.html") if number.fullmatch(file.stem))


def _page_parts(page: Page, page_links: Markup) -> Iterator[str]:
    style = "".join(map(asset, ("report.css", *page.styles)))
    script = "".join(map(asset, ("dom.js", "address.js", "csv.js", "page.js", *page.scripts)))
    # Only this style and this script run; no request leaves the page, and no string becomes markup
    # (Trusted Types without a policy).
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        f"trusted-types 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    return _TEMPLATES.get_template(page.template).generate(
        policy=policy,
        title=one_line(str(page.index["run"])),
        style=style,
        script=script,
        page_links=page_links,
        noun=LINKED_PAGES[page.linked][0],
        search=page.search,
        blobs=_blobs(page),
        parts=page.parts if len(page.parts) > 1 else (),
        part=page.name,
        **page.values,
    )


def _blobs(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the ids and the base64 of the index and of the chunks of items."""
    yield "index", _compressed(dump_compact(page.index))
    items, number = iter(page.items), 0
    while chunk := list(islice(items, CHUNK)):
        yield f"chunk-{number}", _compressed(f"[{','.join(chunk)}]")
        number += 1


def _compressed(text: str) -> str:
    # 300 problems with 14,700 verdicts are 1.1 MB of base64; level 9 takes twice as long as level 6 and saves 2%.
    return base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii")


def _links(written: Iterable[str], name: str) -> Markup:
    link = Markup('<a class="beside" data-noun="{}" href="{}">{}</a>')
    nouns = [(LINKED_PAGES[other][0], other, LINKED_PAGES[other][1]) for other in written if other != name]
    links = Markup().join(link.format(*fields) for fields in nouns)
    return Markup('<span id="beside" class="pages">{}</span>').format(links) if links else _NO_LINKS


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"

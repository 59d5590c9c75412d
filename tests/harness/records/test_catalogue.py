"""The page of file formats and the record classes that it documents."""

from harness.paths import ROOT
from harness.records.catalogue import FILES, format_page, record_schemas
from harness.stages import STAGES
from tests.cases import cases


def test_the_page_says_what_the_record_classes_say() -> None:
    """`oracle-factory docs formats -o docs/file-formats.md` changes nothing."""
    assert (ROOT / "docs" / "file-formats.md").read_text(encoding="utf-8") == format_page()


@cases("name", sorted(record_schemas()))
def test_every_field_has_a_docstring(name: str) -> None:
    """Every field of a record class has a docstring, which is a sentence."""
    fields = record_schemas()[name].get("properties", {})
    assert all(part.get("description", "").endswith(".") for part in fields.values())


def test_the_files_that_a_report_needs_are_documented() -> None:
    """The files that a report needs are documented for each stage that pytest runs."""
    assert {f"{stage.name}/{name}" for stage in STAGES if stage.suite for name in stage.artefacts} <= FILES.keys()

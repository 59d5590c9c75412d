"""The base of the record types of other annotation tools, read strictly."""

from pydantic import BaseModel, ConfigDict


class StrictRecord(BaseModel):
    """A part of a record of another tool, read strictly."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

"""Common part of the statuses of matches and checks: their format and their writer."""

from __future__ import annotations

import json
import os
import socket
from functools import cache
from typing import Annotated

import psutil
from pydantic import BaseModel, ConfigDict, Field

from harness import __version__

Count = Annotated[int, Field(ge=0, le=10**15)]
"""A number of things. The bound keeps out numbers too large to divide or to print."""


class Record(BaseModel):
    """A part of a status. Unknown fields of later versions are left out."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Writer(Record):
    """The process that writes a status.

    `process_started` distinguishes it from a later process with the same id.
    """

    pid: Count
    process_started: float
    host: str
    version: str


@cache
def this_process() -> Writer:
    """The process that runs this code."""
    return Writer(
        pid=os.getpid(),
        process_started=psutil.Process().create_time(),
        host=socket.gethostname(),
        version=__version__,
    )


def as_text(status: BaseModel) -> str:
    """A status as JSON. Bytes that are not UTF-8 become question marks, since JSON readers refuse them."""
    text = json.dumps(status.model_dump(), separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")

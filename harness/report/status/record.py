"""The common part of the status files of runs and checks: the base model, the writing process, the JSON."""

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
"""A number of things. The upper bound guards the arithmetic and the pages against files from others."""


class Record(BaseModel):
    """Base class of the models of a status. Fields that this version does not know are ignored."""

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
    """Return what a status file says of its writer, for the process that runs this code."""
    return Writer(
        pid=os.getpid(),
        process_started=psutil.Process().create_time(),
        host=socket.gethostname(),
        version=__version__,
    )


def as_text(status: BaseModel) -> str:
    """A status as JSON. Bytes of a file name that are not UTF-8 become `?`: JSON readers refuse them."""
    text = json.dumps(status.model_dump(), separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")

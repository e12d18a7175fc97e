"""Safe access to files that other processes or users may write: atomic replacement, no symbolic links."""

from harness.files.atomic import (
    check_writable,
    remove_leftovers,
    replace_file,
    replace_link,
    replaced,
    sync_folder,
)
from harness.files.copying import copy_file
from harness.files.guarded import (
    READ_WRITE,
    UnsafeFileError,
    check_file,
    is_file,
    make_folder,
    move,
    open_file,
    opened_folder,
    read_file,
    remove_file,
    remove_folder,
)
from harness.files.named import read_named
from harness.files.timestamps import Stopwatch, epoch_seconds, local_now, timestamp
from refbot.errors import os_reason

__all__ = [
    "READ_WRITE",
    "Stopwatch",
    "UnsafeFileError",
    "check_file",
    "check_writable",
    "copy_file",
    "epoch_seconds",
    "is_file",
    "local_now",
    "make_folder",
    "move",
    "open_file",
    "opened_folder",
    "os_reason",
    "read_file",
    "read_named",
    "remove_file",
    "remove_folder",
    "remove_leftovers",
    "replace_file",
    "replace_link",
    "replaced",
    "sync_folder",
    "timestamp",
]

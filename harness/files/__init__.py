"""Files that several processes may write at once: each is replaced as a whole; stored moments. Layer 0."""

from harness.files.atomic import check_writable, refuse_links, remove_leftovers, replaced, sync_folder
from harness.files.errors import LinkedPathError
from harness.files.timestamps import Stopwatch, timestamp

__all__ = [
    "LinkedPathError",
    "Stopwatch",
    "check_writable",
    "refuse_links",
    "remove_leftovers",
    "replaced",
    "sync_folder",
    "timestamp",
]

"""Files that several processes may write at once: each is replaced as a whole; stored moments."""

from harness.files.atomic import check_writable, refuse_links, remove_leftovers, replaced, sync_folder
from harness.files.errors import LinkedPathError
from harness.files.timestamps import timestamp

__all__ = [
    "LinkedPathError",
    "check_writable",
    "refuse_links",
    "remove_leftovers",
    "replaced",
    "sync_folder",
    "timestamp",
]

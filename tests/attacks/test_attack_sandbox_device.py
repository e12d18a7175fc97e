"""A device in a visible folder, such as the /dev of another system: root needs no right to open it.

Before: devices were hidden in /dev only. After: no device opens, except the five in the sandbox's own /dev.
"""

import os
from pathlib import Path

import pytest

from tests.sandboxed import needs_sandbox, succeeds

pytestmark = [needs_sandbox, pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")]

OPEN = "os.close(os.open(target, os.O_RDWR))"


@pytest.mark.parametrize("own", [False, True])
def test_a_bot_opens_no_device(shown: Path, own: bool) -> None:
    device = shown / "null"
    try:
        os.mknod(device, 0o666 | 0o020000, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this root may make no device")
    if not succeeds(OPEN, str(device), user="root", sandbox=False):
        pytest.skip("devices do not work on this file system")
    assert not succeeds(OPEN, str(device), user="root", folder=shown if own else None)


def test_a_bot_makes_no_device(shown: Path) -> None:
    assert not succeeds("os.mknod('x', 0o020666, os.makedev(1, 3))", user="root", folder=shown)

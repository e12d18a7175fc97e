"""A set-user-id program in the bot's own folder: whoever runs it later has the rights of the user.

Before: a bot could make one there, also as root. After: no call sets these bits.
"""

from pathlib import Path

from tests.sandboxed import every_user, needs_sandbox, successes

pytestmark = needs_sandbox

WAYS = {
    "chmod": 'write("1", flags=os.O_WRONLY | os.O_CREAT)\nos.chmod("1", 0o4755)',
    "fchmod": 'os.fchmod(os.open("2", os.O_CREAT), 0o2755)',
    "fchmodat": 'call((268, 53), -100, b"1", 0o4755)',
    "fchmodat2": 'call(452, -100, b"1", 0o4755, 0)',
    "open": 'os.open("3", os.O_CREAT | os.O_WRONLY, 0o4755)',
    "open without a name": 'os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755)',
    "open and upper bits": 'call((257, 56), -100, b"4", os.O_CREAT | os.O_WRONLY, (1 << 32) | 0o4755)',
    "openat2": 'call(437, -100, b"5", struct.pack("QQQ", os.O_CREAT | os.O_WRONLY, 0o4755, 0), 24)',
    "mknod": 'os.mknod("6", 0o4755)',
    "mkdir": 'os.mkdir("7")\nos.chmod("7", 0o2755)',
}


@every_user
def test_a_bot_leaves_no_program_with_the_rights_of_the_user(shown: Path, user: str) -> None:
    assert successes(WAYS, user=user, folder=shown) == set()
    assert [path for path in shown.iterdir() if path.stat().st_mode & 0o6000] == []
    for path in shown.iterdir():
        path.rmdir() if path.is_dir() else path.unlink()
    assert len(successes(WAYS, user=user, folder=shown, sandbox=False)) >= len(WAYS) - 3


@every_user
def test_a_bot_makes_programs_without_these_bits(shown: Path, user: str) -> None:
    ways = {
        "chmod": 'write("a", flags=os.O_WRONLY | os.O_CREAT)\nos.chmod("a", 0o755)',
        "tmp": 'os.mkdir("b")',
    }
    ways["undefined mode"] = 'call((257, 56), -100, b"/", 0, 0o6777)'  # of a file that is not created
    assert successes(ways, user=user, folder=shown) == ways.keys()

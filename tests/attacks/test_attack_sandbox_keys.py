"""The keyrings of the user: a process inherits them, and the kernel has no namespace for them.

Before: a bot could read, add and revoke keys of the user's session. After: no call reaches a keyring.
"""

from tests.sandboxed import every_user, needs_sandbox, successes

pytestmark = needs_sandbox

WAYS = {
    "read the session keyring": "call((250, 219), 0, -3, 0)",  # keyctl(KEYCTL_GET_KEYRING_ID)
    "join a session": "call((250, 219), 1, None)",
    "add_key": "call((248, 217), b'user', b'conform-attack', b'x', 1, -2)",  # to its own process
    "request_key": "call((249, 218), b'user', b'conform-attack', None, -2)",
}


@every_user
def test_a_bot_reaches_no_keyring(user: str) -> None:
    assert successes(WAYS, user=user) == set()
    assert {"join a session", "add_key"} <= successes(WAYS, user=user, sandbox=False)

"""Sockets that need no connection: a datagram to a program of the user, a descriptor sent along with it.

Before: the pair of datagram sockets that was allowed could send to any socket in a visible folder, and
sockets to virtual machines (AF_VSOCK) do not belong to a network. After: there are pairs of streams only.
"""

import socket
from pathlib import Path

import pytest

from tests.sandboxed import every_user, needs_sandbox, succeeds, successes

pytestmark = needs_sandbox

PAIR = "one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
WAYS = {
    "datagram of a pair": PAIR + 'one.sendto(b"escaped", target)',
    "descriptor of a pair": PAIR + """
rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", os.open("/", os.O_RDONLY)))]
one.sendmsg([b"escaped"], rights, 0, target)
""",
    "connected pair": PAIR + 'one.connect(target)\none.send(b"escaped")',
    "raw type of a pair": 'socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)[0].sendto(b"escaped", target)',
    "stream to a name": 'socket.socketpair()[0].sendto(b"escaped", target)',
    "packets to a name": 'socket.socketpair(type=socket.SOCK_SEQPACKET)[0].connect(target)',
    "datagram": 'socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"escaped", target)',
}  # fmt: skip
FAMILIES = {
    "AF_VSOCK": (40, 1), "AF_NETLINK": (16, 3), "AF_ALG": (38, 5), "AF_INET": (2, 1), "AF_INET6": (10, 2),
}  # fmt: skip
"""Number and type of a socket of each family."""


@every_user
def test_a_bot_sends_nothing_to_a_program_of_the_user(shown: Path, user: str) -> None:
    name = shown / "s"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(name))
        listener.setblocking(False)
        name.chmod(0o777)
        assert successes(WAYS, str(name), user=user) == set()
        with pytest.raises(BlockingIOError):
            listener.recv(1)
        outside = successes(WAYS, str(name), user=user, sandbox=False)
        assert {"datagram of a pair", "descriptor of a pair", "connected pair", "datagram"} <= outside
        assert listener.recv(7) == b"escaped"


@every_user
def test_a_bot_has_no_socket_of_another_kind(user: str) -> None:
    ways = {f"socket {name}": f"socket.socket({number}, {kind})" for name, (number, kind) in FAMILIES.items()}
    ways |= {
        f"pair {name}": f"socket.socketpair({number}, {kind})" for name, (number, kind) in FAMILIES.items()
    }
    assert successes(ways, user=user) == set()
    assert {"socket AF_INET", "socket AF_NETLINK"} <= successes(ways, user=user, sandbox=False)


@every_user
def test_a_bot_passes_no_descriptors(user: str) -> None:
    """The kernel counts those on their way for each user: a bot could use up what other programs may send."""
    send = """
one, other = socket.socketpair()
one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", 0))])
"""
    assert succeeds(send, user=user, sandbox=False)
    assert not succeeds(send, user=user)


@every_user
def test_pairs_of_streams_work(user: str) -> None:
    assert succeeds(
        'one, other = socket.socketpair()\none.send(b"x")\nassert other.recv(1) == b"x"', user=user
    )

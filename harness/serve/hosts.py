"""The host names that the server answers to: a protection against DNS rebinding.

An attacker can let the name of his web site resolve to this machine. The requests of his page then have his
name in their Host header, and the server refuses them.
"""

from __future__ import annotations

import ipaddress
import re

LOCAL = "localhost"
_HOST = re.compile(r"(?:\[(?P<bracketed>[0-9A-Fa-f:.]+)\]|(?P<name>[^:\[\]]+))(?::\d*)?")


def is_loopback(address: str) -> bool:
    """Return True if only this machine reaches the address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == LOCAL


def is_allowed(host: str, address: str) -> bool:
    """Return True if a server that listens on `address` answers a request with this Host header.

    It answers to `localhost`, to `address`, and to any numeric IP address: DNS rebinding needs a name.
    """
    parts = _HOST.fullmatch(host)
    if parts is None:
        return False
    name = (parts["bracketed"] or parts["name"]).rstrip(".").lower()
    if name in (LOCAL, address.lower()):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

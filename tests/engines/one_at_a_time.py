"""The pure bot, of which one process can run at a time: `one_at_a_time.py NAME [options of pure_bot]`.

It holds a socket of that NAME, as others hold a port or a device, and ends with exit code 1 if it is taken.
"""

from __future__ import annotations

import socket
import sys

import pure_bot

if __name__ == "__main__":
    held = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        held.bind("\0" + sys.argv.pop(1))
    except OSError:
        sys.exit(1)
    pure_bot.main()

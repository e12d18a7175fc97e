"""An engine whose failures depend on what happened before, in this process or in an earlier one.

`forgetful.py MODE FILE`: MODE says when the command `trouble` fails; FILE remembers that it did.

always      it dies every time
after-name  it dies if this process was asked for its name before
once        it dies the first time that any process gets it, and never again
silent-once the same, with silence in place of death
silent      it never answers
slow        it answers after a second
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

SLOW = 1.0


def main() -> None:
    mode, memory = sys.argv[1], Path(sys.argv[2])
    named = False
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        named = named or words[0] == "name"
        if words[0] == "trouble":
            again = memory.exists()
            memory.touch()
            if mode == "always" or (mode == "after-name" and named) or (mode == "once" and not again):
                sys.exit(3)
            if mode == "silent" or (mode == "silent-once" and not again):
                time.sleep(3600)
            if mode == "slow":
                time.sleep(SLOW)
        print("=\n", flush=True)
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()

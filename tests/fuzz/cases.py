"""How many cases a fuzz test has: few in `make test`, CONFORM_FUZZ times as many in `make fuzz`."""

import os


def seeds(few: int) -> range:
    """The seeds of the cases."""
    return range(few * int(os.environ.get("CONFORM_FUZZ", "1")))

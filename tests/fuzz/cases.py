"""How many cases a fuzz test has: few in `make test`, CONFORM_FUZZ times as many in `make fuzz`."""

import os
from collections.abc import Callable

Cases = Callable[[int], range]
"""The fixture `cases`: from the number in `make test` to the seeds of the cases."""


def seeds(few: int) -> range:
    """The seeds of the cases."""
    return range(few * int(os.environ.get("CONFORM_FUZZ", "1")))

"""How much processor time an audit or a diagnosis may use."""

from __future__ import annotations

import time


class Allowance:
    """Processor time of this process, counted from the first result on.

    Before the first result kernels may have to be compiled: that takes longer than many an allowance.
    """

    def __init__(self, seconds: float | None) -> None:
        """`seconds`: what may be used; None: without a limit."""
        self._seconds = seconds
        self._began: float | None = None

    @property
    def limited(self) -> bool:
        """True if it can be used up."""
        return self._seconds is not None

    @property
    def used_up(self) -> bool:
        """True if nothing more is to be begun."""
        used = 0.0 if self._began is None else time.process_time() - self._began
        return self._seconds is not None and used >= self._seconds

    def count(self) -> None:
        """Count from now on. Only the first call has an effect."""
        if self._began is None:
            self._began = time.process_time()

"""Arrays in memory, in place of the registers of a GPU: `numba.cuda.local` for a CPU."""

from typing import Any

import numba
import numpy as np


@numba.njit
def array(count: int, dtype: Any) -> Any:
    return np.zeros(count, dtype)

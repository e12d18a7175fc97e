"""The interpreter of the tests, as a command line needs it."""

import shlex
import sys

PYTHON = shlex.quote(sys.executable)
"""Quoted: a clone may stand under a path with a blank."""

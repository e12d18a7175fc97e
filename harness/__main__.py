"""`python -m harness` is the command `conform`."""

from harness.cli import main

main()

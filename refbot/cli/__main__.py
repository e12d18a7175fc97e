"""`python -m refbot.cli` is the command `refbot`."""

from refbot.cli import main

main()

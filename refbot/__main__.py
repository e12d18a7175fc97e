"""`python -m refbot` is the command `refbot`."""

from refbot.cli import main

main()

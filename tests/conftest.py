"""What holds for all tests."""

import signal

# A shell without job control lets what it runs in the background ignore SIGINT, and every process started
# from there would inherit that: Ctrl-C could then not be tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

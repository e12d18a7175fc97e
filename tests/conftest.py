"""What holds for all tests."""

import signal

# A shell without job control lets what it runs in the background ignore SIGINT, which every process started from
# there would inherit: Ctrl-C could then not be tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

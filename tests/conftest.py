"""What holds for all tests."""

import signal

from hypothesis import HealthCheck, settings

# A shell without job control lets what it runs in the background ignore SIGINT, and every process started
# from there would inherit that: Ctrl-C could then not be tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

# On a busy machine single examples and their generation are slow. The only time limit of a test is pytest's.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")

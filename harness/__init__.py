"""conform: the conformance test harness for Monte-Carlo Go bots."""

__version__ = "1.0.0"

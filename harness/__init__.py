"""conform: the conformance test harness for Monte-Carlo Go bots."""

__version__ = "0.1.0"

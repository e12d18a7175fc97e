"""Tests of the checks themselves, on real and simulated bots that are known to be right or wrong."""

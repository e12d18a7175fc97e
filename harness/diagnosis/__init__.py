"""Diagnosis of a bot that deviates: evidence, signatures of the faults, likelihoods."""

"""What a bot that deviates behaves like: evidence, signatures of the faults, likelihoods."""

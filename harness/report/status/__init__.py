"""The status of running checks and runs: small files that `conform status` and `conform serve` read."""

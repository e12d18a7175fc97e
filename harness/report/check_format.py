"""The name of the format of `check --json`. A module of its own, for readers that need nothing else."""

FORMAT = "conform-check/1"

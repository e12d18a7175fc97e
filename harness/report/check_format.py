"""The name of the format of `check --json`, in a module without imports."""

FORMAT = "conform-check/1"

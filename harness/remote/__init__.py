"""Checks and explorations on the workers of a dask cluster."""

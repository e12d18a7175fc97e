"""Deliberate differences from the specification: faults, faults of the wire, harmless habits."""

"""Deliberate deviations of the reference bot: faults, harmless habits, and further options of playouts."""

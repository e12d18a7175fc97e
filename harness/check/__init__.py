"""One run of checks on one bot: procedures ask it, judges judge. The checks themselves are in `suite`."""

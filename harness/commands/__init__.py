"""How optional commands of GTP are observed and judged, and the state that a bot shows by its commands."""

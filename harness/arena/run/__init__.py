"""Playing the games of a run: workers, the coordinator, a cluster."""

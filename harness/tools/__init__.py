"""Programs that make the stored data of the checks: searches for positions, recordings. Not in the wheel."""

"""The checks: what a conforming bot must do."""

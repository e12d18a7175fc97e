"""The checks: what a conforming bot must do, how it is observed, how it is judged."""

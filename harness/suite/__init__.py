"""The checks: requirements on a bot, in `families`, and `registry`, the list of them all."""

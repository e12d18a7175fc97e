"""One run of checks over a bot: eligibility, number of playouts, search planner, runner."""

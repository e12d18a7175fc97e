"""How one bot is asked, and how its answers are judged. Knows no single check."""

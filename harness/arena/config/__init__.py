"""What is to be played: the config file, its openings, and whether it can be played here."""

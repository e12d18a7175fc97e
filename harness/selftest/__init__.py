"""The checks on bots that are known to be right or wrong."""

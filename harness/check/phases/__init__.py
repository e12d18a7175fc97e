"""The phases of a run of checks on one bot, their shared context, and the events that they yield."""

"""How something is observed: dialogues, conversations, searches at probes, a match."""

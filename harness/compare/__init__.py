"""Several bots and no reference: which of them differ."""

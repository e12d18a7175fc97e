"""Programs for a checkout: they make stored data, manual pages, the wheel and skeletons. Not in the wheel."""

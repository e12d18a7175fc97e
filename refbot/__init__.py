"""The reference bot: uniform playouts, all-moves-as-first, and the tools around them."""

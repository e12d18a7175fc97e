"""How fast playouts are, and what they return."""

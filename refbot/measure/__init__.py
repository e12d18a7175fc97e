"""Measures the speed and statistics of playouts, and prepares the kernels that they need."""

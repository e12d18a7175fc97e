"""The speed and the results of playouts, and the kernels that they need."""

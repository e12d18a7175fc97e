"""Uniform playouts on a GPU of NVIDIA: a game a thread, many positions in one launch."""

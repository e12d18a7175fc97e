"""Uniform playouts on an NVIDIA GPU: one game per thread, many positions in one launch."""

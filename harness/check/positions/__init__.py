"""Drawn boards that several families and procedures use."""

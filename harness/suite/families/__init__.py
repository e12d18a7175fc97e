"""The checks themselves, one module for each subject. No family imports another."""

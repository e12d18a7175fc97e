"""The JSON of checks: written, and read again."""

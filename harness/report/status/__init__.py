"""The status of checks and runs: small files that onlookers follow."""

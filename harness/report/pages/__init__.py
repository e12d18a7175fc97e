"""The documentation: pages that are written from the code, and access to the pages in the package."""

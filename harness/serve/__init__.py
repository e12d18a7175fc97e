"""What runs below a folder, and the live page that shows it."""

"""Reports as HTML pages. A page is one file that loads nothing; text from bots is always escaped."""

"""What the templates of pages print, a module a kind of page."""

"""What needs a library of its own, and is imported by nothing but its command."""

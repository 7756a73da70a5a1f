"""One module a service: how its pages are asked for, and what they hold."""

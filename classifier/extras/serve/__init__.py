"""The site on this machine while somebody works on it: served on loopback, rebuilt on change."""

"""Read, check and edit a taxonomy in YAML; parse and match its cues."""

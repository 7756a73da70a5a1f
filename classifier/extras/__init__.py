"""Commands that need additional libraries; no other part of Fieldguide imports them."""

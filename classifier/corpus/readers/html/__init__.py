"""Pages that people saved: arXiv, Hugging Face, JabRef, publishers."""

"""Evidence, features, the classifier and its decisions."""

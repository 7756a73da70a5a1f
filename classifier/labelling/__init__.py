"""The classifier: evidence, features, models and the labels that follow."""

"""`python -m classifier` is `fieldguide`."""

from classifier.cli import main

main()

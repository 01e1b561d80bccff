"""What the run prints on the terminal while it works."""

import sys


def say(sentence: str = "") -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()

"""`python -m guandan.cli`: the same as `guandan`."""

from guandan.cli import main

if __name__ == "__main__":
    main()

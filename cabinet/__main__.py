"""`python -m cabinet` and the `cabinet` command."""

from cabinet.cli import main

if __name__ == "__main__":
    main()

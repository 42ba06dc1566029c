"""`python -m cabinet` and the `cabinet` command."""

from cabinet.commands.main import main

if __name__ == "__main__":
    main()

"""Run the command line as `python -m rdpacct`."""

import sys

from rdpacct.cli import main

if __name__ == "__main__":
    sys.exit(main())

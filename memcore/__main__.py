"""`python -m memcore` is the command line."""

import sys

from memcore.cli import main

sys.exit(main())

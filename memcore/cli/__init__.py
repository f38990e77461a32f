"""The command line: the same acts as the pages, on the same functions.

This is an edge: only here and in the app are the clock and the environment read. Answers go to
stdout, progress and troubles to stderr. Exit codes: 0 done, 1 refused with a sentence, 2 wrong
usage, 3 only a part of a file could be read and that was not agreed to.
argparse was taken over click and typer: no dependency, and the tests call `main` as a shell does.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memcore.cli.commands import COMMANDS, main, parser

__all__ = ["COMMANDS", "main", "parser"]


def __getattr__(name: str) -> object:
    """Load the commands when they are asked for; the app uses other modules of this package."""
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from memcore.cli import commands  # on first use

    return getattr(commands, name)

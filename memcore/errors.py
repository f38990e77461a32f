"""The error tree: what can go wrong, by whose fault.

    MemcoreError
    ├── TranscriptError   the file cannot be read as a conversation (also a ValueError)
    ├── SettingsError     a number is outside its range (also a ValueError)
    ├── StoreError        not our database, another version, or no such run
    ├── SeamError         a part broke its promise
    └── ServerError       the model server did not answer in time, or not in its own format
        ├── ReplyError    it answered, but the reply is empty, cut, or not what was asked for
        ├── TooLongError  the request is longer than the model can read
        └── LateError     no reply came in time

A message says where, what, and what was expected, in one sentence.
It lists the values that would do, and never holds a key or a whole turn.
"""


class MemcoreError(Exception):
    """Anything that memcore refuses with a sentence for the user."""


class TranscriptError(MemcoreError, ValueError):
    """The file cannot be read as a conversation.

    Args:
        kind: one of the closed list of transcripts.md, such as `empty` or `bad_json`.
        message: where, what, and what was expected.
        file: the name of the file, without its folder.
        line: from 1, where known.
        column: from 1, where known.
        hint: what the user can do.
    """

    def __init__(  # noqa: PLR0913 - one argument for each fact that the page shows
        self,
        kind: str,
        message: str,
        *,
        file: str = "",
        line: int | None = None,
        column: int | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        place = ":".join(str(p) for p in (self.file, self.line, self.column) if p)
        words = f"{place}: {self.args[0]}" if place else str(self.args[0])
        return f"{words} {self.hint}".strip()


class SettingsError(MemcoreError, ValueError):
    """A number is outside its range."""


class StoreError(MemcoreError):
    """Not our database, another version, or no such row."""


class SeamError(MemcoreError):
    """A part broke its promise: its fault, not the caller's."""


class ServerError(MemcoreError):
    """The model server did not answer in time, or not in its own format."""


class ReplyError(ServerError):
    """The model server answered, but the reply is empty, cut, or not what was asked for."""


class TooLongError(ServerError):
    """The request is longer than the model can read."""


class LateError(ServerError):
    """No reply of the model server came in time."""

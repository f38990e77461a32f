"""What a format reader hands over: records as the file has them, not yet cleaned or placed.

Readers say what the file says; the rules that all formats share (cleaning, persons, order,
sessions, ids) are applied once, in `assemble`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from memcore.types import Attachment, Person, PersonKind, Question, Quote, Role, SaidTime, TurnId


class Order(StrEnum):
    """What decides the order of turns."""

    FILE = "file"
    """The file's own; a time that goes back is a warning."""
    TIME = "time"
    """Sorted by time, stably."""
    TIME_IF_ALL = "time_if_all"
    """Sorted by time where every turn has one, else the file's."""


@dataclass(frozen=True, slots=True)
class DraftTurn:
    """One record that carries words; `place` says where in the file it stands.

    `person` is a stable id of the format, empty where the label is all there is. `keep` holds a
    turn without words, since questions may cite it; without words `media` tells why.
    """

    label: str
    text: str
    place: str
    said: SaidTime = field(default_factory=SaidTime)
    source_id: str = ""
    key: str = ""
    person: str = ""
    kind: PersonKind = PersonKind.HUMAN
    role: Role = Role.PERSON
    caption: str = ""
    attachments: tuple[Attachment, ...] = ()
    quotes: tuple[Quote, ...] = ()
    reply_to: str = ""
    forwarded_from: str = ""
    direct_to: str = ""
    edited: bool = False
    speaker_guessed: bool = False
    keep: bool = False
    media: bool = False


@dataclass(frozen=True, slots=True)
class DraftSession:
    """One session of the file's own, or all of a file that has none.

    Without `started` the session begins with its first dated turn.
    """

    turns: tuple[DraftTurn, ...]
    source_id: str = ""
    title: str = ""
    started: SaidTime | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """One piece of evidence as cited: a source id, a place, or words that one turn holds."""

    raw: str
    place: TurnId | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """A question and what it cites: by words, or turns and sessions by their index.

    Indexes count the draft turns and draft sessions of the conversation from 0. An `exact` question
    was written by memcore: it cites places, and its other fields are taken word for word.
    """

    question: Question
    cited: tuple[Citation, ...] = ()
    turns: tuple[int, ...] = ()
    sessions: tuple[int, ...] = ()
    exact: bool = False


@dataclass(frozen=True, slots=True)
class DraftConversation:
    """One conversation of a file; `own` tells whether its sessions are the file's own."""

    title: str
    sessions: tuple[DraftSession, ...]
    file: str
    source_id: str = ""
    own: bool = False
    order: Order = Order.FILE
    owner: str = ""
    persons: tuple[Person, ...] = ()
    questions: tuple[DraftQuestion, ...] = ()
    format: str = ""

    @property
    def turns(self) -> tuple[DraftTurn, ...]:
        """All turns, in the order of the file."""
        return tuple(turn for session in self.sessions for turn in session.turns)

"""The closed lists of an import: why a record was skipped, what was assumed, why a file was refused.

Each code carries its sentence, so that the page, the command line and the documentation say the
same words. Enums were taken over a mapping: a code that is not in the list does not type-check.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Code(StrEnum):
    """A code with the sentence that explains it."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        """Return the member that prints as `value`."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member


class Skip(Code):
    """Why a record became no turn."""

    EMPTY_TEXT = "empty_text", "It holds no words."
    MEDIA_ONLY = (
        "media_only",
        "It is a picture, a voice message, a file or the like, without words.",
    )
    NOTICE = "notice", "The app wrote it, nobody said it."
    DELETED = "deleted", "It was deleted or unsent before the export."
    HIDDEN_CONTEXT = (
        "hidden_context",
        "A system prompt, profile or instruction the reader never saw.",
    )
    TOOL_CALL = "tool_call", "The assistant called a tool."
    TOOL_OUTPUT = "tool_output", "A tool answered the assistant."
    THINKING = "thinking", "The assistant's thoughts, which were no reply."
    OTHER_BRANCH = (
        "other_branch",
        "It lies on a branch that the last reader of the chat did not see.",
    )
    PLACEHOLDER = "placeholder", "A sentence that the exporter put in place of a block."
    PRINTED_TWICE = "printed_twice", "The export prints it a second time."
    ALREADY_STORED = "already_stored", "The workspace holds this turn already."
    EMPTY_CONVERSATION = "empty_conversation", "A conversation without a message."
    BAD_RECORD = "bad_record", "Its fields are missing or of the wrong type."
    OVER_LIMIT = "over_limit", "It is longer than one turn may be; nothing is ever cut."
    NOT_TRANSCRIPT = "not_transcript", "A file of the export that holds no talk."
    UNREADABLE_FILE = "unreadable_file", "A file of the export that cannot be read."
    UNSAFE_PATH = "unsafe_path", "An archive entry that is a link or points outside the archive."
    NOT_SELECTED = "not_selected", "It was left out on request."


def trusted(limit: str) -> str:
    """Return what to do about a file that is over a limit."""
    return f"If you trust the file, raise the limit `{limit}`."


FILE_SKIPS = frozenset({Skip.NOT_TRANSCRIPT, Skip.UNREADABLE_FILE, Skip.UNSAFE_PATH})
"""Skips that count files; they stay outside the sum of records."""


class Warn(Code):
    """What was assumed, mended or left open while reading."""

    ENCODING_GUESSED = "encoding_guessed", "The file does not say its encoding; it was guessed."
    UNDECODABLE_BYTES = "undecodable_bytes", "Bytes that the encoding lacks became U+FFFD."
    CHARACTERS_REPLACED = "characters_replaced", "NULs and half characters became U+FFFD."
    MOJIBAKE_REPAIRED = "mojibake_repaired", "Texts that had been decoded wrongly were mended."
    DATE_ORDER_AMBIGUOUS = "date_order_ambiguous", "Day and month could be read either way round."
    DATE_ORDER_MIXED = "date_order_mixed", "Dates impossible under the file's order stay undated."
    NO_DATE = "no_date", "The file names no date; one can be given with the start option."
    SOME_TIMES_MISSING = (
        "some_times_missing",
        "Some turns have no time, so the file's order was kept.",
    )
    BAD_TIME = "bad_time", "Times that could not be read were left missing."
    TIME_OUT_OF_RANGE = "time_out_of_range", "Times before 1990 or after 2100 were left missing."
    TIME_IN_FUTURE = "time_in_future", "Times later than the import by more than a day were kept."
    TIME_GOES_BACK = "time_goes_back", "The time goes backwards inside the file's own order."
    AMBIGUOUS_HOUR = "ambiguous_hour", "An hour that the clocks repeat; the first one was taken."
    UNKNOWN_DAYPART = "unknown_daypart", "An unknown word beside the hour; the hour is as written."
    OTHER_CALENDAR = "other_calendar", "Dates of another calendar were left missing."
    DUPLICATE_ID = "duplicate_id", "Ids that occur twice got ~2, ~3 and so on."
    NO_CURRENT_NODE = "no_current_node", "No branch is marked as current; the latest was taken."
    DANGLING_PARENT = (
        "dangling_parent",
        "A parent is missing or its own child; the walk ended there.",
    )
    RARE_SPEAKER = "rare_speaker", "Names met only once; they may be no speakers."
    MANY_SPEAKERS = "many_speakers", "So many names that some are likely no speakers."
    SPEAKER_GUESSED = "speaker_guessed", "Speakers that alternate were told apart by a guess."
    UNKNOWN_PHRASES = "unknown_phrases", "Repeated phrases in <…> were taken for media."
    CUES_LOST = "cues_lost", "The file has more timing lines than cues could be read."
    SESSION_WITHOUT_TURNS = "session_without_turns", "A dated session has no turns."
    POSSIBLE_RENAMED_COPY = "possible_renamed_copy", "Its turns are those of a stored conversation."
    TURN_CHANGED = "turn_changed", "A stored turn has another text or time in this file."
    TURN_MISSING = "turn_missing", "A stored turn is absent from this file."
    BAD_RECORDS = "bad_records", "More than half of the records could not be read."
    ORDER_CHANGED = "order_changed", "The records were sorted by time."
    EVIDENCE_REPAIRED = "evidence_repaired", "Evidence ids were mended."
    EVIDENCE_UNRESOLVED = "evidence_unresolved", "Evidence ids that name no turn."
    QUESTION_BEFORE_SESSION = (
        "question_before_session",
        "A question is dated before a session of the same day; nothing was dropped.",
    )


class Refusal(Code):
    """Why a whole file is refused: the kinds of TranscriptError."""

    EMPTY = "empty", "The file holds nothing."
    NO_TURNS = "no_turns", "Nobody says anything in it."
    BAD_JSON = "bad_json", "The JSON breaks."
    BAD_CSV = "bad_csv", "The table breaks."
    UNKNOWN_SHAPE = "unknown_shape", "It is valid JSON, but of no known shape."
    WRONG_SHAPE = "wrong_shape", "The file is not of the format that was asked for."
    AMBIGUOUS_FORMAT = "ambiguous_format", "Two formats fit equally well."
    TOO_DEEP = "too_deep", "The JSON is nested too deep."
    NUMBER_TOO_LONG = "number_too_long", "A number has too many digits."
    HTML_PAGE = "html_page", "It is a web page."
    NOT_TEXT = "not_text", "It is no text."
    TOO_LARGE = "too_large", "It is larger than the limit."
    TOO_MANY_FILES = "too_many_files", "The archive holds too many entries."
    ZIP_BOMB = "zip_bomb", "The archive unpacks to far more than its size."
    ZIP_DAMAGED = "zip_damaged", "The archive is damaged."
    ZIP_ENCRYPTED = "zip_encrypted", "The archive is locked with a password."
    PARTIAL_REFUSED = "partial_refused", "Only a part could be read, and that was not agreed to."
    NEEDS_MAPPING = "needs_mapping", "No column for speaker or text was recognised."
    UNSUPPORTED_VERSION = "unsupported_version", "The file's version is not known."
    BAD_ENCODING = "bad_encoding", "The forced encoding cannot decode the file."
    CANCELLED = "cancelled", "The import was stopped."

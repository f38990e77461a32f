"""The switches of an import on the page, each with its effect beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import date, datetime, time
from zoneinfo import available_timezones

import streamlit as st

from memcore.errors import MemcoreError
from memcore.transcripts import columns, generic_json, tables
from memcore.transcripts.codes import Skip, Warn
from memcore.transcripts.detect import NAMES
from memcore.transcripts.options import Limits, Options
from memcore.transcripts.sources import Source
from memcore.types import ImportReport, ReadResult
from memcore.views import import_rows
from memcore.views.messages import told
from pages import acts, cards, frame
from pages.frame import words

ENCODINGS = (
    "utf-8", "utf-16", "cp1252", "cp1250", "cp1251", "iso-8859-15", "gb18030", "big5",
    "shift_jis", "euc_kr",
)  # fmt: skip
ORDERS = ("dmy", "mdy", "ymd")
MOJIBAKE = ("auto", "on", "off")
RULES = ("own", "pause", "day", "none")
CALLS = frozenset({"vtt", "srt", "zoom_chat", "teams_text", "otter_text"})
PREVIEWED = 5 * 1024 * 1024
"""Up to this many bytes the files are read under each order of day and month, to compare."""


def name(of: str) -> str:
    """Return the key of a widget of this upload; the next upload begins with fresh ones."""
    return f"import_{frame.state().uploads}_{of}"


def _value(of: str) -> str:
    found: str | None = st.session_state.get(name(of))
    return found or ""


def options() -> Options:
    """Return the switches as they stand.

    Raises:
        SettingsError: if one has a value that cannot be.
    """
    rule = _value("session") or "own"
    hours = st.session_state.get(name("pause"), 6)
    pairs = ((role, _value(f"column_{role}")) for role in columns.ROLES)
    return Options(
        format=_value("format"),
        encoding=_value("encoding"),
        timezone=_value("zone"),
        date_order=_value("order"),
        session=f"pause:{hours}" if rule == "pause" else rule,
        start=_began(),
        columns=tuple((role, head) for role, head in pairs if head),
        as_sessions=bool(st.session_state.get(name("as_sessions"), False)),
        owner=_value("owner"),
        branches="all" if st.session_state.get(name("branches")) else "visible",
        mojibake=_value("mojibake") or "auto",
        limits=_limits(),
    )


def _began() -> str:
    day: date | None = st.session_state.get(name("start"))
    clock: time | None = st.session_state.get(name("start_clock"))
    if day is None:
        return ""
    return day.isoformat() if clock is None else f"{datetime.combine(day, clock):%Y-%m-%d %H:%M}"


def _limits() -> Limits:
    plain = Limits()
    found = {f.name: st.session_state.get(name(f"limit_{f.name}")) for f in fields(Limits)}
    return replace(plain, **{k: int(v) for k, v in found.items() if v})


def with_speakers(found: Options, pairs: tuple[tuple[str, str], ...]) -> Options:
    """Return the switches with other names for speakers."""
    return replace(found, speakers=pairs)


def draw(sources: tuple[Source, ...], result: ReadResult | None) -> None:
    """Draw all switches; without a result, what could not be read may be read another way."""
    _columns(sources, result)
    with st.expander(words("start.read_as"), expanded=result is None or _unsure(result)):
        left, right = st.columns(2)
        with left:
            _box("format", NAMES)
            _box("encoding", ENCODINGS, words("start.encoding_help"))
        with right:
            _box("zone", _zones(), words("start.zone_help"))
            if len(sources) > 1:
                st.toggle(words("start.as_sessions"), key=name("as_sessions"))
            _mojibake(result)
        if result is not None:
            _branches(result)
            _owner(result)
            _order(sources, result)
            _session(result)
    with st.expander(words("start.limits")):
        _limit_boxes()


def _owner(result: ReadResult) -> None:
    """Who "me" is, of those who speak; a name that no longer speaks is no choice."""
    labels = tuple(dict.fromkeys(p.label for c in result.conversations for p in c.persons))
    found = _value("owner")
    _box(
        "owner",
        labels if not found or found in labels else (*labels, found),
        words("start.owner_help"),
    )
    marked = import_rows.owners(result.conversations)
    if marked:
        st.caption(words("start.owner_found", names=", ".join(marked)))


def _branches(result: ReadResult) -> None:
    n = sum(c.n for c in result.report.skipped if c.name == Skip.OTHER_BRANCH.value)
    if n or st.session_state.get(name("branches")):
        st.toggle(words("start.branches"), key=name("branches"))
        if n:
            st.caption(words("start.branches_left", n=n))


def _mojibake(result: ReadResult | None) -> None:
    """How wrongly decoded letters are treated, with an offer where most look so."""
    st.selectbox(
        words("start.mojibake"),
        MOJIBAKE,
        key=name("mojibake"),
        format_func=lambda way: words(f"start.mojibake_{way}"),
    )
    if result is not None and _value("mojibake") != "on" and import_rows.mendable(result):
        st.warning(words("start.mojibake_offer"))


def _limit_boxes() -> None:
    st.caption(words("start.limits_note"))
    plain = Limits()
    for field in fields(Limits):
        st.number_input(
            words(f"start.limit_{field.name}"),
            min_value=1,
            value=None,
            step=1,
            placeholder=f"{getattr(plain, field.name):,}",
            key=name(f"limit_{field.name}"),
        )


def _unsure(result: ReadResult) -> bool:
    """Whether something was assumed that a switch decides: day and month could be either way."""
    return any(w.name == Warn.DATE_ORDER_AMBIGUOUS.value for w in result.report.warnings)


@st.cache_data
def _zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))


def _box(of: str, choices: Sequence[str], note: str | None = None) -> None:
    st.selectbox(
        words(f"start.{of}"),
        choices,
        index=None,
        key=name(of),
        placeholder=words("start.format_auto"),
        help=note,
    )


def _order(sources: tuple[Source, ...], result: ReadResult) -> None:
    found = result.report.date_order
    if not found.value and not _value("order"):
        return
    st.selectbox(
        words("start.order"),
        ORDERS,
        index=None,
        key=name("order"),
        format_func=lambda o: words(f"start.order_{o}"),
        placeholder=words("start.format_auto"),
    )
    if found.value:
        order = words(f"start.order_{found.value}")
        st.text(words("start.order_found", order=order, rule=told(found.rule)))
    if sum(s.size for s in sources) > PREVIEWED:
        for line in found.readings:
            st.text(line)
        return
    rows = [row for o in ORDERS if (row := _dates(sources, o)) is not None]
    cards.table(rows, key=name("orders"), alt=words("start.orders"), names="order")


def _dates(sources: tuple[Source, ...], order: str) -> import_rows.OrderRow | None:
    try:
        found = acts.read(sources, replace(options(), date_order=order))
    except MemcoreError:
        return None
    return import_rows.order(words(f"start.order_{order}"), found, frame.state().language)


def _session(result: ReadResult) -> None:
    st.selectbox(
        words("start.session"),
        RULES,
        key=name("session"),
        format_func=lambda rule: words(f"start.session_{rule}"),
    )
    if _value("session") != "pause":
        return
    st.slider(words("start.pause"), 1, 72, 6, key=name("pause"))
    rows = import_rows.pauses(result.conversations)
    cards.table(rows, key=name("pauses"), alt=words("start.pauses"), names="pause")


def date_asked(found: ImportReport) -> None:
    """Ask for the day of a call whose transcript names none."""
    undated = any(w.name == Warn.NO_DATE.value for w in found.warnings)
    call = any(part in CALLS for part in found.format.split(" + "))
    if not call or not (undated or st.session_state.get(name("start"))):
        return
    if undated:
        st.warning(words("start.date_missing"))
    day, clock = st.columns(2)
    with day:
        first = date(1970, 1, 1)
        st.date_input(words("start.date"), value=None, min_value=first, key=name("start"))
    with clock:
        st.time_input(words("start.clock"), value=None, key=name("start_clock"))


def _columns(sources: tuple[Source, ...], result: ReadResult | None) -> None:
    """The column mapper: open where the table's heads are not understood."""
    formats = (result.report.format if result else _value("format") or "csv").split(" + ")
    heads = tuple(dict.fromkeys(head for s in sources for head in _heads(s, formats) if head))
    if not heads:
        return
    with st.expander(words("start.columns"), expanded=result is None):
        st.caption(words("start.columns_note"))
        for role in columns.ROLES:
            _box(f"column_{role}", heads)


def _heads(source: Source, formats: Sequence[str]) -> tuple[str, ...]:
    """Return the heads of a table, or the keys of records, that a mapping may name."""
    if "jsonl" in formats:
        return generic_json.heads(source)
    named = source.name.lower().endswith((".csv", ".tsv"))
    return tables.heads(source) if "csv" in formats and (named or _value("format")) else ()

"""The import report of an upload: what was understood, every switch, and Import at its end.

The switches are drawn under what they change, so their values are taken from the widgets' state
before the files are read. Nothing is stored before Import is pressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memcore.errors import MemcoreError
from memcore.store.again import Changed
from memcore.transcripts.choosing import keep
from memcore.transcripts.options import Options
from memcore.transcripts.sources import Source
from memcore.types import ReadResult
from memcore.views import import_rows
from pages import acts, cards, frame, import_switches
from pages.frame import words
from pages.import_switches import name

FEW = 5
"""So many conversations are shown without scrolling."""


def report(sources: tuple[Source, ...], summary: DeltaGenerator) -> None:
    """Read the files as the switches say, show what came of it, and offer to store it.

    What was understood is said in `summary`, beside the upload; the tables take the whole width.
    """
    with summary:
        st.subheader(words("start.understood"))
    above = st.container()
    try:
        options = import_switches.options()
        result = acts.read(sources, options)
    except MemcoreError as error:
        with summary:
            cards.problem(error)
        import_switches.draw(sources, None)
        return
    with above:
        result = talks(result)
        shown = named(sources, options, result)
    import_switches.draw(sources, result)
    if shown is None:
        return
    with summary:
        for line in import_rows.lines(shown.report, frame.state().language):
            st.text(line)
        import_switches.date_asked(shown.report)
    counts(shown)
    ends(shown)
    finish(shown)


def talks(result: ReadResult) -> ReadResult:
    """The conversations of the files; where there are several, all or some are chosen."""
    if len(result.conversations) < 2:
        return result
    language = frame.state().language
    rows = tuple(import_rows.talk(c, language) for c in result.conversations)
    picked = chosen(rows)
    head = words("start.talks", chosen=len(picked), n=len(rows))
    with st.expander(head, expanded=True):
        some = ("all", "some")
        st.radio(
            words("start.talks_which"),
            some,
            format_func=lambda way: words(f"start.talks_{way}"),
            key=name("talks_which"),
            horizontal=True,
        )
        if st.session_state[name("talks_which")] == "some":
            search(rows)
        else:
            table(rows, "talks_table", head)
    return keep(result, picked)


def table(rows: Sequence[import_rows.TalkRow], of: str, alt: str) -> None:
    """Conversations as rows; a long list scrolls."""
    height: int | Literal["auto"] = 220 if len(rows) > FEW else "auto"
    cards.table(rows, key=name(of), alt=alt, names="upload", height=height)


def chosen(rows: Sequence[import_rows.TalkRow]) -> frozenset[int]:
    """Return the places of the chosen conversations."""
    if st.session_state.get(name("talks_which"), "all") == "all":
        return frozenset(range(len(rows)))
    return frozenset(st.session_state.get(name("talks_chosen"), ()))


def search(rows: Sequence[import_rows.TalkRow]) -> None:
    """Search, all that was found, none, and the list of what is chosen."""
    text = st.text_input(words("start.talks_search"), key=name("talks_search"))
    found = import_rows.matching(rows, text)
    table([rows[n] for n in found], "talks_found", words("start.talks_search"))
    with st.container(horizontal=True):
        add = words("start.talks_add", n=len(found))
        st.button(add, key=name("talks_add"), on_click=_choose, args=(found,))
        none = words("start.talks_none")
        st.button(none, key=name("talks_clear"), on_click=_choose, args=(None,))
    st.multiselect(
        words("start.talks_chosen"),
        range(len(rows)),
        placeholder=words("frame.choose"),
        format_func=lambda n: import_rows.option(n, rows[n], frame.state().language),
        key=name("talks_chosen"),
    )


def _choose(found: Sequence[int] | None) -> None:
    before = st.session_state.get(name("talks_chosen"), ())
    st.session_state[name("talks_chosen")] = [] if found is None else sorted({*before, *found})


def named(sources: tuple[Source, ...], options: Options, result: ReadResult) -> ReadResult | None:
    """The speakers with their counts; the files are read anew where names were changed."""
    if not result.conversations:
        st.warning(words("start.talks_nobody"))
        return None
    rows = import_rows.speakers(result.report)
    with st.expander(words("start.speakers", n=len(rows)), expanded=len(rows) <= 12):
        st.caption(words("start.speakers_note"))
        edited = _edited(rows)
    pairs = import_rows.renames(result.report, edited)
    if not pairs:
        return result
    try:
        return again(sources, options, result, pairs)
    except MemcoreError as error:
        cards.problem(error)
        return None


def again(
    sources: tuple[Source, ...],
    options: Options,
    result: ReadResult,
    pairs: tuple[tuple[str, str], ...],
) -> ReadResult:
    """Return the files read with other names, and of them the conversations chosen before."""
    anew = acts.read(sources, import_switches.with_speakers(options, pairs))
    wanted = {(c.key, c.name, c.format) for c in result.conversations}
    places = [n for n, c in enumerate(anew.conversations) if (c.key, c.name, c.format) in wanted]
    return keep(anew, places)


def _edited(rows: Sequence[import_rows.SpeakerRow]) -> tuple[import_rows.SpeakerRow, ...]:
    mark = blake2b(repr(rows).encode(), digest_size=6).hexdigest()
    found = st.data_editor(
        cards.framed(rows),
        key=name(f"speakers_{mark}"),
        hide_index=True,
        disabled=("name", "turns"),
        column_config={c: words(f"speaker.{c}") for c in ("name", "turns", "shown_as", "struck")},
    )
    return tuple(
        import_rows.SpeakerRow(row.name, row.turns, str(shown or ""), bool(struck))
        for row, shown, struck in zip(rows, found["shown_as"], found["struck"], strict=True)
    )


def counts(result: ReadResult) -> None:
    """What was skipped, repaired and noted, counted, and the skipped records as a file."""
    found = import_rows.counts(result.report, frame.state().language)
    if found:
        st.markdown(words("start.skipped_head"))
        cards.table(found, key=name("counts"), alt=words("start.skipped"), names="count")
    if result.skipped:
        rows = import_rows.skipped(result.skipped, frame.state().language)
        total = sum(c.n for c in result.report.skipped)
        head = words("start.skipped_list", shown=len(rows), total=max(total, len(rows)))
        with st.expander(head):
            cards.table(rows, key=name("skipped"), alt=head, names="skip")
        st.download_button(
            words("start.download_skipped"),
            import_rows.skipped_csv(result.skipped),
            file_name="skipped.csv",
            mime="text/csv",
            on_click="ignore",
        )


def ends(result: ReadResult) -> None:
    """The first and last turns of the first conversations."""
    st.markdown(words("start.first_turns"))
    for n, conversation in enumerate(result.conversations[:3]):
        st.text(conversation.name)
        turns = import_rows.ends(conversation, frame.state().language)
        cards.table(turns, key=name(f"ends_{n}"), alt=conversation.name, names="end")


def finish(result: ReadResult) -> None:
    """What is stored already, what happens to changed turns, and Import."""
    changed = known(result)
    agreed = not result.report.partial or st.checkbox(words("start.partial"))
    n = len(result.conversations)
    label = words("start.import") if n == 1 else words("start.import_many", n=n)
    if st.button(label, type="primary", disabled=not agreed):
        acts.store(result, changed)


def known(result: ReadResult) -> Changed:
    """Say what the workspace holds already; return what is to happen to changed turns."""
    found = acts.compared(result)
    counted = found.again
    if not found.dialogues:
        return Changed.REPLACE
    if found.same:
        st.info(words("start.same", unchanged=counted.unchanged))
        if st.button(words("start.open_same"), key=name("open_same")):
            frame.state().uploads += 1
            frame.open_dialogue(found.dialogues[0])
            st.rerun()
        return Changed.REPLACE
    st.info(
        words(
            "start.grown",
            unchanged=counted.unchanged,
            appended=counted.appended,
            changed=counted.changed,
            missing=counted.missing,
        )
    )
    if not found.changed:
        return Changed.REPLACE
    rows = [import_rows.changed(c.stored, c.read) for c in found.changed]
    cards.table(rows, key=name("changed"), alt=words("start.changed"), names="changed")
    ways: dict[str, Changed] = {str(way): way for way in Changed}
    way = st.radio(
        words("start.changed"),
        tuple(ways),
        format_func=lambda way: words(f"start.changed_{way}"),
        key=name("changed_how"),
    )
    return ways[str(way)]

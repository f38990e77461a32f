"""A question of one's own kept as a test question, with the turns that answer it."""

from __future__ import annotations

import streamlit as st

from memcore.types import Memory, Question, Reply, TurnId
from pages import evaluating, frame
from pages.frame import words


def keep(memory: Memory, reply: Reply, known: Question | None) -> None:
    """The turns of the packet are offered, those of the answer chosen; any other can be added."""
    number = frame.state().dialogue
    if number is None:
        return
    cited = known.evidence_turns if known else turns_of(reply, cited=True)
    every = tuple(t.id for t in memory.conversation.turns)
    packed = turns_of(reply, cited=False)
    with st.expander(words("own.title"), icon=":material/bookmark_add:"):
        st.caption(words("own.help"))
        with st.form(f"own_{frame.state().run}", border=False):
            chosen = st.multiselect(
                words("own.turns"),
                tuple(dict.fromkeys((*packed, *every))),
                default=[t for t in cited if t in every],
                format_func=str,
                placeholder=words("frame.choose"),
            )
            answer = st.text_input(
                words("own.answer"), value=known.answer if known else "", max_chars=500
            )
            none = st.checkbox(words("own.unanswerable"))
            if st.form_submit_button(words("own.add")):
                turns = () if none else tuple(sorted(chosen))
                text, said = reply.trace.question, "" if none else answer
                asked_at = known.asked_at if known else Question("", "").asked_at
                wanted = Question("", text, answer=said, evidence_turns=turns, asked_at=asked_at)
                evaluating.keep_question(number, wanted)
                st.rerun()


def turns_of(reply: Reply, *, cited: bool) -> tuple[TurnId, ...]:
    """Return the turns of the packet, or of what the answer cites."""
    items = set(reply.answer.citations) if reply.answer else set()
    spans = (s for s in reply.context.spans if not cited or s.item in items)
    return tuple(dict.fromkeys(turn for span in spans for turn in span.sources))

"""Ask: a question, its answer with citations, and the evidence with its reasons."""

from __future__ import annotations

import streamlit as st

from memcore.types import Memory, Question, Reply, TurnId
from memcore.views import evidence, life, reading
from pages import acts, address, cards, frame, holdings, models, own_gold, trying
from pages.frame import words


def page() -> None:
    address.routed("ask")
    st.title(words("ask.title"))
    st.markdown(words("ask.purpose"))
    frame.notices()
    trying.setting_box()
    memory = holdings.memory(as_of=frame.state().as_of)
    if memory is None:
        cards.missing_memory("ask.empty")
        return
    known = holdings.questions()
    models.reader()
    form(memory, known)
    frame.notices()  # why a question was refused
    run = frame.state().run
    reply = holdings.reply(run) if run is not None else None
    if run is not None and reply is not None:
        found(run, reply, memory, known)
    else:
        samples(memory, known)


def samples(memory: Memory, known: tuple[Question, ...]) -> None:
    """Three questions to begin with, as buttons; their words may be the dialogue's, so escaped."""
    st.caption(words("ask.suggest"))
    for n, offered in enumerate(evidence.suggestions(memory, known)[:3]):
        if st.button(cards.literal(offered.text), key=f"sample_{n}"):
            acts.ask(memory, offered.text, evidence.gold_of(known, offered.text))
            st.rerun()


def form(memory: Memory, known: tuple[Question, ...]) -> None:
    """The question box; a chosen known question goes in its place."""
    offered = evidence.suggestions(memory, known)
    pick = st.selectbox(
        words("ask.known"),
        offered,
        index=None,
        format_func=lambda o: o.shown,
        placeholder=words("ask.pick"),
        key="ask_known",
    )
    with st.form("ask"):
        text = st.text_input(
            words("ask.question"),
            value=pick.text if pick else "",
            placeholder=words("ask.placeholder"),
            max_chars=2000,
        )
        with st.container(horizontal=True):
            ask = st.form_submit_button(words("ask.ask"), type="primary")
            only = st.form_submit_button(words("ask.retrieve"))
            again = st.form_submit_button(words("ask.again"), type="tertiary")
    if ask or only or again:
        acts.ask(memory, text, evidence.gold_of(known, text), read=not only, again=again)


def found(run: int, reply: Reply, memory: Memory, known: tuple[Question, ...]) -> None:
    """Answer, beats and evidence, all of one run."""
    cards.question(run, reply)
    cards.warnings(reply)
    models.local_instead(memory, reply, known)
    gold = evidence.gold_of(known, reply.trace.question)
    st.subheader(words("ask.answer"))
    cards.answer(reply)
    expected(gold)
    turns = gold.evidence_turns if gold and frame.state().gold else ()
    cards.strip(reply, life.counts(memory, reply, turns), turns)
    ways(run)
    st.subheader(words("ask.evidence"))
    told = evidence_cards(reply, memory)
    cards.selection(memory, reply, around=frame.state().selected not in told)
    refused = bool(reply.answer and reply.answer.refused)
    with st.expander(words("ask.near"), expanded=refused):
        near = evidence.near_misses(memory, reply)
        cards.table(near, key="near", alt=words("ask.near"), names="ledger", widths=cards.LEDGER)
    with st.expander(words("ask.packet")):
        st.code(reply.context.text, language=None, wrap_lines=True)
    own_gold.keep(memory, reply, gold)
    models.prompt(reply)
    models.spent(reply)


def ways(run: int) -> None:
    """On from an answer: to its steps, and to the answer of the retriever that was asked beside."""
    here = frame.state()
    beside = here.right if here.left == run else None
    row = next((r for r in holdings.all_runs(here.dialogue) if r.id == beside), None)
    with st.container(horizontal=True):
        if st.button(words("ask.step"), icon=":material/footprint:"):
            st.switch_page("pages/step.py")
        if row is None:
            return
        label = words("ask.compare", system=row.retriever, run=row.id)
        if st.button(label, icon=":material/compare_arrows:"):
            st.switch_page("pages/compare.py")


def expected(gold: Question | None) -> None:
    if gold is not None and frame.state().gold:
        st.caption(words("ask.gold_answer"))
        st.text(gold.answer or words("ask.unanswerable"))


def evidence_cards(reply: Reply, memory: Memory) -> frozenset[str]:
    """What the answer cites, each with its words and the reason why it is here; return their ids.

    A replaced value stands under the current one. What is selected, or cited by the selected
    sentence, is outlined; the selected card shows the turns around it.
    """
    found, lit = evidence.cards(memory, reply), cards.lit(reply)
    for card in found:
        with cards.outlined(card.id, lit):
            evidence_card(memory, card)
    return frozenset(card.id for card in found)


def evidence_card(memory: Memory, card: evidence.Card) -> None:
    """One piece of evidence: who and when, its words, what it replaced, why it is here."""
    with st.container(horizontal=True, vertical_alignment="center"):
        cards.chip(card.id, f"card_{card.id}")
        st.text(card.head)
        if card.cited:
            st.caption(words("ask.cited_by", ids=", ".join(card.cited)))
    spoken(memory, card)
    if card.before:
        st.text(card.before)
    why(card)


def spoken(memory: Memory, card: evidence.Card) -> None:
    """The words of a card; of the selected turn in a block between the turns around it."""
    if card.id != frame.state().selected or not card.id.startswith("D"):
        st.text(card.words)
        return
    before, after = reading.around(memory, TurnId.parse(card.id))
    cards.beside(before)
    st.code(card.words, language=None, wrap_lines=True)
    cards.beside(after)


def why(card: evidence.Card) -> None:
    """Why a card is here, and the way to the beat in which it entered."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(words("ask.why", why=card.why))
        label = words("ask.entered")
        if card.beat and st.button(label, key=f"why_{card.id}", type="tertiary"):
            frame.go(card.beat, card.stage)
            frame.select(card.id)
            st.switch_page("pages/step.py")


page()

"""Terminals against Eq. 7: top k by cosine, top k by BM25, each entry once."""

from __future__ import annotations

from dataclasses import replace

from memcore.evolution.facts import facts, lexical_keys
from memcore.evolution.terminals import dense, lexical, terminals
from memcore.settings import PAPER, SAFE, Settings
from memcore.types import EntryId, Placement, Reason
from tests.evolution.talk import after, entry, memory, trace
from tests.parts import FunctionEmbedder

ASKED = FunctionEmbedder(lambda _text: (1.0, 0.0))
# cosines with the question (1, 0): 1, 0.8, 0.6, 0
ROWS = [(1.0, 0.0), (0.8, 0.6), (0.6, 0.8), (0.0, 1.0)]
TEXTS = ["Ana grows roses.", "Bo likes tea.", "Ana drinks tea and tea.", "Cy sells tea lamps."]
ENTRIES = [
    entry(n, text, f"D{n}:1", persons=(text.split()[0].casefold(),), keywords=())
    for n, text in enumerate(TEXTS, 1)
]
MEMORY = memory(ENTRIES, ROWS)


def kept(found):
    return [(c.item.n, c.channel) for c in found.candidates]


def test_the_best_by_cosine_and_the_best_by_bm25_are_joined_without_doubles():
    settings = Settings(semantic_k=2, lexical_k=2)
    known = facts(MEMORY, settings)
    asked = trace("Who likes tea?", settings)
    found = after(asked, dense(known, ASKED), lexical(known), terminals, memory=MEMORY)
    # by cosine E1 and E2. Keys of the question: like, tea. Only E2 holds "like"; of E3 and E4
    # E3 says "tea" twice: E2, E3
    assert kept(found) == [(2, "dense"), (1, "dense"), (3, "lexical")]
    (double,) = found.steps[-1].dropped
    assert (double.item, double.reason, double.channel) == (EntryId(2), Reason.DUPLICATE, "lexical")


def test_the_union_is_ranked_by_reciprocal_rank_fusion():
    settings = Settings(semantic_k=2, lexical_k=2)
    known = facts(MEMORY, settings)
    asked = trace("Who likes tea?", settings)
    found = after(asked, dense(known, ASKED), lexical(known), terminals, memory=MEMORY).candidates
    # cosine: E1, E2; BM25: E2, E3. E2 has 1/62 + 1/61, E1 has 1/61, E3 has 1/62
    assert [(c.item.n, c.score) for c in found] == [(2, 0.032522), (1, 0.016393), (3, 0.016129)]
    assert found[0].placements == (Placement("dense", 2), Placement("lexical", 1))
    assert all(c.terms == () for c in found)


def test_in_the_paper_preset_the_list_by_cosine_comes_first():
    settings = replace(PAPER, semantic_k=2, lexical_k=2)
    known = facts(MEMORY, settings)
    asked = trace("Who likes tea?", settings)
    found = after(asked, dense(known, ASKED), lexical(known), terminals, memory=MEMORY)
    assert kept(found) == [(1, "dense"), (2, "dense"), (3, "lexical")]


def test_what_was_just_below_is_listed_with_its_rank_and_the_tail_is_counted():
    settings = Settings(semantic_k=1, collect_k=2)
    known = facts(MEMORY, settings)
    (step,) = after(trace(settings=settings), dense(known, ASKED), memory=MEMORY).steps
    assert [(d.item.n, d.value, d.limit) for d in step.dropped] == [(2, 2, 1)]
    assert [(r.count, r.value, r.limit) for r in step.rest] == [(2, 0.6, 1.0)]


def test_an_entry_about_another_person_loses_a_share_as_a_negative_term():
    settings = Settings(semantic_k=4, other_person_factor=0.5)
    known = facts(MEMORY, settings)
    asked = trace("x", settings, subject="Ana")
    found = after(asked, dense(known, ASKED), memory=MEMORY).candidates
    # E2: 0.8 - 0.4; E3 keeps its 0.6 and passes it
    assert [(c.item.n, c.score) for c in found] == [(1, 1.0), (3, 0.6), (2, 0.4), (4, 0.0)]
    assert [(t.name, t.amount) for t in found[2].terms] == [("cosine", 0.8), ("other_person", -0.4)]


def test_lexical_terms_add_up_to_the_score():
    known = facts(MEMORY, SAFE)
    found = after(trace("Who likes tea lamps?"), lexical(known), memory=MEMORY).candidates
    assert {t.name for c in found for t in c.terms} == {"key"}
    assert {t.source.key for c in found for t in c.terms} == {"like", "tea", "lamp"}
    assert all(c.score == round(sum(t.amount for t in c.terms), 6) for c in found)


def test_later_sessions_are_unknown_as_of_an_earlier_one():
    known = facts(MEMORY, SAFE)
    asked = replace(trace("tea"), as_of=2)
    found = after(asked, dense(known, ASKED), lexical(known), terminals, memory=MEMORY)
    assert kept(found) == [(2, "dense"), (1, "dense")]


def test_equal_scores_keep_the_order_of_the_entries():
    same = memory(ENTRIES)
    known = facts(same, Settings(semantic_k=2))
    assert kept(after(trace(), dense(known, ASKED), memory=same)) == [(1, "dense"), (2, "dense")]


def test_an_empty_memory_gives_nothing():
    empty = memory(())
    known = facts(empty, SAFE)
    found = after(trace("tea"), dense(known, ASKED), lexical(known), terminals, memory=empty)
    assert found.candidates == ()


def test_chinese_words_are_keys():
    assert "北京" in lexical_keys("安娜去了北京")


def test_a_word_inside_a_longer_chinese_word_is_a_key_too():
    assert "圣诞" in lexical_keys("圣诞节")

"""Chinese words that share a character, by hand; the annotator here takes blank-separated words."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest

from memcore.retrieval.best import best_lexical
from memcore.retrieval.edgemem import edgemem
from memcore.retrieval.listing import ranked_list
from memcore.retrieval.loop import retrieve
from memcore.types import Anchor, AnchorKind, TurnId
from tests.retrieval.small import ALL_KEYS, PARTS, remembered, talk

DANCE = talk("安娜: 学习 舞蹈\n李雷: 喝茶", "李雷: 跑步")
BARE = replace(
    ALL_KEYS, session_weight=0.0, told_weight=0.0, neighbour_weight=0.0, neighbour_weight_2=0.0
)


def core(conversation, question, settings):
    *_, whole = retrieve(edgemem(remembered(conversation), settings, PARTS), question)
    return next(s for s in whole.steps if s.name == "core").entered


def test_a_shared_character_is_a_term_owed_to_the_word_of_the_turn():
    (found,) = core(DANCE, "跳舞", BARE)
    word = Anchor(AnchorKind.LEXICAL, "舞蹈")
    # The only match is the maximum, so it counts 1.
    assert found.item == TurnId(1, 1)
    assert [(t.name, t.amount, t.source) for t in found.terms] == [("character", 1.0, word)]


def test_a_whole_word_counts_its_characters_beside_it_by_their_weight():
    both = talk("安娜: 跳舞\n李雷: 舞蹈", "李雷: 跑步")
    first, second = core(both, "跳舞", replace(BARE, character_weight=0.5))
    # 3 turns of one word of two characters. 跳舞 and 跳 are in one turn, 舞 in two.
    one, two = log(1 + 2.5 / 1.5), log(1 + 1.5 / 2.5)
    assert (first.item, second.item) == (TurnId(1, 1), TurnId(1, 2))
    assert second.score == pytest.approx(0.5 * two / (one + 0.5 * (one + two)), abs=1e-6)


def test_without_weight_a_character_joins_nothing():
    assert core(DANCE, "跳舞", replace(BARE, character_weight=0.0)) == ()


def test_a_character_in_too_many_turns_scores_nothing():
    many = talk("安娜: 舞蹈\n李雷: 舞台", "李雷: 跑步")
    # One key may be in a third of three turns, 舞 is in two.
    assert core(many, "跳舞", replace(BARE, key_share=1 / 3)) == ()


def test_a_character_that_is_a_small_word_joins_nothing():
    assert core(talk("安娜: 不同\n李雷: 喝茶"), "不安", BARE) == ()


def test_the_weighted_sum_lists_turns_that_share_characters_only():
    ready = best_lexical(remembered(DANCE), ALL_KEYS, PARTS)
    assert ranked_list(ready, "跳舞", None)[0] == TurnId(1, 1)

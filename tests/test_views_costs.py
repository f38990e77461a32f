"""Rows and lines on what models cost."""

from __future__ import annotations

from memcore.prices import parse
from memcore.store.spending import Spent
from memcore.types import Answer, Estimate, Extraction, TurnId, Usage
from memcore.views import costs

ANSWER = Answer("Porto", prompt="Where does she live", reader="m (answer-1)", usage=Usage(1, 9, 2))


def test_an_answer_and_the_whole_dialogue_are_priced():
    spent = (Spent("extraction", "m (extract-1)", Usage(4, 1_000_000, 0), 3.5),)
    found = costs.rows(ANSWER, spent, parse("EUR, m=2/1"))
    assert [(r.what, r.calls, r.prompt, r.answer, r.seconds, r.money) for r in found] == [
        ("this answer", 1, 9, 2, None, "0.0000 EUR"),
        ("facts of this dialogue", 4, 1_000_000, 0, 3.5, "2.0000 EUR"),
    ]


def test_an_answer_of_this_machine_has_no_row():
    assert costs.rows(Answer("Porto", reader="extractive"), (), parse("")) == ()
    assert costs.rows(None, (), parse("")) == ()


def test_without_a_price_the_row_says_so():
    assert costs.rows(ANSWER, (), parse(""))[0].money == "no price set"


def test_the_tokens_of_a_prompt_name_who_counted_them():
    # 4 words: ceil(1.3 * 4) = 6
    assert costs.prompt_line(ANSWER) == (
        "6 tokens by words1.3 (estimated), 9 counted by the tokenizer of m"
    )
    silent = Answer("", prompt="Where does she live")
    assert costs.prompt_line(silent) == "6 tokens by words1.3 (estimated)"


def test_an_estimate_is_one_line_with_the_money_where_a_price_is_set():
    estimate = Estimate(5, 4, 1_000_000, 0)
    assert costs.estimate_line(estimate, "m", parse("EUR, m=2/1")) == (
        "4 calls for 5 windows: about 1,000,000 tokens asked (words1.3) and 0 answered; "
        "about 2.0000 EUR"
    )
    assert "asks it nothing" in costs.estimate_line(Estimate(5, 0, 0, 0), "m", parse(""))


def test_windows_that_failed_are_listed_with_their_turns_and_why():
    whole = Extraction(TurnId(1, 1), TurnId(1, 9))
    lame = Extraction(
        TurnId(2, 1), TurnId(2, 9), failed=(TurnId(2, 1), TurnId(2, 2)), trouble="cut"
    )
    assert costs.failed((whole, lame)) == (costs.WindowRow("D2:1", "D2:9", "D2:1, D2:2", "cut"),)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcore.annotate.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("   \n ", 0),
        ("tea", 2),  # ceil(1.3)
        ("Ann: I like green tea", 7),  # 5 words, ceil(6.5)
        (" ".join(["tea"] * 10), 13),  # exactly 13, where a float product may exceed it
        ("你好", 2),
        ("你好，世界。", 6),  # four characters, two marks
        ("我 like 茶", 4),  # two characters, one word: 2 + ceil(1.3)
    ],
)
def test_a_text_counts_its_words_and_its_chinese_characters(text, expected):
    assert tokens(text) == expected


@given(st.text(), st.text())
def test_two_texts_together_cost_no_more_than_apart(first, second):
    assert tokens(f"{first}\n{second}") <= tokens(first) + tokens(second)

"""What is a name in Chinese: jieba's guesses are checked, nicknames lead to the speaker."""

from datetime import UTC, datetime

import pytest

from memcore.annotate.names import is_name, speaker_named
from memcore.annotate.pipelines import chinese
from memcore.annotate.rules import RulesAnnotator
from memcore.types import SaidTime, Turn, TurnId


def entities(text):
    said = SaidTime(datetime(2024, 1, 10, 12, tzinfo=UTC))
    turns = [
        Turn(TurnId(1, 1), "周远", text, said=said),
        Turn(TurnId(1, 2), "苏梅", "好", said=said),
    ]
    return RulesAnnotator().annotate(turns)[0].entities


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我对花生过敏。", ()),
        ("他宁可走路。", ()),
        ("那盏灯是钟先生的。", ()),
        ("雾里看不见。", ()),
        ("孙子和哥哥都在。", ()),
        ("周远走了七个小时。", ()),
        ("李小明去了北京。", ("北京", "李小明")),
    ],
)
def test_a_guessed_name_needs_a_surname(text, found):
    assert entities(text) == found


def test_a_speakers_name_is_never_cut():
    words = [w for w, _ in chinese("周远走了", ("周远", "苏梅"))]
    assert words == ["周远", "走", "了"]


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("老周", "周远"),
        ("阿远", "周远"),
        ("小远", "周远"),
        ("小梅", "苏梅"),
        ("小王", ""),
        ("老师", ""),
    ],
)
def test_a_nickname_holds_a_character_of_one_name(word, label):
    assert speaker_named(word, ("周远", "苏梅")) == label
    assert is_name(word, ("周远", "苏梅")) is bool(label)


def test_a_character_of_two_names_names_nobody():
    assert speaker_named("小梅", ("苏梅", "王梅")) == ""


def test_a_long_chinese_word_also_gives_the_words_inside_it():
    turn = Turn(TurnId(1, 1), "林", "我参加图书馆的比赛。")
    mentions = RulesAnnotator().annotate((turn,))[0].mentions
    # 图书馆 stands at 3 to 6; inside it 图书 and 书馆 are words of jieba's dictionary
    inside = [(m.start, m.end, m.key) for m in mentions if m.start >= 3 and m.end <= 6]
    assert inside == [(3, 5, "图书"), (3, 6, "图书馆"), (4, 6, "书馆")]

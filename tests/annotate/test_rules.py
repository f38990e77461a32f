from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.annotate.questions import analyse
from memcore.annotate.rules import RulesAnnotator
from memcore.types import AnchorKind, Mention, Precision, SaidTime, TimeKind, Turn, TurnId

SAID = SaidTime(
    datetime(2023, 5, 8, 13, 56, tzinfo=UTC), kind=TimeKind.LOCAL, precision=Precision.SESSION
)


def turn(n, text, speaker="Ann", caption="", said=SAID):
    return Turn(TurnId(1, n), speaker, text, caption=caption, said=said)


TURNS = (
    turn(1, "Hey Bob! I hiked in Sweden yesterday with Emma Watson."),
    turn(2, "Nice, Ann's friend Emma?", "Bob", caption="a photo of a red bike"),
    turn(3, "我上周三和李小明去了北京的故宫", "Ann"),
    turn(4, "?!", "Bob"),
    turn(5, "I saw it last week.", said=SaidTime()),
)


@pytest.fixture(scope="module")
def annotations():
    return RulesAnnotator().annotate(TURNS)


def test_every_turn_has_one_annotation_in_its_order(annotations):
    assert [a.turn for a in annotations] == [t.id for t in TURNS]


def test_every_span_lies_in_the_content(annotations):
    for t, a in zip(TURNS, annotations, strict=True):
        for found in (*a.mentions, *a.times):
            assert 0 <= found.start < found.end <= len(t.content)


def test_mentions_and_times_come_by_start(annotations):
    for a in annotations:
        assert list(a.mentions) == sorted(a.mentions)
        assert list(a.times) == sorted(a.times)


def test_entities_are_folded_and_speakers_are_none_of_them(annotations):
    assert annotations[0].entities == ("emma watson", "sweden")


def test_lexical_keys_are_stems_of_lemmas_and_captions_count(annotations):
    assert "hike" in annotations[0].lexical
    assert "bike" in annotations[1].lexical
    assert "red bike" in annotations[1].lexical


def test_a_mention_of_a_caption_is_placed_in_the_content(annotations):
    start = TURNS[1].content.index("bike")
    assert Mention(start, start + 4, AnchorKind.LEXICAL, "bike") in annotations[1].mentions


def test_a_time_is_resolved_against_the_time_of_the_talk(annotations):
    (found,) = annotations[0].times
    assert TURNS[0].content[found.start : found.end] == "yesterday"
    assert found.interval.start == datetime(2023, 5, 7, tzinfo=UTC)


def test_a_turn_without_a_date_resolves_nothing_relative(annotations):
    assert annotations[4].times == ()


def test_chinese_turns_have_names_words_and_times(annotations):
    found = annotations[2]
    assert found.language == "zh"
    assert found.entities == ("北京", "李小明")
    assert "故宫" in found.lexical
    assert [t.interval.start.day for t in found.times] == [3]  # Wednesday of the week before


def test_a_turn_of_marks_alone_has_no_mentions(annotations):
    assert annotations[3].mentions == ()


def test_no_turns_give_no_annotations():
    assert RulesAnnotator().annotate(()) == ()


def test_equal_turns_give_equal_annotations():
    assert RulesAnnotator().annotate(TURNS) == RulesAnnotator().annotate(TURNS)


def test_a_first_name_joins_the_one_full_name_of_its_turn():
    (found,) = RulesAnnotator().annotate(
        (turn(1, "I met Emma Watson in London. Emma was kind to me."),)
    )
    assert found.entities == ("emma watson", "london")
    entities = [m.key for m in found.mentions if m.kind is AnchorKind.ENTITY]
    assert entities == ["emma watson", "london", "emma watson"]


def test_a_name_of_two_persons_joins_neither():
    (found,) = RulesAnnotator().annotate(
        (turn(1, "I met Emma Watson and Emma Stone in London. Then Emma left for Paris."),)
    )
    assert {"emma", "emma stone", "emma watson"} <= set(found.entities)


def test_numbers_dates_and_money_are_no_entities():
    (found,) = RulesAnnotator().annotate(
        (turn(1, "On Friday the first of two men in Paris paid 20 dollars, about 5 percent."),)
    )
    assert found.entities == ("paris",)


def test_stop_words_and_pronouns_are_no_keys():
    (found,) = RulesAnnotator().annotate((turn(1, "Wow, it was the one that I had with them!"),))
    assert found.mentions == ()


def test_the_cut_into_batches_does_not_show(annotations):
    pairs = (TURNS[:2], TURNS[2:4], TURNS[3:])
    apart = [a for pair in pairs for a in RulesAnnotator().annotate(pair)]
    assert (*apart[:4], apart[5]) == annotations


@settings(max_examples=25)
@given(
    st.text(max_size=60), st.text(alphabet="去年我在北京上周三 Ann's may 7, 2023\n", max_size=40)
)
def test_whatever_is_said_spans_lie_inside_it(text, caption):
    said = turn(1, text, caption=caption)
    (found,) = RulesAnnotator().annotate((said,))
    spans = [(m.start, m.end) for m in (*found.mentions, *found.times)]
    assert all(0 <= start < end <= len(said.content) for start, end in spans)
    assert all(m.key == m.key.casefold() and m.key for m in found.mentions)


def test_beside_turns_of_the_speakers_a_chinese_name_is_not_cut():
    asked = analyse("李雷教什么？", None, ("李雷", "韩梅"), RulesAnnotator())
    assert [m.key for m in asked.mentions] == ["教"]

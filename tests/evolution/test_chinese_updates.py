"""What somebody gave up, or did otherwise later, replaces what was told before: in Chinese."""

from __future__ import annotations

import pytest

from memcore.annotate.rules import RulesAnnotator
from memcore.embedders.hashing import HashingEmbedder
from memcore.evolution.build import evolution
from memcore.evolution.extract import LocalExtractor
from memcore.seams import Parts
from memcore.settings import SAFE
from memcore.types import Change
from tests.evolution.talk import conversation, turn
from tests.parts import SilentReader


def graph(*texts: str):
    """The graph of one turn of 周远 a session, each answered by another speaker."""
    talk = conversation(
        *(turn(f"D{n}:1", text, 100 * n, "周远") for n, text in enumerate(texts, 1)),
        turn(f"D{len(texts) + 1}:1", "嗯。", 1000, "林夏"),
    )
    parts = Parts(HashingEmbedder(), RulesAnnotator(), LocalExtractor(), SilentReader())
    notes = parts.annotator.annotate(talk.turns)
    vectors = parts.embedder.encode([t.content for t in talk.turns])
    return evolution(talk, notes, vectors, parts, SAFE)[0]


@pytest.mark.parametrize(
    ("texts", "change"),
    [
        (("我弹吉他。", "我不弹吉他了。"), Change.NEGATION_DIFFERS),
        (("我每天喝咖啡。", "我把咖啡戒了。"), Change.NEGATION_DIFFERS),
        (("我抽烟。", "我戒烟了。"), Change.NEGATION_DIFFERS),
        (("我在银行上班。", "我不在银行上班了。"), Change.NEGATION_DIFFERS),
        (("我以前住在北京，现在住在上海。",), Change.PLACE_DIFFERS),
        (("我女儿今年五岁。", "我女儿六岁了。"), Change.NUMBER_DIFFERS),
    ],
)
def test_the_later_state_replaces_the_earlier(texts, change):
    found = graph(*texts)
    (edge,) = found.edges
    assert edge.supersedes
    assert [d.change for d in found.decisions if d.target is not None] == [change]


@pytest.mark.parametrize(
    "texts",
    [
        ("我弹吉他。", "我不弹钢琴。"),
        ("我喝咖啡。", "林夏不喝咖啡。"),
        ("我去了超市。", "我没去公园。"),
    ],
)
def test_another_thing_or_person_replaces_nothing(texts):
    assert graph(*texts).edges == ()

"""Chinese questions of many forms, answered from turns by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.annotate.rules import RulesAnnotator
from memcore.readers.extractive import ExtractiveReader
from tests.readers.packets import packet

REFUSED = "对话中没有提到。"
TURNS = (
    ("李雷", "2024-01-05", "我在北京教初中历史。"),
    ("韩梅", "2024-01-05", "我在银行上班。"),
    ("李雷", "2024-01-05", "校长送了我一台相机，还请我吃了面。"),
    ("韩梅", "2024-01-05", "我给你介绍一下我表妹王芳。"),
    ("韩梅", "2024-02-10", "我辞职了，下个月换地方。"),
    ("李雷", "2024-02-10", "我买了一条蓝围巾。"),
    ("韩梅", "2024-02-10", "盒子里放着爷爷的勋章。盒子是在车站买的。"),
    ("韩梅", "2024-03-02", "我在花店上班。"),
    ("李雷", "2024-03-02", "医生让我少走路。我今年五月不去泰山。"),
    ("韩梅", "2024-03-02", "城南的茶馆是老赵的儿子开的。"),
    ("李雷", "2024-03-02", "我爬了三个小时的楼梯，会唱两首歌。"),
    ("韩梅", "2024-03-02", "馆长把钟送给了人民剧场。"),
    ("韩梅", "2024-03-02", "今年七月我去大连看海。"),
)


@pytest.fixture(scope="module")
def reader() -> ExtractiveReader:
    return ExtractiveReader(RulesAnnotator())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("李雷在哪里教书？", "北京"),
        ("李雷教什么？", "初中历史"),
        ("谁送了李雷一台相机？", "校长"),
        ("王芳是韩梅的什么人？", "表妹"),
        ("韩梅什么时候辞职的？", "2024年2月10日"),
        ("李雷买了什么颜色的围巾？", "蓝"),
        ("李雷为什么不去泰山？", "医生让我少走路。"),
        ("茶馆是谁开的？", "老赵的儿子"),
        ("李雷爬楼梯爬了多久？", "三个小时"),
        ("李雷会唱几首歌？", "两首"),
        ("馆长把钟送给了谁？", "人民剧场"),
        ("韩梅今年七月要去哪里？", "大连"),
        ("韩梅在哪里上班？", "花店"),
        ("韩梅以前在哪里上班？", "银行"),
        ("韩梅是不是在银行上班？", "没有"),
        ("韩梅是不是在花店上班？", "是的"),
        ("韩梅喜欢喝咖啡吗？", REFUSED),
        ("勋章是谁的？", "爷爷"),
        ("李雷买了几条围巾？", "一条"),
        ("李雷养了几只猫？", REFUSED),
        ("韩梅的表妹是谁？", "王芳"),
        ("校长是谁？", "校长送了我一台相机，还请我吃了面。"),
    ],
)
def test_a_chinese_question_is_answered_in_few_words(reader, question, answer):
    assert (
        reader.read(
            question, replace(packet(*TURNS), asked_at=datetime(2024, 4, 1, tzinfo=UTC))
        ).text
        == answer
    )


def test_a_state_that_is_over_is_denied_with_both_sentences(reader):
    found = reader.read("韩梅是不是在银行上班？", packet(*TURNS))
    assert [str(c) for c in found.citations] == ["D1:8", "D1:2"]

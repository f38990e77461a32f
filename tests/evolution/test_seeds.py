"""Annotations and entries are the same under any hash seed: fresh processes, turns hard to read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from datetime import UTC, datetime
from memcore.annotate.rules import RulesAnnotator
from memcore.evolution.extract import LocalExtractor
from memcore.types import SaidTime, Turn, TurnId
LINES = (
    "My sister Ines, Tom and I moved from Lyon to Porto on 5 May, then to Ghent in June.",
    "She says Mrs Okafor, Peter Hale and Peter Novak met at Lyon Station on New Year's Eve.",
    "They were planning a trip to Rome, a party and a hike, but it is off.",
    "Did Tom call?", "No, but Ines did.", "What is your dog's name?", "Biscuit!",
    "I like tea, coffee, red wine, old maps, X-ray machines and the Golden Gate Bridge.",
    "One winter Elsa Brandt counted 412 ships; her cousin Stefan counted none.",
    "I might visit them if they want, maybe on Friday or the weekend after.",
    "You should try the Blue Cafe near Central Park with your kids.",
    "We are back! <b>Great</b> trip :) - milk\\n- eggs\\n- bread and butter",
    '"I sold the farm," he wrote. His wife did not know it.',
    "我四月和李小明、苏梅去黄山看日出。", "周远走了七个小时。", "你在哪里工作？", "书店。",
    "我对花生过敏，也不再喝奶茶了。", "老周和小远上周三取消了去北京的旅行。", "他哥哥住在厦门。",
)
turns = tuple(
    Turn(TurnId(1, n), ("周远", "Ana")[n % 2] if n > 13 else ("Ana", "Ben")[n % 2], text,
         "a red canoe on an old lake" if n % 7 == 0 else "",
         SaidTime(datetime(2024, 1, 10, 12, tzinfo=UTC)))
    for n, text in enumerate(LINES, 1)
)
notes = RulesAnnotator().annotate(turns)
print(ascii(notes))
print(ascii(LocalExtractor().extract(turns, notes, ())))
"""


def said_under(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
        env={"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"},
    )
    return done.stdout


def test_two_hash_seeds_give_the_same_annotations_and_entries() -> None:
    first = said_under("1")
    assert first.count("Entry(") > 20
    assert said_under("4711") == first

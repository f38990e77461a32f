"""What can be selected: read from a link, written into it, and what it lights in a run."""

from __future__ import annotations

import pytest

from memcore.settings import SAFE
from memcore.types import (
    Answer,
    Beat,
    Context,
    EntryId,
    Gap,
    GraphPath,
    Query,
    Reply,
    Sentence,
    Step,
    Trace,
    TurnId,
)
from memcore.views import selections

ONE, TWO, THREE = EntryId(1), EntryId(2), EntryId(3)
PATH, GAP = GraphPath((ONE, THREE)), Gap(ONE, THREE, 48.0, bridge=TWO)
STEPS = (
    Step("bridges", Beat.CONNECT, gaps=(GAP, Gap(TWO, THREE, None))),
    Step("paths", Beat.CONNECT, paths=(GraphPath((TWO, THREE)), PATH)),
    Step("serialize", Beat.PACK, paths=(PATH,)),
)
SAID = (Sentence("In Porto.", (TurnId(1, 2), TurnId(1, 2))), Sentence("I think."))
REPLY = Reply(
    Trace(Query("Where?"), "ariadnemem-safe", SAFE, steps=STEPS),
    Context("", (), 0),
    Answer("In Porto. I think.", SAID[0].citations, SAID),
)
KINDS = {
    "t.D4:6": "D4:6",
    "f.E12": "E12",
    "a.A412": "A412",
    "p.P3": "P3",
    "g.G2": "G2",
    "s.S1": "S1",
}
NONE = (
    *("", "t.", "t.D4", "t.D4:6 ", "t.D0:1", "t.d4:6", "f.D4:6", "p.E1", "g.G0", "s.S01", "x.X1"),
    *("s.S1;", "p.P٣", "t.D1:2:3", "D4:6", f"g.G{'9' * 40}"),
)


@pytest.mark.parametrize(("text", "item"), KINDS.items(), ids=KINDS)
def test_each_kind_is_read_and_written(text, item):
    assert (selections.read(text), selections.written(item)) == (item, text)


@pytest.mark.parametrize("text", NONE)
def test_what_is_of_no_form_selects_nothing(text):
    assert selections.read(text) == ""


LIT = {
    "a turn itself": ("D1:2", {"D1:2"}),
    "a path and its facts": ("P2", {"P2", "E1", "E3"}),
    "a gap, its ends and its bridge": ("G1", {"G1", "E1", "E2", "E3"}),
    "a gap without a bridge and its ends": ("G2", {"G2", "E2", "E3"}),
    "a sentence and what it cites": ("S1", {"S1", "D1:2"}),
    "an uncited sentence alone": ("S2", {"S2"}),
    "a path that the run has not alone": ("P3", {"P3"}),
    "nothing": ("", set()),
}


@pytest.mark.parametrize(("item", "lit"), LIT.values(), ids=LIT)
def test_a_selection_lights_what_it_is_made_of(item, lit):
    assert selections.lit(REPLY, item) == lit


def test_a_run_says_what_it_has_not():
    assert [selections.of_run(REPLY, i) for i in ("P3", "G3", "S3", "D1:2")] == [None] * 4
    assert selections.of_run(None, "P1") is None

"""Kept replies of a served model, and what models have cost."""

from __future__ import annotations

from pathlib import Path

from memcore.chat import Completion
from memcore.store import conversations, extractions, spending
from memcore.store.replies import KeptReplies
from memcore.store.schema import open_workspace
from memcore.store.spending import Spent
from memcore.types import Extraction, TurnId, Usage
from tests.test_pipeline import stored, talk

REPLY = Completion("Porto", 11, 7, cut=True)


def test_a_reply_comes_back_equal_and_belongs_to_its_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk())
    here, elsewhere = KeptReplies(path, number), KeptReplies(path, number + 1)
    assert here.find("k") is None
    here.keep("k", Completion("Rome"))
    here.keep("k", REPLY)
    assert here.find("k") == REPLY
    assert elsewhere.find("k") is None


def test_kept_replies_and_extractions_go_with_their_dialogue(tmp_path: Path) -> None:
    path = tmp_path / "memcore.db"
    with open_workspace(path) as db:
        number = stored(db, talk())
        extractions.keep(db, number, "m (extract-1)", Extraction(TurnId(1, 1), TurnId(1, 2)))
    KeptReplies(path, number).keep("k", REPLY)
    with open_workspace(path) as db:
        conversations.delete(db, number)
        assert (db.table("replies").count, db.table("extractions").count) == (0, 0)


def test_what_was_spent_is_summed_by_extractor_and_reader(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "memcore.db") as db:
        number = stored(db, talk())
        for turn, seconds in ((1, 1.5), (2, 2.0)):
            place = TurnId(1, turn)
            found = Extraction(place, place, usage=Usage(2, 10, 5), seconds=seconds)
            extractions.keep(db, number, "m (extract-1)", found)
        assert spending.spent(db, number) == (
            Spent("extraction", "m (extract-1)", Usage(4, 20, 10), 3.5),
        )

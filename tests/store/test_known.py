"""Which stored conversation a read one is, and which of one import stay apart."""

from __future__ import annotations

from tests.store.test_conversations import NOW, read, store, talk, words


def test_talks_of_one_import_that_begin_alike_stay_apart_and_are_known_again(db):
    short, long = talk("hi hello", key="", name="A"), talk("hi hello more", key="", name="B")
    for _ in range(2):  # the second import adds nothing
        assert store.save(db, read(short, long), NOW).dialogues == (1, 2)
        assert [words(store.load(db, n)) for n in (1, 2)] == [["hi hello"], ["hi hello more"]]
        assert len(store.listing(db)) == 2


def test_a_talk_given_twice_in_one_import_is_stored_once(db):
    one = talk("hi hello there", key="")
    saved = store.save(db, read(one, one), NOW)
    assert saved.dialogues == (1,)
    assert "possible_renamed_copy" in [w.name for w in saved.report.warnings]


def test_the_stored_talk_that_shares_most_turns_is_the_one(db):
    store.save(db, read(talk("a b c d", key=""), talk("a b c x y z", key="")), NOW)
    saved = store.save(db, read(talk("a b c x y z w", key="")), NOW)
    assert saved.dialogues == (2,)
    assert words(store.load(db, 2)) == ["a b c x y z w"]


def test_conversations_stored_one_by_one_are_as_those_stored_at_once(db):
    found = [talk("a b", key="k"), talk("c d", key=""), talk("a b e", key="k")]
    result = read(*found)
    each = store.save_each(db, ((c, ()) for c in found), lambda: result.report, NOW)
    assert each.dialogues == (1, 2)
    assert words(store.load(db, 1)) == ["a b e"]
    assert (each.report.again.new, each.report.again.appended) == (2, 1)
    before = [words(store.load(db, n)) for n in (1, 2)]
    preview = store.preview_each(db, ((c, ()) for c in found), lambda: result.report, NOW)
    assert preview.again.unchanged == 7
    assert [words(store.load(db, n)) for n in (1, 2)] == before

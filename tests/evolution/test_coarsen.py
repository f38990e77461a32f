"""Coarsening against Eq. 5-6 and the two tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from memcore.evolution.changes import Kinship, change, clocks, kinship, numbers, says_more
from memcore.evolution.coarsen import (
    AS_PRINTED,
    NEEDS_CHANGE,
    OF,
    Differs,
    Limits,
    Partner,
    decide,
    limits,
    overlap,
)
from memcore.settings import PAPER, SAFE
from memcore.types import Action, Change, Comparison, EntryId, Modality
from tests.evolution.talk import at, day, entry

PRINTED = Limits(0.7, 0.8, needs_change=False)
CHANGED = Limits(0.7, 0.8, needs_change=True)


def verdict(new, old, bounds, similarity=0.9):
    """Action, change and whether the old one is replaced, for one stored entry."""
    partners = [Partner(old, similarity)] if similarity > bounds.similarity else []
    nearest = [Comparison(old.id, similarity, overlap(new, old))]
    decision, edge = decide(new, partners, nearest, bounds)
    assert (edge is not None) == (decision.action is Action.LINK)
    return decision.action, decision.change, edge is not None and edge.supersedes


def keyed(n, words, **others):
    return entry(n, "Ana does it.", subject="ana", keywords=tuple(words.split()), **others)


def test_overlap_is_a_share_of_the_new_entrys_keywords():
    new, old = keyed(2, "a b c d"), keyed(1, "A B c d e f g h")
    assert overlap(new, old) == 1.0  # 4 of the new one's 4
    assert overlap(old, new) == 0.5  # 4 of the other's 8
    assert overlap(keyed(1, ""), old) == 0.0  # max(1, 0)


@pytest.mark.parametrize(
    ("similarity", "words", "action", "name"),
    [
        (0.700001, "a b c d e", Action.MERGE, Change.SAME_FACT),  # overlap 5/5
        (0.7, "a b c d e", Action.ADD, Change.BELOW_SIMILARITY),  # at the limit
        (0.9, "a b c d x", Action.LINK, Change.KEYWORDS_DIFFER),  # overlap 4/5 = 0.8, at the limit
        (0.9, "x y", Action.LINK, Change.KEYWORDS_DIFFER),
        (0.5, "x y", Action.ADD, Change.BELOW_SIMILARITY),
    ],
)
def test_eq_5_and_6_as_printed(similarity, words, action, name):
    found = verdict(keyed(2, words), keyed(1, "a b c d e"), PRINTED, similarity)
    assert found[:2] == (action, name)


LIVES = {"subject": "ana", "attribute": "home", "keywords": ("ana", "live")}
MEETS = {"subject": "ana", "attribute": "meeting time", "keywords": ("be", "meeting")}
CATS = {"subject": "ana", "attribute": "have", "keywords": ("cat", "have")}
CASES = [
    # new, old, action as printed, action where a change is needed, change, replaces
    (
        entry(2, "Ana lives in Porto.", **LIVES, value="porto"),
        entry(1, "Ana lives in Porto.", **LIVES, value="porto"),
        Action.MERGE, Action.MERGE, Change.SAME_FACT, False,
    ),
    (
        entry(2, "The meeting is at 3 pm.", **MEETS, value="3 pm"),
        entry(1, "The meeting is at 2 pm.", **MEETS, value="2 pm"),
        Action.LINK, Action.LINK, Change.TIME_DIFFERS, True,
    ),
    (
        entry(2, "Ana has three cats.", **CATS, value="three cats"),
        entry(1, "Ana has two cats.", **CATS, value="two cats"),
        Action.LINK, Action.LINK, Change.NUMBER_DIFFERS, True,
    ),
    (
        entry(2, "Ana no longer lives in Porto.", **LIVES, modality=Modality.NEGATED),
        entry(1, "Ana lives in Porto.", **LIVES),
        Action.LINK, Action.LINK, Change.NEGATION_DIFFERS, True,
    ),
    (
        entry(2, "Bo no longer lives in Porto.", subject="bo", attribute="home",
              keywords=("ana", "live"), modality=Modality.NEGATED),
        entry(1, "Ana lives in Porto.", **LIVES),
        Action.LINK, Action.ADD, Change.OTHER_SUBJECT, False,
    ),
    (
        entry(2, "Ana's trip is cancelled.", subject="trip", persons=("ana",),
              keywords=("cancel", "trip")),
        entry(1, "Ana plans a trip.", subject="ana", persons=("ana",), keywords=("plan", "trip"),
              modality=Modality.PLANNED),
        Action.LINK, Action.LINK, Change.STATUS_DIFFERS, True,
    ),
    (
        entry(2, "Ana lives in Lisbon.", **LIVES, value="lisbon"),
        entry(1, "Ana lives in Porto.", **LIVES, value="porto"),
        Action.MERGE, Action.LINK, Change.OBJECT_DIFFERS, True,
    ),
    (
        entry(2, "Ana works.", subject="ana", attribute="job", value="cook", location="Lisbon"),
        entry(1, "Ana works.", subject="ana", attribute="job", value="cook", location="Porto"),
        Action.LINK, Action.LINK, Change.PLACE_DIFFERS, True,
    ),
    (
        entry(2, "Ana ran.", subject="ana", attribute="run", time=day("2023-04-20"), said_at=at(0)),
        entry(1, "Ana ran.", subject="ana", attribute="run", time=day("2023-04-10"), said_at=at(0)),
        Action.LINK, Action.ADD, Change.TIME_DIFFERS, False,
    ),
    (
        entry(2, "Ana went to a fair.", subject="ana", attribute="go to", value="fair"),
        entry(1, "Ana goes to a fair.", subject="ana", attribute="go to", value="fair",
              modality=Modality.PLANNED),
        Action.LINK, Action.LINK, Change.STATUS_DIFFERS, True,
    ),
    (
        entry(2, "Ana ran 3 miles.", subject="ana", attribute="run", value="3 miles"),
        entry(1, "Ana ran 2 miles.", subject="ana", attribute="run", value="2 miles"),
        Action.LINK, Action.ADD, Change.NUMBER_DIFFERS, False,
    ),
    (
        entry(2, "It was not good.", subject="it", attribute="be", value="good",
              modality=Modality.NEGATED),
        entry(1, "It was good.", subject="it", attribute="be", value="good"),
        Action.LINK, Action.ADD, Change.OTHER_SUBJECT, False,
    ),
    (
        entry(2, "Ana likes tea.", subject="ana", attribute="like", value="tea"),
        entry(1, "Ana likes milk.", subject="ana", attribute="like", value="milk"),
        Action.LINK, Action.ADD, Change.OBJECT_DIFFERS, False,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{c[0].restatement} after {c[1].restatement}" for c in CASES]
)
def test_a_pair_is_merged_linked_or_added_by_what_differs(case):
    new, old, printed, changed, name, replaces = case
    assert verdict(new, old, PRINTED) == (printed, name, printed is Action.LINK and replaces)
    assert verdict(new, old, CHANGED) == (changed, name, replaces)


def test_both_tables_cover_every_case():
    assert set(AS_PRINTED) == set(itertools.product((True, False), Differs))
    assert set(NEEDS_CHANGE) == set(itertools.product(Kinship, (True, False), Differs))
    unasked = {Change.NO_PARTNER, Change.BELOW_SIMILARITY, Change.KEYWORDS_DIFFER}
    assert set(OF) == set(Change) - unasked - {Change.OTHER_SUBJECT}


@pytest.mark.parametrize("table", [AS_PRINTED, NEEDS_CHANGE], ids=["as printed", "needs change"])
def test_a_hard_difference_is_never_merged(table):
    assert all(row[-1] is not Differs.HARD for row, act in table.items() if act is Action.MERGE)


def test_the_most_similar_partner_that_joins_has_the_entry():
    new = entry(4, "Ana lives in Porto.", **LIVES)
    other = entry(1, "Bo lives in Porto.", subject="bo", attribute="home", keywords=("bo",))
    same, twin = (entry(n, "Ana lives in Porto.", **LIVES) for n in (2, 3))
    partners = [Partner(other, 0.95), Partner(same, 0.9), Partner(twin, 0.9)]
    decision, _edge = decide(new, partners, [], CHANGED)
    assert (decision.action, decision.target) == (Action.MERGE, EntryId(2))


@pytest.mark.parametrize("bounds", [PRINTED, CHANGED])
def test_a_change_back_is_a_third_state_linked_to_the_newest(bounds):
    porto, lisbon, again = (
        entry(n, f"Ana lives in {place}.", subject="ana", attribute="home", value=place.casefold())
        for n, place in enumerate(("Porto", "Lisbon", "Porto"), 1)
    )
    decision, edge = decide(again, [Partner(porto, 1.0, newest=lisbon)], [], bounds)
    assert (decision.action, decision.change) == (Action.LINK, Change.OBJECT_DIFFERS)
    assert edge is not None
    assert (edge.older, edge.newer, edge.supersedes) == (EntryId(2), EntryId(3), True)


def test_a_replaced_fact_said_as_it_is_now_merges_into_the_newest_state():
    porto, lisbon, again = (
        entry(n, f"Ana lives in {place}.", subject="ana", attribute="home", value=place.casefold())
        for n, place in enumerate(("Porto", "Lisbon", "Lisbon"), 1)
    )
    decision, _edge = decide(again, [Partner(porto, 0.9, newest=lisbon)], [], CHANGED)
    assert (decision.action, decision.target) == (Action.MERGE, EntryId(2))


@pytest.mark.parametrize(("place", "action"), [("lisbon", Action.LINK), ("porto", Action.ADD)])
def test_the_holder_of_a_one_valued_attribute_is_linked_but_never_merged(place, action):
    old = entry(1, "Ana lives in Porto.", subject="ana", attribute="home", value="porto")
    new = entry(2, "Ana lives.", subject="ana", attribute="home", value=place)
    decision, _edge = decide(new, [Partner(old, 0.3, similar=False)], [], CHANGED)
    assert decision.action is action


def test_what_came_true_after_a_change_back_replaces_nothing():
    runs = {"subject": "ana", "attribute": "run", "value": "race"}
    off = entry(1, "Ana does not run the race.", **runs, modality=Modality.NEGATED)
    on = entry(2, "Ana runs the race.", **runs)
    ran = entry(3, "Ana ran the race in two hours.", **runs)
    decision, _edge = decide(ran, [Partner(off, 0.9, newest=on)], [], CHANGED)
    assert decision.action is Action.ADD


def test_an_entry_without_any_partner_says_so():
    decision, _edge = decide(entry(1, "x"), [], [], CHANGED)
    assert (decision.action, decision.change) == (Action.ADD, Change.NO_PARTNER)


def test_numbers_leave_out_dates_and_clock_times():
    assert numbers("On 3 May 2023 at 2 pm Ana bought twelve eggs and 2 hens") == ("12", "2")
    assert clocks("from 2 pm to 14:30") == ("14:30", "2pm")


def test_a_range_of_days_is_a_date_and_no_number():
    assert numbers("Ana moved to Ghent last week (19-25 June 2023).") == ()


@pytest.mark.parametrize(
    ("ours", "theirs", "name"),
    [
        ("art", "party", Change.OBJECT_DIFFERS),
        ("art", "modern art", Change.SAME_FACT),
        ("the clinic", "clinic", Change.SAME_FACT),
        ("茶", "奶茶", Change.OBJECT_DIFFERS),
        ("奶茶", "热奶茶", Change.SAME_FACT),
        ("书店的", "书店", Change.SAME_FACT),
    ],
)
def test_a_value_is_part_of_another_in_whole_words(ours, theirs, name):
    new, old = (keyed(n, "a", attribute="like", value=v) for n, v in ((2, ours), (1, theirs)))
    assert change(new, old) is name


def test_a_fact_with_no_word_but_a_name_merges_into_no_other_fact():
    old = keyed(1, "lu attic rent", attribute="rent", value="attic")
    new = keyed(2, "ana", attribute="teach", persons=("ana",))
    assert not says_more(new)
    assert verdict(new, replace(old, keywords=("ana", "attic")), CHANGED)[0] is Action.ADD


def test_a_new_spelling_and_an_article_name_the_same_attribute():
    old = keyed(1, "colour", attribute="favourite colour", value="blue")
    new = keyed(2, "colour", attribute="the favorite color", value="red")
    assert kinship(new, old) is Kinship.SAME_ATTRIBUTE


def test_a_plan_that_came_true_differs_in_status():
    plan = entry(1, "Ana adopts a cat.", modality=Modality.PLANNED)
    assert change(entry(2, "Ana adopts a cat."), plan) is Change.STATUS_DIFFERS


def test_two_past_dates_are_two_occasions():
    one, other = (
        entry(n, "Ana ran.", subject="ana", attribute="run", time=day(d), said_at=at(0))
        for n, d in ((1, "2023-04-10"), (2, "2023-04-20"))
    )
    assert kinship(other, one) is Kinship.SAME_SUBJECT


def test_the_limits_follow_preset_and_embedder():
    assert limits(PAPER, "all-MiniLM-L6-v2") == PRINTED
    assert limits(SAFE, "all-MiniLM-L6-v2") == replace(CHANGED, by_attribute=True)
    assert limits(SAFE, "hashing-512").similarity == SAFE.hashing_coarsen_similarity


def test_a_plan_named_shortly_with_another_date_moves_the_plan() -> None:
    planned = {"subject": "ana", "value": "planned", "modality": Modality.PLANNED}
    old = entry(1, "Ana has an art show with lamps in June.", time=day("2023-06-01"),
                attribute="plan:lgbtq art show with lamps", **planned)  # fmt: skip
    new = entry(2, "Ana has an art show in July.", time=day("2023-07-01"),
                attribute="plan:art show", **planned)  # fmt: skip
    assert verdict(new, old, CHANGED) == (Action.LINK, Change.TIME_DIFFERS, True)
    other = replace(new, attribute="plan:car show")
    assert verdict(other, old, CHANGED)[0] is Action.ADD

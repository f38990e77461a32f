"""What cannot be attributed is quoted, and a quote changes nothing; plans and endings do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.evolution.changes import Kinship, ended, kinship, slot
from memcore.evolution.quotes import quote
from memcore.types import Entry, EntryId, Modality, TurnId

MAY = datetime(2023, 5, 8, tzinfo=UTC)


def entry(text: str, attribute: str, value: str, modality: Modality = Modality.ASSERTED) -> Entry:
    words = tuple(sorted({*attribute.split(), *value.split()}))
    return Entry(
        EntryId(1),
        text,
        (TurnId(1, 1),),
        keywords=words,
        persons=("ana",),
        modality=modality,
        said_at=MAY,
        subject="ana",
        attribute=attribute,
        value=value,
    )


def test_a_quote_names_who_said_it_and_what_was_asked():
    assert quote("Ana", "They tanked") == 'Ana said: "They tanked."'
    assert quote("Ana", "Red", "Which?") == 'Ana, asked "Which?", said: "Red."'


def test_a_quote_replaces_no_other_quote():
    old = entry('Ana said: "It will be fun."', "say", "it will be fun", Modality.PLANNED)
    new = entry('Ana said: "It was fun."', "say", "it was fun")
    assert kinship(new, old) is not Kinship.SAME_ATTRIBUTE


@pytest.mark.parametrize(
    ("intended", "modality"),
    [("go adopt", Modality.PLANNED), ("want adopt", Modality.HYPOTHETICAL)],
)
def test_a_plan_that_came_true_is_replaced_by_what_was_done(intended, modality):
    old = entry("Ana is going to adopt a greyhound.", intended, "greyhound", modality)
    new = entry("Ana adopted a greyhound.", "adopt", "greyhound")
    assert kinship(new, old) is Kinship.SAME_ATTRIBUTE


def test_a_plan_is_not_settled_by_the_same_act_on_another_thing():
    old = entry("Ana is going to adopt a greyhound.", "go adopt", "greyhound", Modality.PLANNED)
    new = entry("Ana adopted a parrot.", "adopt", "parrot")
    assert kinship(new, old) is not Kinship.SAME_ATTRIBUTE


def test_no_longer_about_another_subject_retires_nothing():
    old = entry("Ana works at the bakery.", "work at", "bakery")
    new = entry("Ben no longer works at the bakery.", "work at", "bakery", Modality.NEGATED)
    new = replace(new, subject="ben", persons=("ben",))
    assert ended(new)
    assert kinship(new, old) is Kinship.OTHER


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("Ana quit her job.", True),
        ("It was quite a week.", False),
        ("Ana does not smoke anymore.", True),
        ("Ana asks for any more tips.", False),
        ("Ana cannot stop writing.", False),
    ],
)
def test_only_words_that_end_something_end_it(text, over):
    assert ended(entry(text, "be", "so")) is over


def test_an_attribute_without_a_value_holds_no_place():
    assert slot(entry("Ana works hard.", "job", "")) == ()
    assert slot(entry("Ana is a nurse.", "job", "nurse")) == ("ana", "job")


def test_a_quote_ends_nothing_though_its_words_do():
    old = entry('Ana said: "It was a lovely walk."', "say", "it was a lovely walk")
    new = entry('Ana said: "It told me to stop at a lovely walk."', "say", "it told me to stop")
    assert ended(new)
    assert kinship(new, old) is Kinship.SAME_SUBJECT

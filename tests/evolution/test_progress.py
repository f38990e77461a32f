"""What takes an undertaking further; the talks are written by hand, the extractor is the local one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memcore.evolution.extract import LocalExtractor
from memcore.evolution.progress import Stage, goes_further, ordinal, stage, thing
from memcore.types import Annotation, Entry, EntryId, Modality, SaidTime, Turn, TurnId

MAY = datetime(2023, 5, 8, 12, tzinfo=UTC)
JULY = datetime(2023, 7, 8, 12, tzinfo=UTC)


def read(text: str, session: int, said: datetime, other: str = "Ben") -> tuple[Entry, ...]:
    """The facts of what Ana says to Ben."""
    turns = (
        Turn(TurnId(session, 1), other, "Hello!", said=SaidTime(said)),
        Turn(TurnId(session, 2), "Ana", text, said=SaidTime(said)),
    )
    found = LocalExtractor().extract(turns, [Annotation(t.id, language="en") for t in turns], ())
    return tuple(replace(e, id=EntryId(10 * session + n)) for n, e in enumerate(found))


def taken_further(before: str, after: str) -> bool:
    """Whether some fact said in July takes one said in May further."""
    return any(
        goes_further(new, old) for new in read(after, 2, JULY) for old in read(before, 1, MAY)
    )


FURTHER = [
    ("I'm thinking about going camping in June.", "I took my kids camping in the mountains."),
    ("I'm going to a teachers conference this summer.", "I went to the teachers conference."),
    ("I'm considering adopting a rescue dog.", "We finally adopted a rescue dog!"),
    ("I've been looking for an apartment.", "I found an apartment near the river."),
    ("I applied to the nursing school.", "The letter came. I got accepted to the nursing school."),
    ("I started a pottery course.", "I finished the pottery course."),
    ("I've been working on my novel.", "I finished my novel."),
    ("I submitted my novel to a publisher.", "I got a rejection for my novel."),
    ("I won my second chess tournament.", "I won my third chess tournament."),
    ("I've never visited Portugal.", "I visited Portugal."),
    ("I have an interview for a design internship.", "I got accepted for the design internship."),
    # an event that was planned, told of by its own name
    ("I'm organizing a garden party.", "The garden party was a great success."),
    # the act of the plan, as a noun
    ("I'm going to perform at the festival in June.", "I had that performance."),
    # who runs a shop of their own has opened it
    ("I'm searching for a place to open my flower shop.", "I love running my own shop."),
    # what is worked on, not the work
    ("I started on a novel recently.", "I finished up the writing for my novel."),
]
NOT_FURTHER = [
    # a team that is helped is none that is played against
    ("I want to be known as a reliable player and help my team.", "We played a top team."),
    # what was never tried is not done by what only goes towards it
    ("I've never tried publishing a novel.", "I finished up the writing for my novel."),
    # another event than the planned one
    ("I'm organizing a garden party.", "The concert was a great success."),
    # another thing
    ("I'm thinking about going camping in June.", "I took my kids swimming in the lake."),
    ("I want to adopt a rescue dog.", "I bought a lamp."),
    # the thing only describes another thing
    ("I'm thinking of working with fashion bloggers.", "I bought a fashion magazine."),
    # no further than before
    ("I went to the conference.", "I'm going to the conference."),
    ("I'm considering adopting a dog.", "I'm still considering adopting a dog."),
    ("I won my third chess tournament.", "I won my second chess tournament."),
    # who keeps on intends nothing new, and a mood is no undertaking
    ("I'm going to keep writing letters.", "I wrote a letter."),
    ("I'm so excited about the garden.", "I was excited about the garden."),
    # everybody has several
    ("I want to help people.", "I got help from some people."),
    ("I'm going to give Ben a lamp.", "I gave Ben the push."),
    ("I'll get pets if I'm not allergic to them.", "Then I got allergic."),
]


@pytest.mark.parametrize(("before", "after"), FURTHER)
def test_what_was_announced_or_begun_is_taken_further(before: str, after: str) -> None:
    assert taken_further(before, after)


@pytest.mark.parametrize(("before", "after"), NOT_FURTHER)
def test_another_thing_or_an_earlier_stage_takes_nothing_further(before: str, after: str) -> None:
    assert not taken_further(before, after)


def test_another_person_takes_nothing_further() -> None:
    old = read("I'm considering adopting a rescue dog.", 1, MAY)
    new = read("My sister adopted a rescue dog.", 2, JULY)
    assert not any(goes_further(n, o) for n in new for o in old)


def test_an_event_before_the_plan_was_told_does_not_carry_it_out() -> None:
    plan = Entry(EntryId(1), "Ana is going to a concert.", (TurnId(1, 1),), ("concert",), topic="concert", said_at=MAY,
                 subject="ana", attribute="go to", value="concert", modality=Modality.PLANNED)  # fmt: skip
    went = replace(plan, id=EntryId(2), restatement="Ana went to a concert.", said_at=JULY,
                   source_turns=(TurnId(2, 1),), modality=Modality.ASSERTED)  # fmt: skip
    assert goes_further(went, plan)
    assert not goes_further(replace(went, said_at=MAY), plan)  # told within the hour


def test_the_stages_are_told_apart() -> None:
    (intends,) = read("I want to adopt a dog.", 1, MAY)
    (begun,) = read("I applied to the nursing school.", 1, MAY)
    (done,) = read("I adopted a dog.", 1, MAY)
    (mood,) = read("I was so proud of my garden.", 1, MAY)
    assert [stage(e) for e in (intends, begun, done, mood)] == [
        Stage.INTENDED, Stage.BEGUN, Stage.DONE, None,
    ]  # fmt: skip
    assert thing(done) == "dog"


@pytest.mark.parametrize(
    ("words", "expected"),
    [("ana's first race", 1), ("the 12th race", 12), ("a race", 0), ("seconds later", 0)],
)
def test_an_ordinal_is_read_as_a_word_or_a_number(words: str, expected: int) -> None:
    assert ordinal(words) == expected

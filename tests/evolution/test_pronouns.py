"""Whom and what a pronoun means, and where it is left as it stands; the turns are invented."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memcore.evolution.extract import LocalExtractor
from memcore.types import Annotation, SaidTime, Turn, TurnId

NOON = datetime(2023, 5, 8, 12, tzinfo=UTC)


def sentences(*lines: str) -> list[str]:
    """The facts of the last turn."""
    pairs = [line.partition(": ") for line in lines]
    turns = [
        Turn(TurnId(1, n), who, text, said=SaidTime(NOON))
        for n, (who, _, text) in enumerate(pairs, 1)
    ]
    found = LocalExtractor().extract(turns, [Annotation(t.id, language="en") for t in turns], ())
    return [e.restatement for e in found if e.source_turns == (turns[-1].id,)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # a thing that fits the verb
        ("I made a bowl in class. It took some work.", "The bowl took some work."),
        ("I finished a novel. I printed it on Friday.", "Ana printed the novel on Friday."),
        ("I'm doing kickboxing and it's giving me energy.", "Kickboxing is giving Ana energy."),
        # persons, not the things named after them
        (
            "I coach the younger players. I share my skills with them.",
            "Ana shares Ana's skills with the younger players.",
        ),
        ("Ben's niece came by. She sang.", "Ben's niece sang."),
        # what was spoken of, not the noun that holds the pronoun
        (
            "I have turtles. I took pictures of them.",
            "Ana took pictures of turtles.",
        ),
    ],
)
def test_a_pronoun_means_what_fits_its_verb(line: str, expected: str) -> None:
    assert expected in sentences("Ben: Hello.", f"Ana: {line}")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        # an event, not the thing last named
        ("We decorated the tree. It was a blast!", "The tree was"),
        ("I lost my job. It gave me the push.", "job gave"),
        ("I got feedback on my essays. It's all about practice.", "is all about"),
        # an abstract noun
        ("I gave them my voice. It's fulfilling in many ways.", "voice is"),
        ("I can't picture life without music. It's like air.", "Life is"),
        # two things side by side
        ("My garden inspired my painting. It hangs in the hall.", "Ana's painting hangs"),
        # an idiom
        ("I have a plan for the shop. I'm determined to make it work.", "make the shop"),
        # what an open "it" before it most likely means as well
        ("It was in London. The roof leaked. It was so old that it fell.", "London was"),
        # a clause is the subject
        ("Seeing the crowd on the pier was lovely. It was a sunny week.", "pier was a"),
        # helped and supported are persons
        ("I saw the challenges they face. I loved supporting them.", "supporting the challenges"),
        ("I told the class of my struggles. I offered them support.", "struggles support"),
        # one person may be "they"
        ("I met the kids. A buddy of mine adopted. Now they are happy.", "kids are happy"),
    ],
)
def test_a_pronoun_that_may_mean_something_else_is_left_open(line: str, wrong: str) -> None:
    found = sentences("Ben: Hello.", f"Ana: {line}")
    assert not any(wrong.casefold() in s.casefold() for s in found), found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Everyone there has their own story.", "Everyone there has their own story."),
        ("We all have our own ways.", "Ana and others all have their own ways."),
        ("I'm upset about the state of our schools and our education.", "the education"),
        ("Pets are great at making you feel loved.", "Pets are great at making you feel loved."),
    ],
)
def test_what_belongs_to_several_is_nobodys_own(line: str, expected: str) -> None:
    assert any(expected in s for s in sentences("Ben: Hello.", f"Ana: {line}"))


def test_a_person_once_called_she_is_not_called_he() -> None:
    found = sentences(
        "Ana: I got a puppy! She greets me at the door.",
        "Ben: I still think about Max, my old dog.",
        "Ana: He looked so sweet in the album.",
    )
    assert found == ["Max looked so sweet in the album."]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # nothing is told
        (["Ana: I'll call. I promise!", "Ana: Fingers crossed!"], []),
        (["Ben: Hello.", "Ana: You can really feel the love when you're among friends."], []),
        (["Ben: Hello.", "Ana: Having friends matters."], []),
        # hopes and waits for what is one's own
        (
            ["Ben: Hello.", "Ana: Hoping my novel gets noticed."],
            ["Ana is hoping Ana's novel gets noticed."],
        ),
        (
            ["Ben: Hello.", "Ana: Can't wait to see the lake!"],
            ["Ana cannot wait to see the lake."],
        ),
        # a relative clause leaves its noun named
        (
            ["Ben: Hello.", "Ana: Another film that I helped with was shown on Sunday."],
            ["Another film that Ana helped with was shown on Sunday."],
        ),
        # "any" with a clause of its own cannot be confirmed word by word
        (["Ben: Have you come across any that made a mark on you?", "Ana: Yes!"], []),
    ],
)
def test_only_what_the_speaker_tells_is_told(lines: list[str], expected: list[str]) -> None:
    assert sentences(*lines) == expected


def test_a_quote_with_a_date_is_closed_behind_it() -> None:
    turn = "Ana: They moved out last year."
    (found,) = sentences("Ben: Hello.", turn)
    assert found.count('"') == 2

"""A dialogue made to break exports, with both memories and a run of each, in memory only.

Every turn's words are distinctive (`zq…`), so that a search finds what leaked.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from memcore import pipeline
from memcore.exports.choice import Subject
from memcore.readers.function import FunctionReader
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import Answer, Context, Memory, Reply, Sentence, TurnId
from tests import whole
from tests.retrieval import small

NAME = "<b>Zqana</b> href </script>"
ATTACKS = (
    "Zqmoon <img src=x onerror=alert(1)> zqtea",
    "</script><script>alert(2)</script> Zqmoon zqtea",
    "<!-- zqtea <![CDATA[ ]]> --> href javascript:alert(3)",
    "=HYPERLINK(1) zqsum +1 -1 Zqmoon",
    "\u202egnihtemos\u202c zqrtl 👩‍👩‍👧 我们在里斯本 Zqmoon",
    "**zqbold** $x^2$ :material/home: [zqlink](javascript:alert(4)) `zqcode`",
    "zqlong " * 7200,
    '"""\' \\ \n import zqos {0} %s \u2028 \x0b',
)
QUESTION = "What does Zqmoon say of zqtea </script><img src=x onerror=alert(5)>?"
EVIDENCE = (TurnId(1, 2), TurnId(2, 4))


@cache
def memory() -> Memory:
    """Two sessions of hostile turns by two speakers, one with a hostile name."""
    lines = [f"{('Ann', NAME)[n % 2]}: {words}" for n, words in enumerate(ATTACKS)]
    plain = small.talk("\n".join(["Ann: x"] * len(lines)), "\n".join(["Ann: x"] * len(lines)))
    sessions = []
    for session in plain.sessions:
        turns = tuple(
            replace(t, speaker=line.partition(": ")[0], text=line.partition(": ")[2])
            for t, line in zip(session.turns, lines, strict=True)
        )
        sessions.append(replace(session, turns=turns, title="zqtitle </title>"))
    return whole.remembered(replace(plain, name="zqname </title>", sessions=tuple(sessions)))


def _answer(question: str, context: Context) -> Answer:
    cited = context.items[:2]
    told = "Zqmoon drinks zqtea </script><script>alert(6)</script>"
    first, second = Sentence(told, cited), Sentence("<b>zqguess</b>")
    return Answer(told, cited, (first, second), ("zqabsent <i>",), prompt="zqprompt", raw="zqraw")


@cache
def subject(system: str = "edgemem") -> Subject:
    """The run of the hostile question by one system, with two turns of evidence."""
    retriever = RETRIEVERS[system](memory(), SAFE, whole.PARTS)
    *_, reply = pipeline.ask(memory(), QUESTION, retriever, FunctionReader(_answer))
    assert isinstance(reply, Reply)
    meta = RunMeta(memory="f00d", code="9.9", name="zqnamed <b>")
    return Subject(records_of(reply, 3, meta, 7), memory(), EVIDENCE)

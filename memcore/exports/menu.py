"""The table of exports: what the command line and the page offer, and how each file is made.

An export takes a subject that is ready to go out (`prepared`), the choice, and the memory before
it was narrowed. A new export is a row here. A copy of the database is no row, since it holds all
text; both edges make it by the backup call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from memcore.exports import csv, graphml, hif, json, network, packet, regression, replay
from memcore.exports.choice import Choice, Subject, about, prepared
from memcore.exports.redaction import Redaction
from memcore.transcripts import own
from memcore.types import Memory

Write = Callable[[Subject, Choice, Memory], str]


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of file: what its name ends in, its media type, and who writes it."""

    name: str
    ending: str
    media: str
    write: Write
    scoped: bool = False

    def file_name(self, run: int) -> str:
        """Return the name of the file: ids only, and what its ending does not say."""
        kind = "" if self.name == self.ending else f"-{self.name}"
        return f"memcore-run-{run}{kind}.{self.ending}"

    def data(self, subject: Subject, choice: Choice) -> bytes:
        """Return the bytes of the file, its text cut and its scope narrowed."""
        return self.write(prepared(subject, choice), choice, subject.memory).encode()


def _json(subject: Subject, choice: Choice, _whole: Memory) -> str:
    return json.dump(subject.records, about(subject, choice))


def _ledger(subject: Subject, choice: Choice, _whole: Memory) -> str:
    return csv.ledger(subject.records, about(subject, choice))


def _facts(subject: Subject, choice: Choice, whole: Memory) -> str:
    return csv.facts(subject.memory, about(subject, choice, whole))


def _anchors(subject: Subject, choice: Choice, whole: Memory) -> str:
    return csv.anchors(subject.memory, about(subject, choice, whole))


def _evolution(subject: Subject, choice: Choice, whole: Memory) -> str:
    return graphml.evolution(subject.memory, about(subject, choice, whole))


def _hypergraph(subject: Subject, choice: Choice, whole: Memory) -> str:
    return graphml.hypergraph(subject.memory, about(subject, choice, whole))


def _hif(subject: Subject, choice: Choice, whole: Memory) -> str:
    return hif.hif(subject.memory, about(subject, choice, whole))


def _packet(subject: Subject, choice: Choice, _whole: Memory) -> str:
    cut = choice.redaction is not Redaction.FULL
    return packet.packet(subject.records, about(subject, choice) if cut else ())


def _test(subject: Subject, choice: Choice, whole: Memory) -> str:
    facts = subject.records.run.retriever.startswith("ariadnemem")
    alone = choice.redaction is Redaction.FULL and not facts
    talk = own.dump(whole.conversation) if alone else ""
    return regression.regression(subject.records, subject.gold, about(subject, choice), talk)


_JSON, _CSV, _XML, _TEXT = "application/json", "text/csv", "application/xml", "text/plain"

_ALL: Final = (
    Export("json", "json", _JSON, _json),
    Export("csv", "csv", _CSV, _ledger),
    Export("csv-facts", "csv", _CSV, _facts, scoped=True),
    Export("csv-anchors", "csv", _CSV, _anchors, scoped=True),
    Export("graphml-facts", "graphml", _XML, _evolution, scoped=True),
    Export("graphml-anchors", "graphml", _XML, _hypergraph, scoped=True),
    Export("hif", "json", _JSON, _hif, scoped=True),
    Export("html", "html", "text/html", replay.html, scoped=True),
    Export("network-facts", "html", "text/html", network.facts, scoped=True),
    Export("network-anchors", "html", "text/html", network.anchors, scoped=True),
    Export("packet", "txt", _TEXT, _packet),
    Export("test", "py", "text/x-python", _test),
)
EXPORTS: Final[Mapping[str, Export]] = {export.name: export for export in _ALL}
"""The exports of a run by name."""

"""Golden files, broken at random: only a result or a TranscriptError may come out.

`python -m tests.transcripts.fuzz N [FORMAT…]` runs each format in a child process of its own, so that
a kill is seen, and prints how many inputs were read and refused; each input has 10 seconds.
"""

from __future__ import annotations

import faulthandler
import io
import json
import os
import random  # noqa: TID251 - seeded: the same inputs on every run
import resource
import sys
import zipfile

from memcore.errors import TranscriptError
from memcore.transcripts.codes import FILE_SKIPS
from memcore.transcripts.detect import NAMES
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from tests.transcripts.golden import cases, sources

SECONDS = 10
GROWTH = 500 * 1024  # KiB
ODD = [None, True, "", "x", 0, -1, 10**30, 1e308, [], {}, [[]], "\ud83d", "\0", "2021-03-02"]


def flipped(data: bytes, dice: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        if found:
            found[dice.randrange(len(found))] = dice.randrange(256)
    return bytes(found)


def cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def spliced(data: bytes, dice: random.Random) -> bytes:
    a, b = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    where = dice.randrange(len(data) + 1)
    return data[:where] + data[a:b] + data[where:]


def shuffled(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    dice.shuffle(lines)
    return b"\n".join(lines)


def _edit(value, dice: random.Random, depth: int = 0):
    if depth > 6 or dice.random() < 0.08:
        return dice.choice(ODD)
    if isinstance(value, dict):
        kept = {k: _edit(v, dice, depth + 1) for k, v in value.items() if dice.random() > 0.05}
        return {**kept, "odd": 1} if dice.random() < 0.05 else kept
    if isinstance(value, list):
        return [_edit(v, dice, depth + 1) for v in value for _ in range(dice.choice([1, 1, 1, 2]))]
    return value


def edited(data: bytes, dice: random.Random) -> bytes:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return spliced(data, dice)
    text = json.dumps(_edit(value, dice))
    if dice.random() < 0.1:
        text = text.replace("1614697500", "9" * dice.choice([50, 500]), 1)
    if dice.random() < 0.1:
        text = "[" * dice.choice([5, 200]) + text
    return text.encode("utf-8", "surrogatepass")


def rezipped(data: bytes, dice: random.Random) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for info in old.infolist():
            name = info.filename
            if dice.random() < 0.1:
                name = dice.choice(["../" + name, "/" + name, "C:\\" + name, name + "/", "x" * 300])
            inner = dice.choice([flipped, cut, edited])(old.read(info), dice)
            if dice.random() > 0.1:
                new.writestr(zipfile.ZipInfo(name), inner)
    return stream.getvalue()


def broken(source: Source, dice: random.Random) -> Source:
    ways = [flipped, cut, spliced, shuffled, edited, edited]
    if source.data.startswith(b"PK"):
        ways = [flipped, cut, rezipped, rezipped]
    return Source(source.name, dice.choice(ways)(source.data, dice))


def run(format_: str, n: int) -> dict[str, int]:
    found = [sources(c) for c in cases() if c.name.partition("-")[0] == format_]
    dice = random.Random(f"{format_} 1")
    counts = {"read": 0, "refused": 0}
    for _ in range(n):
        inputs = [broken(s, dice) for s in dice.choice(found)]
        forced = dice.choice(["", "", format_])
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        try:
            result = read(inputs, Options(format=forced))
        except TranscriptError:
            counts["refused"] += 1
        else:
            counts["read"] += 1
            report = result.report
            lost = sum(c.n for c in report.skipped if c.name not in FILE_SKIPS)
            assert report.records_seen == report.turns + report.merged + lost, inputs
        finally:
            faulthandler.cancel_dump_traceback_later()
    return counts


def child(format_: str, n: int) -> dict:
    """What a child process of its own found: its counts, or how it ended."""
    inlet, outlet = os.pipe()
    pid = os.fork()
    if not pid:
        with os.fdopen(outlet, "w") as told:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            counts = run(format_, n)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            assert grown < GROWTH, f"grew by {grown} KiB"
            told.write(json.dumps({**counts, "grown_kib": grown}))
        os._exit(0)
    os.close(outlet)
    with os.fdopen(inlet) as heard:
        text = heard.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return json.loads(text) if text and not status else {"ended": status}


if __name__ == "__main__":
    for name in sys.argv[2:] or NAMES:
        found = child(name, int(sys.argv[1]))
        sys.stdout.write(json.dumps({"format": name, **found}) + "\n")
        sys.stdout.flush()

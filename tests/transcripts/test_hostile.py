"""Lines made to be slow cost no more time than others of their length."""

import faulthandler

import pytest

from memcore.errors import TranscriptError
from memcore.transcripts.detect import NAMES
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source

HEAD = "02/03/2021, 16:05 - "
VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\n"
HOSTILE = {
    "colons": "a" + ":" * 50_000,
    "words": ("A" * 59 + " ") * 5_000,
    "stars": "**" * 50_000 + ":",
    "bold": ("**a" * 50 + "\n") * 500,
    "hashes": "#" * 50_000 + " x\nNoor: hi",
    "heading": ("# a" + " " * 20_000 + "b\n") * 5 + "Noor: hi",
    "rules": ("a" + "-" * 5_000 + "b\n") * 20 + "Noor: hi",
    "blanks": ("Noor" + " " * 20_000 + "x: hi\n") * 5,
    "box": "[" + "1" * 50_000 + "] Noor: hi",
    "zoom": "16:05:06 From " + "a to " * 10_000 + "\n16:05:06 From a to b: c",
    "names": HEAD + "a:" * 50_000,
    "gap": ("02/03/2021, " + " " * 20_000 + "16:05 - a: b\n") * 3,
    "many names": "\n".join(f"{HEAD}Name {n} x: hi" for n in range(3_000)),
    "long turn": "Noor: hi\n" + "and on\n" * 10_000,
    "long bold turn": "**Noor:** hi\n\n" + "and on\n" * 10_000 + "**Ilse:** hi\n",
    "voices": VTT + "<v a" * 30_000,
    "tags": VTT + "<" * 50_000,
    "quotes": "speaker,text\n" + '"' * 50_001,
    "thoughts": '[{"role": "assistant", "content": "' + "<think>" * 10_000 + '"}]',
    "slack": '[{"type": "message", "user": "U", "ts": "1.1", "text": "' + "<@" * 30_000 + '"}]',
    "file": HEAD + "Noor: " + "a.b " * 10_000 + "(x)\n" + HEAD + "Noor: x",
    "edited": HEAD + "Noor: " + "<" * 30_000,
    "comments": "<!-- -->" * 400 + "Noor: hi",
    "exponent": '[{"role": "user", "content": "x", "created_at": 1e999999999}]',
    "digits": '[{"role": "user", "content": "x", "created_at": "' + "9" * 5_000 + '"}]',
    "equal ids": '{"id": "a", "text": "x", "speaker": "N"}\n' * 3_000,
    "paths": "Mar 02, 2021  4:05:06 PM\nMe\n" + "/a" * 30_000,
    "offsets": "a" + "  " * 20_000 + "0:0",
    "days": "1月" * 20_000 + "\nNoor: hi",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_read_or_refused_in_seconds(text):
    faulthandler.dump_traceback_later(120, exit=True)
    try:
        for name in ("", *NAMES):
            try:
                read([Source("talk", text.encode())], Options(format=name))
            except TranscriptError:
                continue
    finally:
        faulthandler.cancel_dump_traceback_later()

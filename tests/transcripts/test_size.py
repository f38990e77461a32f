"""Memory grows with one record of an array, not with the file."""

import itertools
import tracemalloc

from memcore.transcripts import json_text
from memcore.transcripts.options import Limits

RECORD = (
    b'{"title": "Talk", "parts": ["' + b"the hedge is cut " * 3000 + b'"], "n": [1, {"a": []}]}'
)


def test_a_long_array_is_streamed_with_the_memory_of_a_few_records():
    n = 400  # 400 records of 51 kB are 20 MB
    parts = itertools.chain([b"["], itertools.chain(*([RECORD, b",\n"] for _ in range(n))), [b"1]"])
    tracemalloc.start()
    count = sum(1 for _ in json_text.elements(parts, Limits(), "a.json"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == n + 1
    assert peak < 40 * len(RECORD)

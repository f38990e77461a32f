from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcore.errors import StoreError
from memcore.exports.json import dump, load
from memcore.store.recording import records_of
from memcore.store.records import RunMeta
from memcore.types import Reply
from tests.store.values import replies


@settings(max_examples=15)
@given(reply=replies())
def test_an_exported_run_reads_as_it_was(reply: Reply) -> None:
    records = records_of(reply, 1, RunMeta(name="a run"), run=7)
    assert load(dump(records)) == records


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "not JSON"])
def test_a_file_that_is_no_run_is_refused(text: str) -> None:
    with pytest.raises(StoreError, match=r"no (whole )?run of memcore"):
        load(text)


def test_a_run_of_a_newer_version_is_refused() -> None:
    with pytest.raises(StoreError, match="version 9"):
        load('{"format": "memcore-run", "version": 9}')


@settings(max_examples=15)
@given(reply=replies(), data=st.data())
def test_a_run_with_a_part_missing_is_refused(reply: Reply, data: st.DataObject) -> None:
    plain = json.loads(dump(records_of(reply, 1, RunMeta())))
    del plain[data.draw(st.sampled_from(["run", "stage", "event", "term", "link", "span"]))]
    with pytest.raises(StoreError, match="no whole run"):
        load(json.dumps(plain))

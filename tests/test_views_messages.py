"""The library's sentences on a Chinese screen: each has a template, and a whole file is told."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcore.errors import MemcoreError
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.views.messages import told

LIBRARY = Path(__file__).resolve().parents[1] / "memcore"
FILLED = "x"


def words(node: ast.expr) -> str:
    """A string with each of its places filled, empty if it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else FILLED for v in node.values)
        return "".join(map(str, parts))
    return ""


def nodes() -> Iterator[ast.AST]:
    for file in sorted((LIBRARY / "transcripts").glob("*.py")):
        yield from ast.walk(ast.parse(file.read_text("utf-8")))


def refusals() -> Iterator[str]:
    """What a file is refused with and what to do about it; both end in a full stop."""
    for node in nodes():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in {"msg", "hint"}:
            yield words(node.value)


def evidence() -> Iterator[str]:
    """Why a format fits; `share` puts its count before the words."""
    for node in nodes():
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"Evidence", "share"}:
            counted = "1 of 2 " if ast.unparse(node.func) == "share" else ""
            yield counted + words(node.args[-1])


SENTENCES = sorted(
    {s for s in refusals() if s.endswith(".")}
    | {s for s in evidence() if " " in s.removeprefix("1 of 2 ") and s != "x of x x"}
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_refusal_and_every_evidence_of_an_import_is_told_in_chinese(sentence):
    assert told(sentence, "zh-CN") != sentence


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cut.json", b'{"a": [1, 2'),
        ("empty.txt", b""),
        ("web.html", b"<!doctype html><html><body>hi</body></html>"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(64)),
        ("notes.txt", b"nothing here is said by anyone\nat all\n"),
        ("keys.json", b'[{"alpha": 1, "beta": 2}, {"alpha": 3, "beta": 4}]'),
    ],
)
def test_a_refused_file_is_refused_in_chinese_with_its_place_and_its_names(name, data):
    with pytest.raises(MemcoreError) as refused:
        read((Source(name, data),), Options())
    found = told(str(refused.value), "zh-CN")
    assert found.startswith(name)
    rest = found.removeprefix(name)
    assert not {"expected", "again", "import"} & set(rest.replace(";", " ").split())
    assert any("\u4e00" <= c <= "\u9fff" for c in rest)


def test_a_place_before_a_sentence_and_a_hint_behind_it_are_told_apart():
    found = told("plain: 25 of 26 lines open with a name and a colon", "zh-CN")
    assert found == "plain：26 行中有 25 行以姓名和冒号开头"
    cut = "a.json:1:11: the JSON breaks here: Expecting value. It may have been cut on its way; "
    assert told(f"{cut}export it again.", "zh-CN") == (
        "a.json:1:11：JSON 在此处中断：缺少值。可能在传输中被截断，请重新导出。"
    )


def test_english_and_what_nobody_knows_stay_as_they_are():
    assert told("the file is empty; expected a transcript.", "en").startswith("the file")
    assert told("Ana: I moved. It rains.", "zh-CN") == "Ana: I moved. It rains."

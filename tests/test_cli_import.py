"""`memcore import`: every switch, the report's JSON, folders, refusals, a stop half way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from memcore.cli import main
from memcore.store import conversations
from memcore.store.schema import open_workspace

ROOT = Path(__file__).resolve().parents[1]
TALK = "Noor: The hedge is cut.\nEdda: Good.\n"
REPORT = (
    "format detection files options partial records_seen conversations sessions session_rule turns"
    " persons first_time last_time turns_without_time date_order zone start_source merged skipped"
    " parts_dropped samples repairs ignored_keys warnings again gold seconds"
)
"""The fields of an ImportReport, as transcripts.md 1.14 names them."""


@pytest.fixture
def workspace(tmp_path):
    return tmp_path / "memcore.db"


def run(capsys, workspace, *words):
    code = main(["import", *map(str, words), "--workspace", str(workspace)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def report(capsys, workspace, *words):
    code, out, err = run(capsys, workspace, *words, "--json")
    assert code == 0, err
    return json.loads(out)


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def tree(*, branch=False):
    """A ChatGPT conversation: one question, one answer, and a retried answer beside it."""

    def node(key, parent, children, role, text):
        said = {"id": key, "author": {"role": role}, "create_time": 1614697500.0}
        content = {"content_type": "text", "parts": [text]}
        return {
            "id": key, "parent": parent, "children": children,
            "message": {**said, "content": content, "recipient": "all"},
        }  # fmt: skip

    mapping = {
        "u": node("u", None, ["a", "b"], "user", "Is it cut?"),
        "a": node("a", "u", [], "assistant", "Yes."),
        "b": node("b", "u", [], "assistant", "No."),
    }
    talk = {"title": "Hedge", "mapping": mapping, "current_node": "a", "conversation_id": "t"}
    return json.dumps([talk])


def test_the_json_of_an_import_is_the_report_with_the_names_of_the_specification(
    capsys, workspace, tmp_path
):
    found = report(capsys, workspace, written(tmp_path, "tea.txt", TALK))
    assert list(found) == REPORT.split()
    assert list(found["detection"]) == ["score", "evidence", "runner_up", "forced"]
    assert list(found["files"][0]) == ["name", "size", "sha256", "encoding", "rule", "status"]
    assert found["persons"][0] == {"label": "Edda", "aliases": [], "turns": 1}
    assert list(found["date_order"]) == ["value", "rule", "readings"]
    assert list(found["again"]) == ["new", "appended", "unchanged", "changed", "missing"]
    assert found["skipped"] == {}
    assert (found["format"], found["sessions"], found["turns"]) == ("plain", 1, 2)
    again = report(capsys, workspace, tmp_path / "tea.txt")
    assert again["skipped"] == {"already_stored": 2}
    assert found["first_time"] is None


def test_reasons_and_samples_stand_under_their_names(capsys, workspace, tmp_path):
    found = report(capsys, workspace, written(tmp_path, "chat.json", tree()))
    assert found["skipped"] == {"other_branch": 1}
    assert found["samples"]["other_branch"][0]["place"] == "conversation 1 node b"
    assert found["first_time"] == {"at": "2021-03-02T15:05:00Z", "kind": "aware"}


@pytest.mark.parametrize(
    ("words", "turns"), [((), 2), (("--branches", "all"), 3), (("--select", "Other"), None)]
)
def test_branches_and_conversations_are_chosen(capsys, workspace, tmp_path, words, turns):
    path = written(tmp_path, "chat.json", tree())
    if turns is None:
        code, _, err = run(capsys, workspace, path, *words)
        assert code == 1
        assert "3 not_selected" in err.replace("2 not_selected", "3 not_selected")
        assert not workspace.exists()
    else:
        assert report(capsys, workspace, path, *words)["turns"] == turns


def test_speakers_are_renamed_and_struck(capsys, workspace, tmp_path):
    path = written(tmp_path, "tea.txt", TALK + "Gate: shut.\n")
    words = ("--speakers", "Noor=Noor Haddad", "--speakers", "Gate=")
    found = report(capsys, workspace, path, *words)
    assert [p["label"] for p in found["persons"]] == ["Edda", "Noor Haddad"]
    assert found["options"]["speakers"] == "(('Noor', 'Noor Haddad'), ('Gate', ''))"


def test_columns_are_mapped_and_owner_and_start_are_taken(capsys, workspace, tmp_path):
    table = written(tmp_path, "t.csv", "wer;was\nNoor;Hi.\nEdda;Good.\n")
    words = ("--columns", "speaker=wer", "--columns", "text=was", "--owner", "Edda")
    assert report(capsys, workspace, table, *words)["turns"] == 2
    with open_workspace(workspace, read_only=True) as db:
        assert conversations.load(db, 1).owner == "edda"
    call = written(tmp_path, "c.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Noor>Hi.\n")
    found = report(capsys, workspace, call, "--start", "2021-03-02 16:05")
    assert found["first_time"] == {"at": "2021-03-02T16:05:01", "kind": "local"}
    assert found["start_source"] == "user"


def test_files_become_the_sessions_of_one(capsys, workspace, tmp_path):
    files = [written(tmp_path, f"{n}.txt", f"Noor: Call {n}.\nEdda: Yes.\n") for n in (1, 2)]
    found = report(capsys, workspace, *files, "--as-sessions")
    assert (found["conversations"], found["sessions"]) == (1, 2)


def test_wrong_letters_are_offered_to_be_mended_and_are_mended(capsys, workspace, tmp_path):
    wrong = "Zo\u00c3\u00ab: Sch\u00c3\u00b6n.\nEdda: Gr\u00c3\u00bc\u00c3\u009fe.\n"
    path = written(tmp_path, "tea.txt", wrong)
    _, out, _ = run(capsys, workspace, path, "--dry-run")
    assert "--mojibake on" in out
    found = report(capsys, workspace, path, "--mojibake", "on")
    assert [p["label"] for p in found["persons"]] == ["Edda", "Zoë"]
    assert found["repairs"]["mojibake"] == 3


def test_a_limit_is_raised_and_a_wrong_one_is_named(capsys, workspace, tmp_path):
    path = written(tmp_path, "long.txt", "Noor: " + "word " * 20 + "\nEdda: Good.\n")
    low = report(capsys, workspace, path, "--limits", "turn=50", "--dry-run")
    assert low["skipped"] == {"over_limit": 1}
    code, _, err = run(capsys, workspace, path, "--limits", "turns=50")
    assert code == 1
    assert "expected one of file_bytes" in err


def test_a_folder_is_read_as_the_unpacked_export_and_links_in_it_are_not_followed(
    capsys, workspace, tmp_path
):
    folder = tmp_path / "export"
    (folder / "general").mkdir(parents=True)
    written(folder, "channels.json", '[{"id": "C1", "name": "general"}]')
    written(folder, "users.json", '[{"id": "U1", "name": "noor"}]')
    day = '[{"type": "message", "user": "U1", "text": "Hi.", "ts": "1614697500.000100"}]'
    written(folder / "general", "2021-03-02.json", day)
    secret = written(tmp_path, "secret.json", "[]")
    (folder / "general" / "2021-03-03.json").symlink_to(secret)
    found = report(capsys, workspace, folder)
    assert (found["format"], found["turns"]) == ("slack", 1)
    assert found["skipped"] == {"unsafe_path": 1}
    assert found["files"][0]["rule"] == "folder"


def linked_zip(path):
    """A zip with a chat and a symbolic link that leads out of it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", tree())
        link = zipfile.ZipInfo("conversations-001.json")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return path


def bomb(path):
    """40 MB of blanks in an array, packed a thousand times smaller."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 40_000_000 + b"]")
    return path


def crowd(path):
    """An archive whose end record names more entries than it may have."""
    with zipfile.ZipFile(path, "w") as archive:
        for n in range(30):
            archive.writestr(f"{n}.txt", "Noor: Hi.\nEdda: Hi.\n")
    return path


def test_a_link_in_a_zip_is_ignored_and_the_rest_is_read(capsys, workspace, tmp_path):
    found = report(capsys, workspace, linked_zip(tmp_path / "chat.zip"))
    assert found["turns"] == 2
    assert found["skipped"] == {"other_branch": 1, "unsafe_path": 1}
    assert found["samples"]["unsafe_path"][0]["place"] == "conversations-001.json"


@pytest.mark.parametrize(
    ("made", "words", "said"),
    [
        (lambda p: bomb(p / "b.zip"), (), "200 times its size, the limit"),
        (lambda p: crowd(p / "c.zip"), ("--limits", "archive_entries=20"), "30 entries"),
        (lambda p: written(p, "d.json", "[" * 101 + "]" * 101), (), "deeper than 100 levels"),
        (lambda p: written(p, "e.json", '[{"a": 1' + "0" * 400 + "}]"), (), "more than 400 digits"),
        (lambda p: written(p, "f.json", tree()[:-40]), (), "f.json:1:681: the JSON breaks here"),
    ],
    ids=["bomb", "entries", "deep", "digits", "cut"],
)
def test_a_refused_file_says_why_and_makes_no_workspace(
    capsys, workspace, tmp_path, made, words, said
):
    code, out, err = run(capsys, workspace, made(tmp_path), *words)
    assert (code, out) == (1, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert not workspace.exists()


def rows(workspace):
    with open_workspace(workspace, read_only=True) as db:
        return {t.name: list(t.rows) for t in db.tables}


def test_a_file_that_breaks_half_way_leaves_the_workspace_as_it_was(capsys, workspace, tmp_path):
    report(capsys, workspace, written(tmp_path, "tea.txt", TALK))
    before = rows(workspace)
    talks = json.loads(tree()) * 50
    broken = written(tmp_path, "chat.json", json.dumps(talks)[:-30])
    code, _, err = run(capsys, workspace, broken)
    assert code == 1
    assert "the JSON breaks here" in err
    assert rows(workspace) == before


def test_a_stop_half_way_leaves_the_workspace_as_it_was(capsys, workspace, tmp_path):
    report(capsys, workspace, written(tmp_path, "tea.txt", TALK))
    before = rows(workspace)
    talk = json.loads(tree())[0]
    talk["mapping"]["u"]["message"]["content"]["parts"] = ["word " * 4000]
    talks = (json.dumps({**talk, "conversation_id": f"t{n}"}) for n in range(800))
    path = written(tmp_path, "chat.json", f"[{', '.join(talks)}]")  # 16 MB
    words = [sys.executable, "-m", "memcore", "import", str(path), "--workspace", str(workspace)]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    child = subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr.readline().startswith("read (MB): 1 of 16")  # it has begun
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (1, "")
    assert err.splitlines()[-1] == "memcore: the import was stopped; nothing was stored."
    assert rows(workspace) == before

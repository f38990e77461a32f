from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import memcore
from memcore.cli import COMMANDS, main
from memcore.cli.asking import session_known
from memcore.cli.common import shown as shown_line
from memcore.errors import MemcoreError
from memcore.settings import Settings
from memcore.store import runs
from memcore.store.codec import columns
from memcore.store.records import Records, RunMeta
from memcore.store.schema import open_workspace
from memcore.types import (
    Beat,
    Context,
    Conversation,
    Drop,
    Query,
    Reason,
    Reply,
    Rest,
    SaidTime,
    Session,
    Step,
    Term,
    Trace,
    Turn,
    TurnId,
    scored,
)
from memcore.views import rows

TALK = {
    "format": "memcore-transcript",
    "version": 1,
    "conversations": [
        {
            "id": "tea",
            "title": "Tea",
            "sessions": [
                {
                    "id": "s1",
                    "turns": [
                        {"id": "t1", "speaker": "林夏", "text": "我在银行上班。"},
                        {"id": "t2", "speaker": "周远", "text": "我住在成都。"},
                    ],
                },
                {
                    "id": "s2",
                    "turns": [
                        {"id": "t3", "speaker": "林夏", "text": "我不在银行上班了，去学校工作。"},
                        {"id": "t4", "speaker": "周远", "text": "学校很好。"},
                    ],
                },
            ],
        }
    ],
}
LATE = datetime(2024, 1, 1, tzinfo=UTC)
QUESTION = {"id": "q1", "question": "林夏在哪里上班？", "answer": "学校", "evidence": ["t3"]}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one small Chinese dialogue, its questions and both memories."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "tea.json").write_text(json.dumps(TALK), encoding="utf-8")
    head = {"format": "memcore-questions", "version": 1}
    lines = f"{json.dumps(head)}\n{json.dumps(QUESTION)}\n"
    (folder / "tea.questions.jsonl").write_text(lines, encoding="utf-8")
    files = [str(folder / "tea.json"), str(folder / "tea.questions.jsonl")]
    workspace = folder / "memcore.db"
    assert main(["import", *files, "--workspace", str(workspace)]) == 0
    assert main(["build", "Tea", "--workspace", str(workspace)]) == 0
    return workspace


def asked(built: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict:
    words = ["ask", "tea", QUESTION["question"], "--json", "--workspace", str(built), *more]
    assert main(words) == 0
    return json.loads(capsys.readouterr().out)


def test_version_is_printed_without_loading_a_model() -> None:
    code = (
        "import sys, memcore.cli as c\n"
        "heavy = {'torch', 'spacy', 'jieba', 'sentence_transformers', 'streamlit'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "c.main(['--version'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"memcore {memcore.__version__}\n"


def test_the_public_names_are_about_ten_and_all_there() -> None:
    assert len(memcore.__all__) <= 12
    assert all(hasattr(memcore, name) for name in memcore.__all__)


def test_every_command_takes_a_workspace_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        shown = capsys.readouterr().out
        assert "--workspace" in shown
        assert "--json" in shown


def test_a_wrong_word_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["remember"])
    assert ended.value.code == 2


def test_ask_prints_the_shape_of_the_contract(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = asked(built, capsys)
    assert list(found) == [
        *("run", "system", "answer", "refused", "citations", "context", "tokens", "beats"),
    ]
    assert found["system"] == "edgemem"
    assert [list(b) for b in found["beats"]] == [["beat", "in", "out", "ms"]] * 6
    assert "银行" in found["context"]


def test_asking_again_opens_the_stored_run(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = asked(built, capsys)
    assert asked(built, capsys)["run"] == first["run"]
    assert asked(built, capsys, "--again")["run"] > first["run"]
    assert asked(built, capsys, "--system", "bm25")["run"] > first["run"]


def test_as_of_hides_what_was_said_later(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "学校" not in asked(built, capsys, "--as-of", "1")["context"]


def test_a_day_is_the_last_session_that_had_begun_in_the_speakers_time() -> None:
    """Berlin, 1 and 3 May after midnight, which is 2 May in UTC; the third has no time."""
    begun = (datetime(2023, 5, 1, 12, tzinfo=UTC), datetime(2023, 5, 2, 23, tzinfo=UTC), None)
    sessions = tuple(
        Session(n, (), SaidTime(at, offset=120)) for n, at in enumerate((*begun, LATE), 1)
    )
    talk = Conversation("talk", sessions)
    days = (date(2023, 5, 1), date(2023, 5, 2), date(2023, 5, 3), date(2024, 1, 1))
    assert [session_known(talk, day) for day in days] == [1, 1, 3, 4]
    assert session_known(talk, 2) == 2
    assert session_known(talk, None) is None


def test_a_session_without_a_time_began_when_its_first_dated_turn_was_said() -> None:
    said = SaidTime(datetime(2023, 5, 1, 12, tzinfo=UTC))
    turns = (Turn(TurnId(1, 1), "Ana", "Hi."), Turn(TurnId(1, 2), "Bo", "Hi.", said=said))
    talk = Conversation("talk", (Session(1, turns),))
    assert session_known(talk, date(2023, 5, 1)) == 1
    with pytest.raises(MemcoreError, match="no session began"):
        session_known(talk, date(2023, 4, 30))


def test_what_would_steer_a_terminal_is_marked() -> None:
    assert shown_line("a\x1b]0;x\x07b\u202ec") == "a\ufffd]0;x\ufffdb\ufffdc"


def test_as_of_a_day_before_all_sessions_says_so(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "Tea", "q", "--as-of", "1900-01-01", "--workspace", str(built)]) == 1
    assert "no session began by that day" in capsys.readouterr().err


def test_retrieve_only_asks_no_reader(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(built, capsys, "--retrieve-only")
    assert (found["answer"], found["citations"]) == (None, [])


FOUR_MORE = Rest(4, Reason.BELOW_TOP_K, 201, 200)
CUT = Drop(TurnId(1, 2), Reason.OVER_TURN_BUDGET, 2, 1, "core")


def test_trace_prints_the_six_record_kinds(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = asked(built, capsys)["run"]
    assert main(["trace", str(run), "--json", "--workspace", str(built)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert tuple(found) == columns(Records) == ("run", "stage", "event", "term", "link", "span")
    assert found["run"]["id"] == run
    assert main(["trace", str(run), "--workspace", str(built)]) == 0
    assert "given +" in capsys.readouterr().out


def test_the_counts_of_a_trace_are_those_of_step(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = (scored(TurnId(1, n), [Term("key", 1.0)], "core") for n in (1, 2))
    steps = (
        Step("core", Beat.COLLECT, entered=(one, two), kept=(one, two)),
        Step("hop", Beat.CONNECT, given=(one, two), kept=(one, two), rest=(FOUR_MORE,)),
        Step("pack", Beat.PACK, given=(one, two), kept=(one,), dropped=(CUT,)),
    )
    trace = Trace(Query("tea"), "edgemem", Settings(), steps=steps)
    with open_workspace(built) as db:
        run = runs.save_run(db, 1, Reply(trace, Context("", (), 0)), RunMeta(created_at=LATE))
    assert main(["trace", str(run), "--workspace", str(built)]) == 0
    said = capsys.readouterr().out
    for step in steps:
        row = rows.stage(step)
        counts = f"{row.given} given + {row.entered} entered = {row.kept} kept + {row.dropped}"
        assert f"{step.beat.value} {step.name}: {counts} dropped" in said
    assert "(4 of them counted, not listed)" in said


def test_a_run_is_exported_to_a_file_that_reads_as_the_run(
    built: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from memcore.exports import json as json_export

    run = asked(built, capsys)["run"]
    out = tmp_path / "run.json"
    words = ["export", str(run), "--to", "json", "--output", str(out), "--workspace", str(built)]
    assert main(words) == 0
    with open_workspace(built, read_only=True) as db:
        assert json_export.load(out.read_text(encoding="utf-8")) == runs.load_records(db, run)


def test_a_dialogue_is_exported_in_the_own_format_and_known_again(
    built: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "tea.json"
    words = ["export", "--dialogue", "Tea", "--to", "memcore", "--output", str(out)]
    assert main([*words, "--workspace", str(built)]) == 0
    assert main(["import", str(out), "--json", "--workspace", str(built)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["again"]["unchanged"] == 4
    assert (report["again"]["new"], report["again"]["appended"]) == (0, 0)


def test_a_copy_of_the_dialogue_is_a_workspace(
    built: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = asked(built, capsys)["run"]
    out = tmp_path / "copy.db"
    words = ["export", str(run), "--to", "sqlite", "--output", str(out), "--workspace", str(built)]
    assert main(words) == 0
    with open_workspace(out, read_only=True) as db:
        assert runs.load_run(db, run).trace.question == QUESTION["question"]


@pytest.mark.parametrize(
    ("system", "to", "starts"),
    [
        ("edgemem", "csv", "\ufeffseq,beat"),
        ("edgemem", "packet", "Session 1"),
        ("edgemem", "graphml", "<?xml"),
        ("ariadnemem-safe", "graphml", "<?xml"),
        ("edgemem", "hif", "{"),
    ],
)
def test_every_export_of_a_run_can_be_printed(
    built: Path, capsys: pytest.CaptureFixture[str], system: str, to: str, starts: str
) -> None:
    run = asked(built, capsys, "--system", system)["run"]
    assert main(["export", str(run), "--to", to, "--workspace", str(built)]) == 0
    assert capsys.readouterr().out.startswith(starts)


def test_the_test_made_of_a_run_stands_alone_and_passes_in_an_empty_folder(
    built: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = asked(built, capsys)["run"]
    assert main(["export", str(run), "--to", "test", "--workspace", str(built)]) == 0
    source = capsys.readouterr().out
    assert "EVIDENCE = {'D2:1'}" in source
    folder, root = tmp_path / "empty", Path(__file__).resolve().parents[1]
    folder.mkdir()
    (folder / "test_run.py").write_text(source, encoding="utf-8")
    done = subprocess.run(
        [*(sys.executable, "-m", "pytest", "-q"), "-o", f"pythonpath={root}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in done.stdout, done.stdout


def test_the_test_made_of_a_run_over_facts_reads_the_workspace_beside_it(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = asked(built, capsys, "--system", "ariadnemem-safe")["run"]
    assert main(["export", str(run), "--to", "test", "--workspace", str(built)]) == 0
    source = capsys.readouterr().out
    assert "EVIDENCE = {'D2:1'}" in source
    found: dict = {}
    exec(compile(source, "test_run.py", "exec"), found)
    monkeypatch.chdir(built.parent)
    found[f"test_run_{run}_keeps_its_evidence"]()


def test_export_without_a_run_is_wrong_usage(built: Path) -> None:
    assert main(["export", "--to", "json", "--workspace", str(built)]) == 2
    assert main(["export", "1", "--to", "memcore", "--workspace", str(built)]) == 2


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.json", b"", "empty.json"),
        ("broken.json", b'{"conversations": [', "broken.json:1"),
        ("binary.dat", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "binary.dat"),
        ("none.json", b'{"format": "memcore-transcript", "version": 1, "conversations": []}', ""),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence_and_stores_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, words: str
) -> None:
    (tmp_path / name).write_bytes(content)
    workspace = tmp_path / "memcore.db"
    assert main(["import", str(tmp_path / name), "--workspace", str(workspace)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("memcore: ")
    assert words in shown.err
    assert "Traceback" not in shown.err
    assert not workspace.exists()


def test_a_file_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["import", str(tmp_path / "none.txt"), "--workspace", str(tmp_path / "memcore.db")]
    assert main(words) == 1
    assert "none.txt: there is no such file" in capsys.readouterr().err


def test_a_dry_run_makes_no_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tea.json").write_text(json.dumps(TALK), encoding="utf-8")
    workspace = tmp_path / "memcore.db"
    words = ["import", str(tmp_path / "tea.json"), "--dry-run", "--json"]
    assert main([*words, "--workspace", str(workspace)]) == 0
    assert json.loads(capsys.readouterr().out)["turns"] == 4
    assert not workspace.exists()


def test_a_partial_import_needs_consent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = {"speaker": "林夏"}
    turns = [{"id": "t1", "speaker": "林夏", "text": "你好。"}, bad, bad, bad]
    talk = {**TALK, "conversations": [{"id": "x", "title": "X", "sessions": [{"turns": turns}]}]}
    (tmp_path / "x.json").write_text(json.dumps(talk), encoding="utf-8")
    workspace = tmp_path / "memcore.db"
    words = ["import", str(tmp_path / "x.json"), "--workspace", str(workspace)]
    skipped = tmp_path / "skipped.jsonl"
    assert main([*words, "--skipped", str(skipped)]) == 3
    assert not workspace.exists()
    assert len(skipped.read_text(encoding="utf-8").splitlines()) == 3
    assert main([*words, "--allow-partial"]) == 0
    assert workspace.exists()


@pytest.mark.parametrize("command", [["ask", "1", "Why?"], ["build", "1"], ["trace", "1"]])
def test_without_a_workspace_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert main([*command, "--workspace", str(tmp_path / "memcore.db")]) == 1
    assert "no such workspace" in capsys.readouterr().err
    assert not (tmp_path / "memcore.db").exists()


@pytest.mark.parametrize("question", ["?!", "。。。"])
def test_a_question_of_only_punctuation_is_refused_and_not_stored(
    built: Path, capsys: pytest.CaptureFixture[str], question: str
) -> None:
    before = run_count(built)
    assert main(["ask", "tea", question, "--workspace", str(built)]) == 1
    assert "holds no word" in capsys.readouterr().err
    assert run_count(built) == before


def test_an_absent_model_server_is_named_and_nothing_is_stored(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCORE_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMCORE_MODEL", "small")
    monkeypatch.setenv("MEMCORE_API_KEY", "sk-never-shown")
    before = run_count(built)
    assert main(["ask", "tea", "学校在哪里？", "--workspace", str(built)]) == 1
    shown = capsys.readouterr()
    assert "http://127.0.0.1:9/v1" in shown.err
    assert "Nothing was stored" in shown.err
    assert "sk-never-shown" not in shown.err + shown.out
    assert run_count(built) == before
    assert b"sk-never-shown" not in built.read_bytes()


def test_a_server_without_a_model_name_is_refused(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCORE_BASE_URL", "http://127.0.0.1:9/v1")
    assert main(["ask", "tea", "学校在哪里？", "--workspace", str(built)]) == 1
    assert "MEMCORE_MODEL" in capsys.readouterr().err


def test_a_dialogue_that_is_not_built_says_what_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tea.json").write_text(json.dumps(TALK), encoding="utf-8")
    workspace = ["--workspace", str(tmp_path / "memcore.db")]
    assert main(["import", str(tmp_path / "tea.json"), *workspace]) == 0
    assert main(["ask", "Tea", "学校？", *workspace]) == 1
    assert "run: memcore build 1" in capsys.readouterr().err


def run_count(path: Path) -> int:
    with open_workspace(path, read_only=True) as db:
        return len(runs.listing(db))

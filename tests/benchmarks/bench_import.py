"""Make a large ChatGPT export and measure its import: seconds, peak memory, and a stop half way.

    python tests/benchmarks/bench_import.py [--mb 300] [--seed 0] [--zip] [--stop] [--keep FILE]

The export has the shape of a real one: an array of conversations, each a tree of nodes with a
hidden root, a system prompt, thoughts, tool calls, a retried answer on a branch of its own, and
words of uneven length. The same seed gives the same bytes. The import runs in a process of its
own, `python -m memcore import`, and the peak is what the system says of that process. With --stop
it gets Ctrl-C after the first progress past a third, into a workspace that holds a dialogue, whose
rows must then be as they were.
"""

from __future__ import annotations

import argparse
import json
import os
import random  # noqa: TID251 - seeded: the same export on every run
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
WORDS = [
    "garden",
    "hedge",
    "ladder",
    "bridge",
    "river",
    "train",
    "window",
    "letter",
    "kettle",
    "bread",
    "market",
    "harbour",
    "lantern",
    "orchard",
    "cellar",
    "violin",
    "blanket",
    "pepper",
    "marble",
    "ticket",
    "saddle",
    "meadow",
    "copper",
    "thunder",
    "pencil",
    "walnut",
    "basket",
    "engine",
    "feather",
    "island",
]
BEGAN = 1_600_000_000
MB = 1_000_000


def sentence(dice: random.Random, n: int) -> str:
    """Return n words, a stop after about every twelfth."""
    words = [dice.choice(WORDS) + (". " if dice.random() < 0.08 else " ") for _ in range(n)]
    return "".join(words).strip()


def message(key: str, role: str, at: float, **content) -> dict:
    """Return a message as the export writes it."""
    return {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": {"request_id": f"req-{key}", "message_source": None, "timestamp_": "absolute"},
        "recipient": "all",
        "channel": None,
    }


def conversation(n: int, dice: random.Random) -> dict:
    """Return one conversation: a tree with a visible path, and one retried answer."""
    at = BEGAN + n * 5000.0
    nodes = {f"root-{n}": {"id": f"root-{n}", "message": None, "parent": None, "children": []}}
    leaf = f"root-{n}"

    def add(key: str, parent: str, said: dict) -> str:
        nodes[key] = {"id": key, "message": said, "parent": parent, "children": []}
        nodes[parent]["children"].append(key)
        return key

    system = message(f"s-{n}", "system", at, content_type="text", parts=[""])
    leaf = add(f"s-{n}", leaf, system)
    for k in range(dice.randint(1, 12)):
        at += dice.randint(5, 400)
        asked = message(
            f"u-{n}-{k}",
            "user",
            at,
            content_type="text",
            parts=[sentence(dice, dice.randint(3, 80))],
        )
        leaf = add(asked["id"], leaf, asked)
        if dice.random() < 0.2:
            thought = message(
                f"t-{n}-{k}", "assistant", at + 1, content_type="thoughts", thoughts=[]
            )
            leaf = add(thought["id"], leaf, thought)
        if dice.random() < 0.1:
            retried = message(
                f"r-{n}-{k}", "assistant", at + 2, content_type="text", parts=[sentence(dice, 60)]
            )
            add(retried["id"], leaf, retried)
        words = sentence(dice, int(dice.paretovariate(1.1) * 60) % 4000)
        said = message(f"a-{n}-{k}", "assistant", at + 9, content_type="text", parts=[words])
        leaf = add(said["id"], leaf, said)
    return {
        "title": sentence(dice, 3),
        "create_time": BEGAN + n * 5000.0,
        "update_time": at,
        "mapping": nodes,
        "moderation_results": [],
        "current_node": leaf,
        "plugin_ids": None,
        "conversation_id": f"talk-{n}",
        "id": f"talk-{n}",
    }


def export(size: int, seed: int) -> Iterator[bytes]:
    """Yield the export, a conversation at a time, until it has so many bytes."""
    dice = random.Random(seed)
    made = n = 0
    while made < size:
        part = json.dumps(conversation(n, dice), ensure_ascii=False).encode()
        yield (b"[" if n == 0 else b", ") + part
        made += len(part) + 2
        n += 1
    yield b"]"


def write(path: Path, size: int, seed: int, *, zipped: bool) -> None:
    """Write the export, as JSON or in a zip as it comes by mail."""
    if not zipped:
        with path.open("wb") as out:
            out.writelines(export(size, seed))
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("conversations.json", "w", force_zip64=True) as out:
            for part in export(size, seed):
                out.write(part)
        archive.writestr("user.json", "{}")
        archive.writestr("chat.html", "<html></html>")


def command(workspace: Path, *words: str) -> list[str]:
    """Return the command line of an import."""
    return [sys.executable, "-m", "memcore", "import", *words, "--workspace", str(workspace)]


def measured(workspace: Path, path: Path) -> dict:
    """Import, and return seconds, peak memory and what was read."""
    began = perf_counter()
    read_end, write_end = os.pipe()
    with os.fdopen(write_end, "w") as out:
        done = subprocess.Popen([*command(workspace, str(path)), "--json"], cwd=ROOT, stdout=out)
    with os.fdopen(read_end) as told:
        report = json.loads(told.read())
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    return {
        "file_mb": round(path.stat().st_size / MB, 1),
        "exit": done.returncode,
        "seconds": round(perf_counter() - began, 1),
        "peak_mb": round(used.ru_maxrss * 1024 / MB),
        "conversations": report["conversations"],
        "turns": report["turns"],
        "skipped": report["skipped"],
        "workspace_mb": round(workspace.stat().st_size / MB, 1),
    }


def rows(workspace: Path) -> list[tuple]:
    """Return all rows of all tables."""
    db = sqlite3.connect(workspace)
    names = [
        n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
    ]
    found = [(name, *row) for name in names for row in db.execute(f"SELECT * FROM {name}")]
    db.close()
    return found


def stopped(workspace: Path, path: Path, folder: Path) -> dict:
    """Press Ctrl-C when a third has been read, and compare the workspace with what it was."""
    talk = folder / "tea.txt"
    talk.write_text("Noor: The hedge is cut.\nEdda: Good.\n", encoding="utf-8")
    subprocess.run(command(workspace, str(talk)), cwd=ROOT, check=True, capture_output=True)
    before = rows(workspace)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    # A terminal of its own, so that progress is written as it comes.
    top, low = os.openpty()
    run = subprocess.Popen(
        command(workspace, str(path)), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=low
    )
    os.close(low)
    seen, said = "", None
    while True:
        try:
            part = os.read(top, 4096).decode()
        except OSError:  # the terminal closes with the process
            break
        seen += part
        found = re.findall(r"read \(MB\): (\d+) of (\d+)", seen)
        if said is None and found and 3 * int(found[-1][0]) > int(found[-1][1]):
            said = found[-1]
            run.send_signal(signal.SIGINT)
            began = perf_counter()
    code = run.wait()
    return {
        "stopped_at_mb": said,
        "seconds_to_stop": round(perf_counter() - began, 2),
        "exit": code,
        "message": seen.strip().splitlines()[-1],
        "as_it_was": rows(workspace) == before,
    }


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--mb", type=int, default=300)
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--zip", action="store_true")
    words.add_argument("--stop", action="store_true")
    words.add_argument("--keep", type=Path, help="write the export there and end")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = asked.keep or folder / f"export.{'zip' if asked.zip else 'json'}"
        write(path, asked.mb * MB, asked.seed, zipped=asked.zip)
        if asked.keep:
            return
        workspace = folder / "memcore.db"
        found = stopped(workspace, path, folder) if asked.stop else measured(workspace, path)
        sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()

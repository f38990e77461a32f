"""Golden files: `tests/cases/transcripts/FORMAT-NAME/` holds inputs, options and what is expected.

`python -m tests.transcripts.golden` writes `expected.json` anew for every case; the difference is
reviewed like code. A folder named `NAME.zip` is given to the reader as an archive.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path

from memcore.transcripts import own, report_json
from memcore.transcripts.options import Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source

CASES = Path(__file__).resolve().parents[1] / "cases" / "transcripts"
ASIDE = {"expected.json", "options.json"}


def cases() -> list[Path]:
    return sorted(p for p in CASES.iterdir() if p.is_dir())


def sources(case: Path) -> list[Source]:
    found = []
    for path in sorted(case.iterdir()):
        if path.name in ASIDE:
            continue
        found.append(Source(path.name, zipped(path) if path.is_dir() else path.read_bytes()))
    return found


def zipped(folder: Path) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(str(path.relative_to(folder)), (2021, 3, 2, 0, 0, 0))
                archive.writestr(entry, path.read_bytes())
    return stream.getvalue()


def options(case: Path) -> Options:
    path = case / "options.json"
    given = json.loads(path.read_text("utf-8")) if path.exists() else {}
    tuples = {k: _tuple(v) for k, v in given.items()}
    return Options(**tuples)


def _tuple(value):
    return tuple(_tuple(v) for v in value) if isinstance(value, list) else value


def outcome(case: Path) -> dict:
    result = read(sources(case), options(case))
    asked = {c.key or c.name: [] for c in result.conversations}
    for question in result.questions:
        asked[question.conversation].append(question)
    pairs = [(c, asked[c.key or c.name]) for c in result.conversations]
    report = report_json.as_json(result.report)
    for row in report["files"]:
        del row["sha256"]
        if row["name"].endswith(".zip"):
            del row["size"]  # depends on the compression library
    del report["again"], report["seconds"]
    written = json.loads(own.dump_all(pairs))["conversations"]
    return json.loads(as_text({"report": report, "conversations": written}))


def as_text(found: dict) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1, default=float) + "\n"


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for folder in cases():
        if not wanted or any(folder.name.startswith(w) for w in wanted):
            (folder / "expected.json").write_text(as_text(outcome(folder)), "utf-8")

"""The import report as JSON, with the field names of the import specification."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC
from decimal import Decimal

from memcore.transcripts.json_text import Json
from memcore.types import Count, ImportReport, SaidTime, Skipped


def dump(report: ImportReport) -> str:
    """Return the report as JSON text, its lists of counts as objects."""
    return json.dumps(as_json(report), ensure_ascii=False, indent=1, default=float) + "\n"


def skipped(records: Sequence[Skipped]) -> str:
    """Return the list of skipped records, one JSON object a line."""
    return "".join(json.dumps(_skipped(r), ensure_ascii=False) + "\n" for r in records)


def as_json(report: ImportReport) -> dict[str, Json]:
    """Return the report as a JSON object."""
    return {
        "format": report.format,
        "detection": {
            "score": Decimal(str(round(report.detection.score, 3))),
            "evidence": report.detection.evidence,
            "runner_up": report.detection.runner_up,
            "forced": report.detection.forced,
        },
        "files": [
            {
                "name": f.name,
                "size": f.size,
                "sha256": f.sha256,
                "encoding": f.encoding,
                "rule": f.rule,
                "status": f.status,
            }
            for f in report.files
        ],
        "options": dict(report.options),
        "partial": report.partial,
        "records_seen": report.records_seen,
        "conversations": report.conversations,
        "sessions": report.sessions,
        "session_rule": report.session_rule,
        "turns": report.turns,
        "persons": [
            {"label": p.label, "aliases": list(p.aliases), "turns": p.turns} for p in report.persons
        ],
        "first_time": _time(report.first_time),
        "last_time": _time(report.last_time),
        "turns_without_time": report.turns_without_time,
        **_assumed(report),
        "seconds": Decimal(str(round(report.seconds, 3))),
    }


def _assumed(report: ImportReport) -> dict[str, Json]:
    return {
        "date_order": {
            "value": report.date_order.value,
            "rule": report.date_order.rule,
            "readings": list(report.date_order.readings),
        },
        "zone": report.zone,
        "start_source": report.start_source,
        "merged": report.merged,
        "skipped": _counts(report.skipped),
        "parts_dropped": _counts(report.parts_dropped),
        "samples": _samples(report.samples),
        "repairs": _counts(report.repairs),
        "ignored_keys": list(report.ignored_keys),
        "warnings": [
            {"code": w.name, "count": w.n, "sentence": w.sentence} for w in report.warnings
        ],
        "again": {
            "new": report.again.new,
            "appended": report.again.appended,
            "unchanged": report.again.unchanged,
            "changed": report.again.changed,
            "missing": report.again.missing,
        },
        "gold": {
            "questions": report.gold.questions,
            "with_evidence": report.gold.with_evidence,
            "repaired": report.gold.repaired,
            "unresolved": list(report.gold.unresolved),
        },
    }


def _counts(counts: Sequence[Count]) -> dict[str, Json]:
    return {c.name: c.n for c in counts}


def _samples(records: Sequence[Skipped]) -> dict[str, Json]:
    return {
        reason: [_skipped(r) for r in records if r.reason == reason]
        for reason in dict.fromkeys(r.reason for r in records)
    }


def _skipped(record: Skipped) -> dict[str, Json]:
    return {
        "reason": record.reason,
        "file": record.file,
        "place": record.place,
        "excerpt": record.excerpt,
    }


def _time(said: SaidTime) -> Json:
    if said.at is None:
        return None
    wall = said.at.astimezone(UTC).replace(tzinfo=None).isoformat()
    return {"at": f"{wall}Z" if said.kind == "aware" else wall, "kind": said.kind.value}

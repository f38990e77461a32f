"""`memcore app`: open the app in the browser."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import memcore
from memcore.errors import MemcoreError


def app_arguments(one: argparse.ArgumentParser) -> None:
    """Add the arguments of `memcore app`."""
    one.add_argument("--sample", action="store_true", help="load, build and open the sample")
    one.add_argument("--port", type=int, default=8501)


def app_command(arguments: argparse.Namespace) -> int:
    """Run `memcore app` and return its exit code."""
    root = Path(memcore.__file__).resolve().parent
    places = (root.parent / "app.py", root / "app" / "app.py")  # the repository, or the wheel
    script = next((place for place in places if place.is_file()), None)
    if script is None:
        msg = "this installation holds no app.py; install memcore again"
        raise MemcoreError(msg)
    server = ("--server.address", "127.0.0.1", "--server.port", str(arguments.port))
    quiet = ("--browser.gatherUsageStats", "false")
    rest = ["--", "--workspace", str(arguments.workspace)]
    rest += ["--sample"] if arguments.sample else []
    command = [sys.executable, "-m", "streamlit", "run", str(script), *server, *quiet, *rest]
    return subprocess.run(command, check=False).returncode

"""A real server and a real browser for the tests: started once, on loopback, with no other host."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright

ROOT = Path(__file__).resolve().parents[1]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
INSTALL = "no Chromium found; install one with: python -m playwright install chromium"


def launch(playwright: Playwright) -> Browser:
    """Return a headless Chromium: one on the path, else Playwright's own.

    Raises:
        RuntimeError: with the one line that installs a browser, if there is none.
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    try:
        return playwright.chromium.launch(executable_path=path, args=FLAGS)
    except Error as error:
        raise RuntimeError(INSTALL) from error


def free_port() -> int:
    """Return a port of loopback that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def server(workspace: Path, *arguments: str) -> Iterator[str]:
    """Yield the address of `streamlit run app.py` on this workspace; it is stopped after."""
    port = free_port()
    command = [
        *(sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")),
        *("--server.port", str(port), "--server.headless", "true"),
        *("--", "--workspace", str(workspace), *arguments),
    ]
    log = workspace.with_suffix(".log")
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, process, log)
            yield address
        finally:
            process.kill()  # it would wait for the browser's open connections
            process.wait()


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Ask for the server's health until it answers; a server that ended says why."""
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(log.read_text())
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(log.read_text())

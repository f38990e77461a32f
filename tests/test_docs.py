"""The documents name what the code has, and say nothing of the machine they were written on."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

import memcore
from memcore import cli
from memcore.retrieval.features import NAMES
from memcore.retrieval.loop import retrieve
from memcore.retrieval.table import RETRIEVERS
from memcore.settings import SAFE
from memcore.types import Trace
from memcore.views.strings import ENGLISH
from tests.whole import PARTS, remembered, talk

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pages() -> tuple[str, ...]:
    """The names of the table PAGES, read without running the router."""
    tree = ast.parse((ROOT / "app.py").read_text(encoding="utf-8"))
    tables = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PAGES"
    ]
    groups = ast.literal_eval(tables[0])
    return tuple(name for group in groups.values() for name, _icon in group)


# ---------------------------------------------------------------- README and names


def test_every_page_file_that_draws_is_in_the_navigation():
    drawn = {
        path.stem
        for path in (ROOT / "pages").glob("*.py")
        if "address.routed(" in path.read_text(encoding="utf-8")
    }
    assert drawn == set(pages())


@pytest.mark.parametrize("page", pages())
def test_the_readme_has_a_row_for_every_page(page):
    assert f"| {ENGLISH[f'page.{page}']} |" in README


@pytest.mark.parametrize("name", memcore.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name):
    assert getattr(memcore, name).__doc__


def test_every_file_that_the_readme_links_to_exists():
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    linked = re.findall(r"\]\((?!http)([^)#]+)", prose)
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_every_command_of_the_readme_is_one_that_the_parser_knows():
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    shown = set(re.findall(r"^memcore ([a-z]+)", "\n".join(blocks), re.MULTILINE))
    assert shown
    assert shown <= set(cli.COMMANDS)


# ---------------------------------------------------------------- strings


TALK = talk(
    "Ann: tea in Porto @2023-05-08\nBob: dog\nAnn: tea and milk ?\nBob: milk @2023-06-01",
    "Ann: cat in Lisbon\nBob: tea\nAnn: Porto @2023-05-08\nBob: Ann tea dog",
    "Bob: Lisbon milk\nAnn: dog in Porto\nBob: tea @2023-06-01",
)
QUESTIONS = ("When did Ann drink tea in Porto?", "tea @2023-05-08 dog", "Bob Lisbon", "zebra")


def traces() -> Iterator[Trace]:
    """The trace of each question by each retriever, with wide and with narrow budgets."""
    memory = remembered(TALK)
    narrow = replace(SAFE, turn_budget=2, token_budget=50, collect_k=1, entry_budget_min=1)
    for settings in (SAFE, replace(SAFE, fast_paths=False), narrow):
        for make in RETRIEVERS.values():
            retriever = make(memory, settings, PARTS)
            for question in QUESTIONS:
                yield tuple(retrieve(retriever, question))[-1]


@pytest.fixture(scope="module")
def found() -> tuple[Trace, ...]:
    return tuple(traces())


def test_every_stage_of_every_retriever_has_words(found):
    names = {step.name for trace in found for step in trace.steps}
    assert len(names) > 15
    assert {n for n in names if f"stage.{n}" not in ENGLISH} == set()


def test_every_channel_has_words(found):
    steps = [step for trace in found for step in trace.steps]
    names = {c.channel for s in steps for c in (*s.entered, *s.kept)}
    names |= {d.channel for s in steps for d in s.dropped}
    assert {"core", "bm25", "dense"} <= names
    assert {n for n in names if n and f"stage.{n}" not in ENGLISH} == set()


def test_every_term_has_words(found):
    candidates = [c for trace in found for step in trace.steps for c in step.entered]
    names = {term.name for c in candidates for term in c.terms}
    assert {"key", "session", "speaker", "told", "cosine"} <= names
    assert {n for n in (*names, *NAMES) if f"term.{n}" not in ENGLISH} == set()


def test_every_list_that_a_candidate_has_a_place_in_has_words(found):
    candidates = [c for trace in found for step in trace.steps for c in step.kept]
    names = {place.list for c in candidates for place in c.placements}
    assert names
    assert {n for n in names if f"stage.{n}" not in ENGLISH} == set()


def test_the_small_talk_reaches_vectors_and_facts():
    memory = remembered(TALK)
    assert len(memory.evolution.entries) > 3
    assert np.isfinite(memory.vectors).all()


# ---------------------------------------------------------------- packages


def pinned(name: str) -> dict[str, Requirement]:
    """The requirements of a file by package, without options and included files."""
    lines = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    kept = (line.split("#")[0].split(" --hash")[0].strip() for line in lines)
    return {r.name: r for r in (Requirement(k) for k in kept if k and not k.startswith("-"))}


def ranges() -> dict[str, Requirement]:
    return {r.name: r for r in map(Requirement, PROJECT["project"]["dependencies"])}


def test_the_pinned_packages_are_those_that_the_project_names():
    assert set(pinned("requirements.txt")) == set(ranges())


@pytest.mark.parametrize("name", sorted(ranges()))
def test_a_pinned_version_is_exact_and_inside_the_range(name):
    (pin,) = pinned("requirements.txt")[name].specifier
    assert pin.operator == "=="
    assert ranges()[name].specifier.contains(pin.version)


def test_the_tools_of_development_are_pinned():
    pins = pinned("requirements-dev.txt").values()
    assert {p.name for p in pins if [s.operator for s in p.specifier] != ["=="]} == set()


def test_the_language_model_is_the_same_in_both_files_and_has_its_hash():
    model = pinned("requirements-model.txt")
    assert model.items() <= pinned("requirements.txt").items()
    text = (ROOT / "requirements-model.txt").read_text(encoding="utf-8")
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", text)) == len(model)


def test_the_version_is_that_of_the_project_and_heads_the_changelog():
    assert memcore.__version__ == PROJECT["project"]["version"]
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heads[0] == memcore.__version__


# ---------------------------------------------------------------- the repository

PLACES = ("/work" + "/", "/opt" + "/", "/root" + "/", "pypi" + ".org", "files.python" + "hosted")


def tracked() -> list[Path]:
    """All files in version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True
    )
    if listed.returncode:
        pytest.skip("not a checkout: the list of files is not here")
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_no_file_names_a_place_of_a_machine_or_a_package_host():
    found = [
        (path.relative_to(ROOT).as_posix(), place)
        for path in tracked()
        if path.is_file()
        for place in PLACES
        if place.encode() in path.read_bytes()
    ]
    assert found == []


def test_markdown_has_no_more_than_one_sentence_a_line():
    texts = [path for path in tracked() if path.name in {"README.md", "CHANGELOG.md"}]
    broken = [
        (path.name, line)
        for path in texts
        if path.parent == ROOT
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"[a-z`)]\. [A-Z]", line) and not line.startswith(("|", "#"))
    ]
    assert broken == []

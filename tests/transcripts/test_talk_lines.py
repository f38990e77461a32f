"""Names before a colon: which open a turn by themselves, which if the file vouches for them."""

import pytest

from memcore.errors import TranscriptError
from memcore.transcripts.options import Limits, Options
from memcore.transcripts.read import read
from memcore.transcripts.sources import Source
from memcore.transcripts.talk_lines import opening, vouched

ODD = ["🌸 Mia", "🤖", "[Bot] Max", "42", "007 James", "@noor", "~Noor", '"Noor"', "«Noor»", "$ock"]


def speakers(text):
    return [p.label for p in read([Source("a.txt", text.encode())]).report.persons]


@pytest.mark.parametrize(
    "name",
    [
        "O'Brien", "O’Brien", "Dr. X (Sales)", "Lt. Col. Smith", "J. R. R. Tolkien", "j.doe",
        "Noor (Room 2)", "Noor (ext. 42, Sales)", "Noor Haddad, Ph.D.", "Mia 🌸", "李雷（销售）",
        "Agent #3", "Acme Inc. Support", "noor@example.org", "العربية",
    ],
)  # fmt: skip
def test_a_name_with_signs_opens_a_turn_as_it_is_written(name):
    found = opening(f"{name}: The hedge is cut.")
    assert found is not None
    assert (found.name, found.text, found.stamp) == (name, "The hedge is cut.", "")


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_opens_a_turn_only_where_the_file_vouches_for_it(name):
    line = f"{name}: The hedge is cut."
    assert opening(line) is None
    assert opening(line, vouched([line, "So it is.", "and more", line])) is not None


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_met_once_is_a_speaker_among_lines_that_all_open_so(name):
    text = f"Edda: Hi.\n{name}: The hedge is cut.\nEdda: Good.\n"
    assert sorted(speakers(text)) == sorted(["Edda", name])


@pytest.mark.parametrize(
    "line",
    ["https://example.org", "1. First: cut it", "- Item: cut it", "> Noor: said so", "  Noor: hi",
     "I see. And then: nothing", "我去了。他说：好", "Note: cut it", "| a: b |"],
)  # fmt: skip
def test_what_is_no_name_is_not_vouched_for_either(line):
    assert opening(line, vouched([line, line, "Edda: Hi."])) is None


def test_a_line_with_an_odd_beginning_continues_the_turn_in_running_text():
    text = "Edda: A list.\n🎉 Party: at six\nbring cake\nand tea\nand chairs\nNoor: Good.\n"
    assert speakers(text) == ["Edda", "Noor"]


def test_brackets_after_a_name_are_its_time_only_if_they_are_one():
    timed, titled = opening("Noor (16:05): Hi."), opening("Noor (Team 5): Hi.")
    assert (timed.name, timed.stamp) == ("Noor", "16:05")
    assert (titled.name, titled.stamp) == ("Noor (Team 5)", "")


def test_a_message_over_the_limit_is_named_as_such_and_read_under_a_larger_limit():
    source = [Source("a.txt", b"Noor: " + b"word " * 400_000)]
    with pytest.raises(TranscriptError, match="1 over_limit") as refused:
        read(source)
    assert "1,000,000 characters" in refused.value.hint
    assert read(source, Options(limits=Limits(turn=3_000_000))).report.turns == 1


@pytest.mark.parametrize("seed", range(5))
def test_bytes_at_random_are_refused_with_the_share_that_is_no_text(seed):
    # A fixed sequence of all byte values but 0, so that no encoding gives itself away.
    data = bytes(1 + (n * n * 31 + n * 17 + seed * 97) % 255 for n in range(997))
    with pytest.raises(TranscriptError, match=r"no text: \d+ % of its first 997 characters") as no:
        read([Source("a.txt", data)])
    assert no.value.kind == "not_text"

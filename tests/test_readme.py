"""The README keeps its promises: two commands, and a picture that is a real one."""

import pathlib
import re

import still
from simulator.recordings.recording import Recording

ROOT = pathlib.Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_exactly_two_commands():
    assert re.findall(r"```\n(.*?)\n```", TEXT, re.S)[:2] == ["python3 build.py serve",
                                                            "python3 build.py test"]
    assert len(re.findall(r"^```$", TEXT, re.M)) == 6  # the third block is the drawing


def test_the_picture_is_drawn_from_the_recording():
    recording = Recording.load(ROOT / "tests" / "golden" / "scenarios" / "opening.json")
    drawn = still.picture(recording, "Seven calls, seven stories")
    kept = (ROOT / "site" / "assets" / "figure.svg").read_text(encoding="utf-8")
    assert kept == drawn, "draw it again: site/still.py: picture"


def test_everything_it_names_is_there():
    for name in re.findall(r"`([\w./*]+/[\w./]*)`", TEXT):
        assert (ROOT / name).exists() or name in ("live/", "make/", "golden/", "scenarios/*.py")

"""The change-one-thing lab: histories of small changes, and the programs they make.

    history = [Action("call"), Action("numpy"), Action("call")]
    text = program(history)              # an ordinary JAX program, with call(...) marks
    link = permalink(history)            # "v=1&do=call,numpy,call"
    parse(link).history == history       # parse also says what it could not read
    say(history, 1)                      # "You changed: what x is (a NumPy array)."

A history is data: a list of actions, each a kind with perhaps a choice. It starts
from one state (a plain function, its wrapper, one argument) and every change
applies to the current state; an issuing kind (`call`, `ahead`, `eval_shape`) uses
the state as it is. The same text runs on the model and on real JAX.

Modules, in the reader's order: `kinds` (the vocabulary), `state` (what a change
changes, and what it excludes), `text` (a state as lines of Python), `program`
(a history as a program), `link` (a history as an address).
"""

from simulator.lab.kinds import KINDS, Action, Choice, Kind, vocabulary
from simulator.lab.link import Parsed, parse, permalink, read
from simulator.lab.program import issued, program
from simulator.lab.state import START, State, Step, follow, idle, say, step

__all__ = ["KINDS", "START", "Action", "Choice", "Kind", "Parsed", "State", "Step", "follow",
           "idle", "issued", "parse", "permalink", "program", "read", "say", "step", "vocabulary"]

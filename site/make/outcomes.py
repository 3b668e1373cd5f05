"""Sentences that say what a cache, a call or JAX does: prose ties each of them to a run.

The chapters are read sentence by sentence, as far as no claim and no macro that takes
something from a recording stands in them. What is left must not state an outcome.
Headings, questions and definitions in tips are not read: they set a scene or name a thing.
"""

import re

TIED = "\0"
"""Stands in the text for a claim."""

MADE = "\1"
"""Stands in the text for what a macro took from a recording or a timing."""

_WHO = (
    "C\\+\\+|params|tracing|lowering|XLA|JAX|it|they|everything(?: else)?|nothing|no cache|each|"
    "both|all|others|entries|calls?|your (?:own )?(?:Python|function)|the (?:first |second |third )?"
    "(?:disk|drawer|cache|memo|fast path|function|call|trace|program|executable|module|wrapper|"
    "entry|compiler)"
)
_DOES = (
    "answers?|answered|asks?|compiles?|falls back|finds|hits?|loads?|lowers?|miss(?:es|ed)?|"
    "raises?|recompiles?|retraces?|traces?|turns round|writes?"
)
_DONE = (
    "answered|asked|compiled|evicted|found|hit|loaded|lowered|missed|recompiled|retraced|skipped|"
    "stored|traced"
)
_HOW = "all|alone|also|always|never|not|only|still|then"
_OUTCOME = re.compile(
    rf"\b(?:(?:{_WHO})(?: (?:{_HOW}))? (?:{_DOES})|(?:is|are|was|were|gets?|be|been)"
    rf"(?: (?:{_HOW}))? (?:{_DONE}))\b",
    re.I,
)
_SENTENCE = re.compile(rf"(?<=[.!?])\s+|{TIED}")


def untied(text: str) -> list[str]:
    """The sentences of a paragraph that state an outcome with nothing to show for it."""
    return [
        sentence.strip()
        for sentence in _SENTENCE.split(text)
        if MADE not in sentence and not sentence.rstrip().endswith("?") and _OUTCOME.search(sentence)
    ]

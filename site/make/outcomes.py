"""Sentences that say what a cache, a call or JAX does: prose ties each of them to a run.

The pages are read sentence by sentence, as far as no claim and no macro that takes
something from a recording stands in them. What is left must not state an outcome.
Headings, questions and definitions in tips are not read: they set a scene or name a thing.
"""

import re

TIED = "\0"
"""Stands in the text for a claim."""

MADE = "\1"
"""Stands in the text for what a macro took from a recording or a timing."""

_THING = (
    "array|cache|call|compiler|context|disk|drawer|entry|executable|fast path|floor|function|"
    "lambda|list|lookup|memo|method|module|number|option|partial|program|setting|shape|static value|"
    "trace|type|value|wrapper"
)
_WHO = (
    "C\\+\\+|params|tracing|lowering|XLA|JAX|it|they|everything(?: else)?|nothing|each|both|"
    "all|others|arrays|calls|entries|functions|traces|wrappers|your (?:own )?(?:Python|function)|"
    "(?:the|an?|this|each|every|your|its|no|another|one)(?: [a-z-]+| NumPy| Python){0,2}? "
    f"(?:{_THING})s?"
)
_DOES = (
    "answers?|answered|asks?|compiles?|empties|ends? in|enters?|evicts?|falls? (?:back|past)|finds?|"
    "forces?|forgets?|hits?|loads?|lowers?|miss(?:es|ed)?|raises?|reach(?:es)?|recompiles?|"
    "retraces?|reuses?|sees|shares?|traces?|triggers?|turns round|writes?"
)
_DONE = (
    "answered|asked|compiled|evicted|forgotten|found|hit|loaded|lowered|missed|recompiled|retraced|"
    "reused|shared|skipped|stored|traced"
)
_HOW = "all|alone|also|always|never|not|only|still|then"
_WORK = (
    "falls? past (?:the|params|tracing|lowering)|(?:finds?|reuses?|shares?|drops?|evicts?) "
    "(?:its|the|their|a|an) (?:trace|entry|entries|jaxpr|module|executable|program)s?|"
    "(?:from|by) (?:the |its )?(?:params|disk|tracing|lowering) cache|(?:costs?|forces?|means?|needs?|"
    "ends? in|not always) (?:a|an|another|no) (?:new |second )?(?:compilation|trace|retrace|lowering)"
)
"""What tells of an outcome whoever it is said of."""

_OUTCOME = re.compile(
    rf"\b(?:{_WORK}|(?:{_WHO})(?: (?:{_HOW}))? (?:{_DOES})|(?:is|are|was|were|gets?|be|been)"
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

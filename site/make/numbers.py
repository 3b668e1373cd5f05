"""Numbers in words: how they are written, and where prose counts with them.

A number word that counts something of this site's matter (`two entries`, `is traced
twice`) is checked like a digit: a macro has to bring it in, or the claim around it has to
state it (see `stated`). Other number words (`one of the two`, `make it once`) are free.
"""

import re
from collections import Counter

WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
)  # fmt: skip
LARGE = ("thirty", "forty", "fifty", "hundred", "thousand", "hundreds", "thousands", "half")
NOUNS = (
    "cache", "call", "case", "cause", "compilation", "copy", "counter", "day", "device", "drawer",
    "entry", "event", "executable", "field", "file", "floor", "function", "group", "hit", "hour",
    "ingredient", "jaxpr", "key", "lambda", "layer", "line", "lookup", "microsecond", "millisecond",
    "minute", "miss", "module", "operation", "option", "part", "place", "process",
    "program", "question", "reason", "round", "second", "setting", "state", "step", "structure",
    "station", "thread", "tool", "trace", "type", "warning", "wrapper",
)  # fmt: skip
"""What is counted here. A number of anything else is everyday language."""

DONE = (
    "answered", "asked", "asks", "compiled", "compiles", "flipped", "hits", "loaded", "lowered",
    "missed", "misses", "ran", "run", "runs", "traced", "traces", "written",
)  # fmt: skip
"""What is done a number of times by a cache, or to a function."""

_PLURALS = {noun: noun[:-1] + "ies" if noun[-1] == "y" else noun + "s" for noun in NOUNS}
_PLURALS |= {"day": "days", "key": "keys", "miss": "misses", "process": "processes"}
_COUNT = "|".join((*WORDS[2:], *LARGE))
_COUNTED = re.compile(rf"\b({_COUNT})(?: [a-zA-Z+-]+)?,? (?:{'|'.join(_PLURALS.values())})\b", re.I)
_OFTEN = re.compile(rf"\b(?:{'|'.join(DONE)})(?: [a-z]+){{0,3}},? (once|twice|(?:{_COUNT}) times)\b(?! more)")


_PLACED = re.compile(
    rf"\b(factor of (?:{_COUNT})|(?:third|fourth|fifth|sixth|seventh|eighth|ninth) "
    r"(?:cache|drawer|floor|station))\b",
    re.I,
)
"""How many times faster, and which of the caches, counted from the top."""


def in_words(number: int) -> str:
    """`two`; digits where there is no word here."""
    return WORDS[number] if number < len(WORDS) else str(number)


def times(number: int) -> str:
    """`never`, `once`, `twice`, `three times`."""
    return ("never", "once", "twice")[number] if number < 3 else f"{in_words(number)} times"


def counts(text: str) -> list[tuple[int, str]]:
    """Where and with which words a text counts: position, and the words around the number."""
    return sorted(
        (match.start(1), match[0])
        for pattern in (_COUNTED, _OFTEN, _PLACED)
        for match in pattern.finditer(text)
    )


def value(words: str) -> int | None:
    """The number that the words hold, or None when it is too large to be written out."""
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in ("once", "twice"):
            return ("once", "twice").index(word) + 1
        if word in WORDS[2:]:
            return WORDS.index(word)
    return None


def stated(number: int | None, claim: str) -> bool:
    """Whether a claim (`S @ C: trace.counts=0,3; …`) states this number: as a value, as all
    lookups of a cache, as the number of calls it names, or as how many of them did one thing."""
    if number is None or not claim:
        return False
    conditions = re.findall(r"(?<=\s)([\w.]+)=('[^']*'|\"[^\"]*\"|\S+)", claim)
    found = Counter([len(re.split(r";\s+(?=\S+ @ )", claim))])
    did = Counter()
    for name, said in conditions:
        numbers = [int(digits) for digits in re.findall(r"(?<![\w.])\d+(?![\w.])", said)]
        if name.endswith("counts"):
            numbers.append(sum(numbers))
        if name.endswith(("counts", "note", "size")):
            found.update(numbers)
        did.update((name, part) for part in said.strip("'\";").split(","))
    return number in found or number in did.values()

"""The words of a claim against its conditions: a sentence that says "params answers" has to
be tied to a call in which params answered.

The conditions decide what is true (see `evidence.py`); this finds a sentence that was turned
round while they stayed. It knows the few phrases in which the chapters say such things.
"""

import re

_CACHES = {
    r"C\+\+|the fast path": "fast_path",
    "params": "params",
    "tracing": "trace",
    "lowering": "(?:lower|hlo)",
    "the disk": "disk",
}
_HOW = r"(?: (?:also|alone|still|then))?"
_UNLESS = r"(?<!unless )(?<!if )(?<!until )"
_RAN = r"\b(?:ran|worked)=(?:\w+,)*"
_MADE = {
    "traced": rf"\btrace=miss|{_RAN}trace|\btrace\.counts|\bnote=|\bof=",
    "compiled": rf"\bcompile=miss|{_RAN}compile|\bcompile\.counts|\bnote=",
}
_RULES = [
    *((rf"{_UNLESS}(?<!\w)(?:{who}){_HOW} answers\b", rf"\b{key}=hit") for who, key in _CACHES.items()),
    *((rf"{_UNLESS}(?<!\w)(?:{who}){_HOW} misses\b", rf"\b{key}=(?:miss|fallback)") for who, key in _CACHES.items()),
    (r"(?<!never )(?<!not )answered by C\+\+", r"\bfast_path=hit"),
    (r"\braises\b", r"\braises=(?!nothing)|\bnote="),
    (r"\bnothing (?:of it )?is (?:\w+ (?:or|and) )?compiled", r"\b(?:ran|worked)=(?!\S*compile)|\bcompile=none|\bcompile\.counts=0,0"),
    *((rf"(?<!not )(?<!never )\b{done} again", shown) for done, shown in _MADE.items()),
]  # fmt: skip
_CHECKED = [(re.compile(said, re.I), re.compile(shown)) for said, shown in _RULES]


def unsaid(sentence: str, conditions: str) -> list[str]:
    """The phrases of a sentence that none of its conditions bears out."""
    words = re.sub(r"\{[A-Za-z]+:[^{}]*\}", " ", re.sub(r"\{`(.*?)`\}", r"\1", sentence))
    return [
        phrase[0]
        for said, shown in _CHECKED
        if (phrase := said.search(words)) and not shown.search(conditions)
    ]

"""Spelling of everything a reader sees, page by page.

    python -m make.spelling      (from site/, after a build; build.py check runs it)

Words in code, figures and addresses are left out. `content/words.txt` holds the words that
are right and not in the dictionary: terms of JAX, of hardware, and proper names.
"""

import html
import re
import sys
from pathlib import Path

from spellchecker import SpellChecker

from make.paths import DIST, ROOT

OWN = ROOT / "content" / "words.txt"
UNREAD = re.compile(
    r"<(script|style|code|pre|svg|jit-stack|kbd|template)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.S
)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
NAME = re.compile(r"\S*[_.=@/\\(){}\[\]]\w\S*|\w*[a-z][A-Z]\w*")


def plain_words(page: str) -> set[str]:
    """The words of a page's text, without what shows whose something is."""
    text = html.unescape(UNREAD.sub(" ", page.partition("<body")[2]))
    return {re.sub(r"['’]s?$", "", word) for word in WORD.findall(NAME.sub(" ", text))}


def dictionary() -> SpellChecker:
    """English, with the project's own words."""
    known = SpellChecker(language="en", distance=1)
    known.word_frequency.load_words(OWN.read_text(encoding="utf-8").split())
    return known


def mistakes(dist: Path) -> dict[str, list[str]]:
    """Unknown words, each with the pages it is on."""
    known, found = dictionary(), {}
    for path in sorted(dist.rglob("*.html")):
        place = path.relative_to(dist).as_posix()
        for word in known.unknown(plain_words(path.read_text(encoding="utf-8"))):
            found.setdefault(word, []).append(place)
    return found


def main() -> int:
    """Print the unknown words of the built site; 1 if there are any, else 0."""
    found = mistakes(DIST)
    for word, places in sorted(found.items()):
        print(f"{word}: {places[0]}" + (f" and {len(places) - 1} more" if places[1:] else ""))
    print(f"{len(found)} unknown words" if found else "every word is known")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

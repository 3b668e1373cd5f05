"""The search index: every section of the chapters, and the glossary, as plain text."""

import json
import re

from make.chapters import plain


def sections(place: str, title: str, parts: list[dict]) -> list[dict]:
    """One entry for each section of a page: where it is, its heading, its words."""
    text = "".join(str(part.get("html") or part.get("question") or "") for part in parts)
    found = []
    for section in re.split(r'(?=<h[23] id=")', text):
        heading = re.match(r'<h[23] id="([^"]+)">(.*?)</h[23]>', section, re.S)
        body = plain(re.sub(r"<h[123]\b.*?</h[123]>", "", section, flags=re.S))
        if body:
            found.append(
                {
                    "at": f"{place}#{heading[1]}" if heading else place,
                    "page": title,
                    "head": plain(heading[2]) if heading else title,
                    "text": body,
                }
            )
    return found


def index(entries: list[dict]) -> str:
    """The search index as compact JSON."""
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))

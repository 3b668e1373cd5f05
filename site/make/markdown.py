"""Markdown to HTML, with code coloured at build time."""

import html

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound


def colour(code: str, language: str, _attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        return ""
    body = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<pre class="highlight" tabindex="0"><code>{body}</code></pre>'


_MARKDOWN = MarkdownIt("commonmark", {"html": False, "highlight": colour}).enable("table")


def escape(text: str) -> str:
    return html.escape(text)

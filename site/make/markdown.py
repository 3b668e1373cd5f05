"""Code coloured at build time."""

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer
from pygments.lexers import PythonLexer, get_lexer_by_name
from pygments.token import Comment, Keyword, String, Text
from pygments.util import ClassNotFound


def colour(code: str, language: str, _attributes: str) -> str:
    """Code as HTML with its syntax coloured; "" for a language that is not known."""
    try:
        lexer = get_lexer_by_name(language or "text")
    except ClassNotFound:
        return ""
    body = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<pre class="highlight" tabindex="0"><code>{body}</code></pre>'


def coloured_lines(program: str) -> list[str]:
    """The lines of a Python program, each as HTML by itself; the empty one behind a last newline, too."""
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    body = highlight(program, lexer, HtmlFormatter(nowrap=True))
    # Of a decorator the sign alone stands apart, as in the playground's editor.
    return body.replace('<span class="nd">@', '<span class="nd">@</span><span class="n">').split("\n")


class _Shown(RegexLexer):
    """Jaxprs and StableHLO modules: their words, comments and strings."""

    tokens = {  # noqa: RUF012
        "root": [
            (r"#.*|//.*", Comment),
            (r'"[^"\n]*"', String),
            (r"\b(?:func\.func|lambda|let|in|module|attributes|public|private|return)\b", Keyword),
            (r"[A-Za-z_][\w.]*|\s+|.", Text),
        ]
    }


def colour_shown(text: str) -> str:
    """A jaxpr or a module, as a program showed it."""
    return highlight(text, _Shown(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True))

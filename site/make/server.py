"""The development server: `dist/` on this machine, with the headers and the
compression that a real host should have."""

import http.server
import os
import re
import socketserver
from pathlib import Path

from make.paths import DIST, SITE
from make.progress import Trouble, say

TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}


def read_headers(path: Path) -> list[tuple[re.Pattern, list[tuple[str, str]]]]:
    """Reads `_headers`: a path pattern on a line of its own, its headers
    indented below it; `*` stands for anything."""
    rules: list[tuple[re.Pattern, list[tuple[str, str]]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            pattern = ".*".join(re.escape(part) for part in line.strip().split("*"))
            rules.append((re.compile(pattern + r"\Z"), []))
        else:
            name, _, value = line.strip().partition(":")
            rules[-1][1].append((name, value.strip()))
    return rules


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the built site as a static host would."""

    protocol_version = "HTTP/1.1"
    rules: list = []

    def send_head(self):
        """Send status and headers: of the file, packed when the browser takes it so, of a
        redirect to the folder, or of the page for no address."""
        path = Path(self.translate_path(self.path))
        address = self.path.partition("?")[0].partition("#")[0]
        if os.path.isdir(path):
            if not address.endswith("/"):
                return self._redirect(address)
            path = path / "index.html"
        status = 200
        if not os.path.isfile(path) or path.name == "_headers":
            path, status = Path(self.directory) / "404.html", 404
        packed = path.with_name(path.name + ".gz")
        if "gzip" in self.headers.get("Accept-Encoding", "") and packed.is_file():
            return self._send(path, packed, address, status)
        return self._send(path, path, address, status)

    def _send(self, path: Path, body: Path, address: str, status: int):
        file = body.open("rb")
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(body.stat().st_size))
        if body != path:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Vary", "Accept-Encoding")
        headers: dict[str, str] = {}
        for pattern, values in self.rules:
            if pattern.match(address):
                headers.update(values)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        return file

    def _redirect(self, address: str):
        self.send_response(301)
        self.send_header("Location", address + "/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def copyfile(self, source, outputfile):
        """Send the file; a browser that leaves in between is no error."""
        try:
            super().copyfile(source, outputfile)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *args):
        """Nothing is logged."""
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """An HTTP server with a thread for every request."""

    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """Nothing is printed."""
        pass  # a browser that closes a connection early is no error


def make_server(port: int, folder: Path = DIST) -> Server:
    """A server for this machine only; port 0 takes any free one. Raises
    Trouble when the port is taken, or not to be had."""
    rules = read_headers(SITE / "_headers")
    handler = type("SiteHandler", (Handler,), {"rules": rules})

    def make(*args):
        return handler(*args, directory=str(folder))

    try:
        return Server(("127.0.0.1", port), make)
    except OverflowError:
        raise Trouble(f"There is no port {port}: choose one from 1024 to 65535.") from None
    except PermissionError:
        raise Trouble(f"Port {port} is not yours to open: choose one from 1024 to 65535.") from None
    except OSError:
        raise Trouble(
            f"Port {port} is taken: stop what uses it, or choose another with --port."
        ) from None


def serve(port: int) -> None:
    """Serves until interrupted, and prints the address."""
    with make_server(port) as server:
        say(f"\nSix Caches is at http://localhost:{server.server_address[1]}/   (Ctrl-C stops it)")
        server.serve_forever()
